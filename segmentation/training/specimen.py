"""What training works on: one brain on the network's grid, with its labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import FloatArray, LabelArray

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Specimen:
    """One study cropped to its brain.

    `image` float32 (channel, i, j, k), divided by the channel's mean in the
    brain, 0 outside; channels FLAIR, T1c, T1, T2. `labels` uint8 (i, j, k):
    1 non-enhancing core, 2 edema, 4 enhancing. `brain` bool (i, j, k).
    """

    name: str
    image: FloatArray
    labels: LabelArray
    brain: BoolArray

    @property
    def shape(self) -> tuple[int, int, int]:
        """Voxels along i, j, k."""
        i, j, k = self.labels.shape
        return (i, j, k)


def brain_statistics(image: FloatArray, brain: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each channel in the brain, both (channel, 1, 1, 1)."""
    inside = image[:, brain]
    mean = inside.mean(axis=1).reshape(-1, 1, 1, 1)
    deviation = np.maximum(inside.std(axis=1), 1e-6).reshape(-1, 1, 1, 1)
    return mean.astype(np.float32), deviation.astype(np.float32)


def save(specimen: Specimen, path: Path) -> None:
    """Write a specimen as a compressed npz, in half precision."""
    np.savez_compressed(
        path,
        image=specimen.image.astype(np.float16),
        labels=specimen.labels,
        brain=specimen.brain,
    )


def load(path: Path) -> Specimen:
    """Read what `save` wrote."""
    with np.load(path, allow_pickle=False) as held:
        image = held["image"].astype(np.float32)
        return Specimen(path.stem, image, held["labels"], held["brain"].astype(bool))
