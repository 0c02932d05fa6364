"""How intensities are brought to one scale: rows that weights name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from viewer.arrays import FloatArray

CLIPPED_AT = 5.0
"""Standard deviations; vessels and coils reach further and mean nothing more."""


def z_score(stack: FloatArray) -> FloatArray:
    """Mean 0 and deviation 1 over each channel's own non-zero voxels; zero stays zero.

    `stack` is (channel, i, j, k). As MONAI's NormalizeIntensity(nonzero=True,
    channel_wise=True). A constant channel becomes 0.
    """
    result = np.zeros_like(stack, dtype=np.float32)
    for channel, target in zip(stack, result, strict=True):
        inside = channel != 0
        values = channel[inside].astype(np.float64)
        if values.size:
            deviation = values.std() or 1.0
            target[inside] = (values - values.mean()) / deviation
    return result


def clipped_z_score(stack: FloatArray) -> FloatArray:
    """`z_score`, cut off at `CLIPPED_AT`."""
    return np.clip(z_score(stack), -CLIPPED_AT, CLIPPED_AT)


NORMALISATIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "nonzero-z-score": z_score,
    "nonzero-z-score-clipped": clipped_z_score,
}
