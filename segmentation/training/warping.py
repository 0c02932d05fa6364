"""Moving specimens in space: one place where arrays meet a sampling grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.random import Generator
from torch.nn.functional import grid_sample

from segmentation.resampling import Shape
from segmentation.training.fields import random_rotation, smooth_field
from segmentation.training.specimen import Specimen
from viewer.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Motion:
    """Where each output voxel is read from: `matrix @ (x - centre_out) + centre_in + drift`.

    `matrix` (3, 3); centres (3,) in voxels; `drift` (i, j, k, 3) in voxels or None.
    """

    matrix: FloatArray
    centre_out: FloatArray
    centre_in: FloatArray
    drift: FloatArray | None = None

    def coordinates(self, shape: Shape) -> FloatArray:
        """Source voxel (i, j, k, 3) of each voxel of an output of that shape."""
        axes = np.meshgrid(*(np.arange(n, dtype=np.float32) for n in shape), indexing="ij")
        offset = np.stack(axes, axis=-1) - self.centre_out
        moved = offset @ self.matrix.T + self.centre_in
        return np.asarray(moved if self.drift is None else moved + self.drift, dtype=np.float32)


def random_matrix(rng: Generator, degrees: float, zoom: float, mirror: bool) -> FloatArray:
    """A small rotation, zooms within 1/(1+zoom)..1+zoom, and perhaps a left-right mirror."""
    limit = np.log1p(zoom)
    scale = np.exp(rng.uniform(-limit, limit) + rng.uniform(-limit / 3, limit / 3, 3))
    if mirror:
        scale[0] = -scale[0]
    return np.asarray(random_rotation(rng, degrees) * scale, dtype=np.float32)


def random_drift(shape: Shape, rng: Generator, largest: float) -> FloatArray:
    """A smooth displacement field (i, j, k, 3) of up to about `largest` voxels."""
    cell = rng.uniform(12, 24)
    strength = rng.uniform(0, largest / 2)
    return np.stack([strength * smooth_field(shape, cell, rng) for _ in range(3)], axis=-1)


def warp(specimen: Specimen, motion: Motion, shape: Shape) -> Specimen:
    """The specimen seen through a motion; outside of it there is nothing (0)."""
    size = np.array(specimen.shape, np.float32)
    unit = 2.0 * motion.coordinates(shape) / (size - 1.0) - 1.0
    grid = torch.from_numpy(np.ascontiguousarray(unit[..., ::-1]))[None]
    image = _sample(specimen.image, grid, "bilinear")
    marks = np.stack([specimen.labels, specimen.brain]).astype(np.float32)
    labels, brain = _sample(marks, grid, "nearest")
    inside = brain > 0.5
    return Specimen(specimen.name, image * inside, labels.astype(np.uint8), inside)


def _sample(array: FloatArray, grid: torch.Tensor, mode: str) -> FloatArray:
    sampled = grid_sample(
        torch.from_numpy(array)[None], grid, mode=mode, padding_mode="zeros", align_corners=True
    )
    result: FloatArray = sampled[0].numpy()
    return result
