"""Small studies for the tests: unequal sides, distinct voxels, a lesion on the patient's right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.viewer.images import save
from viewer.arrays import LabelMap, Volume
from viewer.study import MaskFile, SequenceFile, Study

SHAPE = (20, 24, 18)
SPACING = (2.0, 1.5, 3.0)
LESION = (slice(13, 17), slice(5, 11), slice(8, 12))
"""Voxels on the patient's right (large i); axial slice 10 holds the most of it."""


def affine(spacing: tuple[float, float, float] = SPACING) -> NDArray[np.float64]:
    matrix = np.diag([*spacing, 1.0])
    matrix[:3, 3] = (-150.0, -12.0, 7.0)  # world x is negative everywhere, as in BraTS
    return matrix


def brain(seed: int = 0) -> NDArray[np.float32]:
    """Random intensities of 1 to 1000 in a box, zero around it."""
    array = np.zeros(SHAPE, dtype=np.float32)
    inside = np.random.default_rng(seed).integers(1, 1000, (16, 20, 14)).astype(np.float32)
    array[2:18, 2:22, 2:16] = inside
    return array


def labels() -> NDArray[np.uint8]:
    """Edema round a core; the largest axial, coronal and sagittal areas are at 10, 7 and 14."""
    array = np.zeros(SHAPE, dtype=np.uint8)
    array[LESION] = 2
    array[12:18, 4:12, 10] = 2
    array[14, 5:11, 7:13] = 4
    array[13:17, 7, 7:13] = 1
    return array


def volume(name: str, seed: int = 0) -> Volume:
    return Volume(name, brain(seed), affine(), Path(f"{name}.nii.gz"))


def volumes(names: tuple[str, ...] = ("T1", "T1c", "T2", "FLAIR")) -> dict[str, Volume]:
    return {name: volume(name, seed) for seed, name in enumerate(names)}


def labelmap(array: NDArray[np.uint8] | None = None) -> LabelMap:
    return LabelMap(labels() if array is None else array, affine(), "brats-2021", "seg.nii.gz")


def stored_study(folder: Path, order: str = "RAS", with_mask: bool = True) -> Study:
    """The same study on disk, each file with its axes in `order`."""
    sequences = []
    for name, made in volumes().items():
        path = save(folder / f"{name}.nii", made.array.astype(np.int16), affine(), order)
        sequences.append(SequenceFile(name, path, SHAPE, SPACING))
    masks = ()
    if with_mask:
        path = save(folder / "seg.nii", labels(), affine(), order)
        masks = (MaskFile("expert", path, "brats-2021"),)
    return Study("S-1", "plain", folder, tuple(sequences), masks)
