"""Smooth random fields: the raw stuff of bias, texture, shape and deformation."""

from __future__ import annotations

import numpy as np

from viewer.arrays import FloatArray


def smooth_noise(
    rng: np.random.Generator, shape: tuple[int, ...], spacing_mm: float, scale_mm: float
) -> FloatArray:
    """Noise of mean 0 and deviation 1 whose bumps are about `scale_mm` wide.

    White noise on a coarse grid, brought to `shape` by cubic B-splines, one
    axis at a time: cheap whatever the scale.
    """
    step = scale_mm / spacing_mm
    counts = [int(np.ceil(size / step)) + 3 for size in shape]
    field = rng.standard_normal(counts, dtype=np.float32)
    for axis, (size, count) in enumerate(zip(shape, counts, strict=True)):
        weights = _spline_weights(size, count, step)
        field = np.moveaxis(np.tensordot(weights, field, axes=(1, axis)), 0, axis)
    field -= field.mean()
    return np.ascontiguousarray(field / max(float(field.std()), 1e-6), dtype=np.float32)


def _spline_weights(size: int, count: int, step: float) -> FloatArray:
    """Cubic B-spline weights (size, count) of coarse nodes at `step` fine voxels."""
    position = np.arange(size)[:, None] / step + 1.0
    distance = np.abs(position - np.arange(count)[None, :])
    near = (4.0 - 6.0 * distance**2 + 3.0 * distance**3) / 6.0
    far = np.maximum(2.0 - distance, 0.0) ** 3 / 6.0
    return np.where(distance < 1.0, near, far).astype(np.float32)
