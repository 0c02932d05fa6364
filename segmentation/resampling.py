"""Resampling along a grid's own axes, one small matrix for each axis.

Two grids that share a corner and their axes differ only in voxel size, so a
separable tent filter does it: as wide as the coarser of the two voxels, it
averages when shrinking and interpolates linearly when growing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import FloatArray

Spacing = tuple[float, float, float]
Shape = tuple[int, int, int]


def axis_weights(n_in: int, in_mm: float, n_out: int, out_mm: float) -> FloatArray:
    """Matrix (n_out, n_in) that takes samples `in_mm` apart to samples `out_mm` apart.

    Both rows of samples begin at the same edge: sample n has its centre at
    (n + 0.5) * spacing. Rows add up to 1.
    """
    centres_in = (np.arange(n_in) + 0.5) * in_mm
    centres_out = (np.arange(n_out) + 0.5) * out_mm
    reach = max(in_mm, out_mm)
    distance = np.abs(centres_out[:, None] - centres_in[None, :])
    weights: NDArray[np.float64] = np.clip(1.0 - distance / reach, 0.0, None)
    nothing_near = weights.sum(axis=1) == 0
    weights[nothing_near, distance[nothing_near].argmin(axis=1)] = 1.0
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def resampled_shape(shape: Shape, spacing: Spacing, target: Spacing) -> Shape:
    """Voxels that cover the same millimetres at the target spacing, rounded up."""
    i, j, k = (
        max(1, math.ceil(round(n * have / want, 4)))
        for n, have, want in zip(shape, spacing, target, strict=True)
    )
    return (i, j, k)


def resample(array: FloatArray, spacing: Spacing, target: Spacing, shape: Shape) -> FloatArray:
    """Array (..., i, j, k) of voxels `spacing` mm large, on a grid of `shape` and `target` mm."""
    result = np.asarray(array, dtype=np.float32)
    first = result.ndim - 3
    for axis in range(3):
        n_in, n_out = result.shape[first + axis], shape[axis]
        if n_in == n_out and spacing[axis] == target[axis]:
            continue
        weights = axis_weights(n_in, spacing[axis], n_out, target[axis])
        moved = np.moveaxis(result, first + axis, -1)
        result = np.moveaxis(moved @ weights.T, -1, first + axis)
    return np.ascontiguousarray(result)
