"""Smooth random fields, the raw material of shapes, textures and bias."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from segmentation.resampling import Shape, resample
from viewer.arrays import FloatArray


def smooth_field(shape: Shape, cell: float, rng: Generator) -> FloatArray:
    """Standard normal knots `cell` voxels apart, linearly interpolated to `shape`."""
    knots = tuple(max(2, math.ceil(n / cell) + 1) for n in shape)
    coarse = rng.standard_normal(knots, dtype=np.float32)
    return resample(coarse, (cell, cell, cell), (1.0, 1.0, 1.0), shape)


def random_rotation(rng: Generator, largest_degrees: float = 180.0) -> FloatArray:
    """A rotation matrix (3, 3) about a random axis by at most that angle."""
    axis = rng.standard_normal(3)
    x, y, z = axis / np.linalg.norm(axis)
    angle = np.deg2rad(rng.uniform(-largest_degrees, largest_degrees))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return np.asarray(matrix, dtype=np.float32)
