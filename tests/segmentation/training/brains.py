"""A brain small enough to train on in a test."""

from __future__ import annotations

import numpy as np

from segmentation.training.specimen import Specimen

SHAPE = (30, 34, 28)


def specimen(name: str = "s", side: int = 8) -> Specimen:
    """An egg of a brain with a cube of tumor to the left, enhancing in its middle."""
    i, j, k = np.ogrid[: SHAPE[0], : SHAPE[1], : SHAPE[2]]
    brain = ((i - 14.5) / 13) ** 2 + ((j - 16.5) / 15) ** 2 + ((k - 13.5) / 12) ** 2 < 1
    labels = np.zeros(SHAPE, np.uint8)
    labels[5 : 5 + side, 13 : 13 + side, 10 : 10 + side] = 2
    labels[7:11, 15:19, 12:16] = 4
    labels *= brain
    rng = np.random.default_rng(1)
    image = rng.normal(1.0, 0.1, (4, *SHAPE)).astype(np.float32) + (labels > 0) * 1.0
    return Specimen(name, (image * brain).astype(np.float32), labels, brain)
