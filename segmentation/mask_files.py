"""A predicted mask on the disk, lying exactly on the image it was made from."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import nibabel as nib
import numpy as np
from nibabel.orientations import apply_orientation, io_orientation, ornt_transform

from segmentation.errors import UnrelatedGrids
from viewer.arrays import LabelMap
from viewer.grids import same_grid
from viewer.headers import read_header
from viewer.study import SequenceFile
from viewer.voxels import canonical_grid

CANONICAL = np.array([[0, 1], [1, 1], [2, 1]], dtype=float)
"""Orientation RAS+ as nibabel writes it."""


def write_mask(labels: LabelMap, like: SequenceFile, path: Path) -> None:
    """Write `labels` (RAS+) as uint8 NIfTI with the stored shape and axis order of `like`.

    Affine, qform and sform with their codes are those of `like`, so that every
    reader, whichever of the two it believes, lays the mask where the image
    lies. The file appears whole or not at all. Raises `UnrelatedGrids` when the
    labels are not on the image's grid.
    """
    source = read_header(like.path)
    stored = (source.shape[0], source.shape[1], source.shape[2])
    affine, shape = canonical_grid(source.affine, stored)
    if not same_grid(labels.affine, labels.array.shape, affine, shape):
        raise UnrelatedGrids(
            f"Expected a mask on the grid of {like.path.name} {shape}, got "
            f"{labels.array.shape} voxels placed differently; resample it first."
        )
    turn = ornt_transform(CANONICAL, io_orientation(source.affine))
    image = nib.Nifti1Image(
        np.ascontiguousarray(apply_orientation(labels.array, turn)), source.affine
    )
    image.set_data_dtype(np.uint8)
    _place_as(image, source.nifti)
    _write_whole(image, path)


def _place_as(image: nib.Nifti1Image, header: nib.Nifti1Header) -> None:
    """The source's qform and sform with their codes, each as the source has it."""
    image.set_sform(header.get_sform(), code=int(header["sform_code"]))
    image.set_qform(header.get_qform(), code=int(header["qform_code"]))
    image.header.set_xyzt_units("mm")


def _write_whole(image: nib.Nifti1Image, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    suffix = ".nii.gz" if path.name.endswith(".gz") else ".nii"
    handle, name = tempfile.mkstemp(suffix=suffix, prefix=".mask-", dir=path.parent)
    os.close(handle)
    try:
        nib.save(image, name)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
