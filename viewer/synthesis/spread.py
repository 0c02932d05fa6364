"""How far a lesion has to travel through tissue: edema follows white matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import FloatArray

MAX_SWEEPS = 12
STEP_MM = 2.0
"""Arrival times are found on a grid at least this coarse; finer ones interpolate."""


def arrival(
    start: NDArray[np.bool_], slowness: FloatArray, spacing_mm: float, reach: float
) -> FloatArray:
    """Cheapest path from `start` to each voxel, in slowness × mm, up to `reach`.

    `start` and `slowness` (at least 1) are (i, j, k). Unreached voxels are inf.
    """
    stride = max(1, round(STEP_MM / spacing_mm))
    grid = (slice(None, None, stride),) * 3
    reached = ndimage.maximum_filter(start, stride)[grid] if stride > 1 else start
    box = _around(reached, int(np.ceil(reach / (stride * spacing_mm))) + 2)
    time = np.where(reached[box], 0.0, np.inf).astype(np.float32)
    _relax(time, slowness[grid][box] * np.float32(stride * spacing_mm), reach)
    whole = np.full(reached.shape, np.inf, dtype=np.float32)
    whole[box] = time
    if stride == 1:
        return whole
    return _finer(np.minimum(whole, 4.0 * reach), start.shape, stride)


def _relax(time: FloatArray, cost: FloatArray, reach: float) -> None:
    """Sweep forth and back along each axis, in place, until nothing within reach changes."""
    axes = [np.moveaxis(time, axis, 0) for axis in range(3)]
    costs = [np.moveaxis(cost, axis, 0) for axis in range(3)]
    halves = [0.5 * (part[1:] + part[:-1]) for part in costs]
    before = np.inf
    for _ in range(MAX_SWEEPS):
        for view, half in zip(axes, halves, strict=True):
            for n in range(len(half)):
                np.minimum(view[n + 1], view[n] + half[n], out=view[n + 1])
            for n in range(len(half) - 1, -1, -1):
                np.minimum(view[n], view[n + 1] + half[n], out=view[n])
        total = float(np.minimum(time, reach).sum(dtype=np.float64))
        if total >= before * (1.0 - 1e-4):
            break
        before = total


def _around(mask: NDArray[np.bool_], margin: int) -> tuple[slice, slice, slice]:
    where = [np.flatnonzero(mask.any(axis=tuple({0, 1, 2} - {a}))) for a in range(3)]
    i, j, k = (
        slice(max(int(w[0]) - margin, 0), min(int(w[-1]) + margin + 1, size))
        for w, size in zip(where, mask.shape, strict=True)
    )
    return (i, j, k)


def _finer(coarse: FloatArray, shape: tuple[int, ...], stride: int) -> FloatArray:
    points = np.meshgrid(*[np.arange(n, dtype=np.float32) / stride for n in shape], indexing="ij")
    return np.asarray(
        ndimage.map_coordinates(coarse, points, order=1, mode="nearest"), dtype=np.float32
    )
