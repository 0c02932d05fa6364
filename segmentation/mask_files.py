"""A predicted mask on the disk, lying exactly on the image it was made from."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
from nibabel.orientations import apply_orientation, io_orientation, ornt_transform

from segmentation.errors import UnrelatedGrids
from viewer.arrays import LabelMap
from viewer.grids import same_grid
from viewer.headers import read_header
from viewer.placement import rotation
from viewer.study import SequenceFile
from viewer.voxels import canonical_grid
from viewer.written import whole_file

SFORM = ("sform_code", "srow_x", "srow_y", "srow_z")
QFORM = (
    "qform_code", "quatern_b", "quatern_c", "quatern_d", "qoffset_x", "qoffset_y", "qoffset_z",
)  # fmt: skip
"""Fields of the NIfTI header; the qform also takes qfac and the voxel size, pixdim[:4]."""

CANONICAL = np.array([[0, 1], [1, 1], [2, 1]], dtype=float)
"""Orientation RAS+ as nibabel writes it."""


def write_mask(labels: LabelMap, like: SequenceFile, path: Path) -> None:
    """Write `labels` (RAS+) as uint8 NIfTI with the stored shape and axis order of `like`.

    Affine, qform and sform with their codes are those of `like`, so that every
    reader, whichever of the two it believes, lays the mask where the image
    lies; a qform that is no rotation is left behind. The file appears whole or
    not at all. Raises `UnrelatedGrids` when the labels are not on the image's
    grid.
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


@np.errstate(invalid="ignore")  # NaN in a field that nobody uses is carried over like any other
def _place_as(image: nib.Nifti1Image, header: Any) -> None:
    """The source's sform and qform, field by field, with their codes.

    A qform that is no rotation is left behind, with code 0.
    """
    fields: tuple[str, ...] = SFORM
    qform = rotation(header)
    if qform is not None and np.isfinite(qform).all():
        fields += QFORM
        image.header["pixdim"][:4] = header["pixdim"][:4]
    for field in fields:
        image.header[field] = header[field]
    image.header.set_xyzt_units("mm")


def _write_whole(image: nib.Nifti1Image, path: Path) -> None:
    content = image.to_bytes()
    with whole_file(path) as fresh:
        fresh.touch(mode=0o600)  # it shows a patient, and lies in folders that others may read
        fresh.write_bytes(
            gzip.compress(content, compresslevel=1, mtime=0) if path.suffix == ".gz" else content
        )
