"""Where the brain lies in a skull-stripped volume.

The background of skull-stripped data is one value: 0, NaN, or what a
normalisation made of 0. Left and right are judged against the brain's own
midline: the sign of world x says nothing in BraTS space (x from -239 to 0).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import FloatArray, Volume
from viewer.errors import NoBrain

BrainMask = NDArray[np.bool_]


def brain_mask(volume: Volume) -> BrainMask:
    """Foreground (i, j, k): finite voxels that differ from the background's value.

    The background is what all eight corners hold, and 0 where they differ.
    """
    array = volume.array
    foreground: BrainMask = np.isfinite(array) & (array != 0) & (array != _corner_value(array))
    return foreground


def brain_box(volume: Volume) -> tuple[slice, slice, slice]:
    """The smallest box around the foreground; `NoBrain` where there is none."""
    mask = brain_mask(volume)
    if not mask.any():
        raise NoBrain(
            f"{volume.path.name}: expected a brain, got a volume without foreground; "
            "choose another sequence."
        )
    i, j, k = (_extent(mask, others) for others in ((1, 2), (0, 2), (0, 1)))
    return i, j, k


def midline_index(mask: BrainMask) -> float:
    """Mean voxel index i of the brain: right of it is the patient's right.

    Raises `NoBrain` for an empty mask, since no side can be told then.
    """
    per_sagittal_slice = mask.sum(axis=(1, 2), dtype=np.int64)
    voxels = int(per_sagittal_slice.sum())
    if voxels == 0:
        raise NoBrain(
            "Expected a brain mask to tell left from right, got an empty one; "
            "choose another sequence or mask."
        )
    return float(per_sagittal_slice @ np.arange(mask.shape[0])) / voxels


def _corner_value(array: FloatArray) -> np.float32:
    corners = array[:: max(array.shape[0] - 1, 1), :: max(array.shape[1] - 1, 1)]
    corners = corners[:, :, :: max(array.shape[2] - 1, 1)]
    first = np.float32(corners.flat[0])
    return first if bool((corners == first).all()) else np.float32(0)


def _extent(mask: BrainMask, others: tuple[int, int]) -> slice:
    """From the first to the last occupied index along the axis that is not in `others`."""
    places = np.flatnonzero(mask.any(axis=others))
    return slice(int(places[0]), int(places[-1]) + 1)
