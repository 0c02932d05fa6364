"""NIfTI files made for the tests: unequal sizes and distinct voxels, so that no flip can hide."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
from nibabel.orientations import (
    apply_orientation,
    axcodes2ornt,
    inv_ornt_aff,
    ornt_transform,
)
from numpy.typing import NDArray

from viewer.study import MaskFile, MaskKind, SequenceFile

SHAPE = (7, 9, 11)
RAS = axcodes2ornt("RAS")
AXIS_ORDERS = tuple(
    "".join(letters) for axes in permutations(("RL", "AP", "SI")) for letters in product(*axes)
)
"""All 48 ways to store the axes of a volume."""


def affine(
    spacing: tuple[float, float, float] = (1.0, 2.0, 3.0),
    origin: tuple[float, float, float] = (-3.0, -8.0, -15.0),
) -> NDArray[np.float64]:
    """A RAS+ affine."""
    matrix = np.diag([*spacing, 1.0])
    matrix[:3, 3] = origin
    return matrix


def distinct(shape: tuple[int, ...] = SHAPE, dtype: Any = np.int16) -> NDArray[Any]:
    """An array with no two equal voxels and none that is zero."""
    return np.arange(1, int(np.prod(shape)) + 1).reshape(shape).astype(dtype)


def save(
    path: Path,
    array: NDArray[Any] | None = None,
    matrix: NDArray[np.float64] | None = None,
    order: str = "RAS",
) -> Path:
    """Write a RAS+ array to `path` with its axes stored in `order`; the world stays the same."""
    data = distinct() if array is None else array
    world = affine() if matrix is None else matrix
    turn = ornt_transform(RAS, axcodes2ornt(order))
    stored = np.asarray(apply_orientation(data, turn))
    image = nib.Nifti1Image(stored, world @ inv_ornt_aff(turn, data.shape))
    path.parent.mkdir(parents=True, exist_ok=True)
    nib.save(image, path)
    return path


def sequence(path: Path, name: str = "FLAIR", frame: int | None = None) -> SequenceFile:
    """A sequence at `path`, as the catalogue would list it."""
    return SequenceFile(name, path, SHAPE, (1.0, 1.0, 1.0), frame)


def mask(path: Path, kind: MaskKind = "expert") -> MaskFile:
    """A mask at `path`, as the catalogue would list it."""
    return MaskFile(kind, path, "brats-2021")
