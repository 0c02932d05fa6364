"""How a NIfTI file stores its voxels: their type, where they begin, and their scaling.

A header may claim anything; a claim that the file cannot hold is refused here,
before any memory is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, prod
from pathlib import Path
from typing import Any

import numpy as np
from nibabel.spatialimages import HeaderDataError

from viewer.errors import UnreadableFile
from viewer.formats import Payload

MAX_VOXELS = 2**27
"""One volume of more voxels than 512×512×512 is taken for a broken header."""
MAX_OFFSET = 2**26
"""Header and extensions of more than 64 MiB are taken for a broken header: a compressed
file would have to be unpacked up to there to find that out."""
DEFLATE_RATIO = 1032
"""No deflate stream expands further than this (zlib's technical notes)."""


@dataclass(frozen=True)
class Storage:
    """Voxel = stored number of type `dtype` x `slope` + `intercept`, from byte `offset` on."""

    dtype: np.dtype[Any]
    offset: int
    slope: float
    intercept: float


def storage(
    path: Path, nifti: Any, shape: tuple[int, ...], payload: Payload, first_byte: int
) -> Storage:
    """How the voxels of `path` are stored; `payload` is of the file that holds them.

    `first_byte` is where voxels begin at the earliest. Raises `UnreadableFile`
    for a type that is no grey value, and for more voxels than the file can hold.
    """
    dtype = _dtype(path, nifti)
    voxels = prod(shape[:3])
    if voxels > MAX_VOXELS:
        raise UnreadableFile(
            f"{path.name}: the header claims {voxels} voxels, at most {MAX_VOXELS} can be "
            "shown; check the header or resample the image."
        )
    room = payload.file_bytes * (DEFLATE_RATIO if payload.compressed else 1)
    offset = float(nifti["vox_offset"])
    if not isfinite(offset) or offset > min(room, MAX_OFFSET):
        raise UnreadableFile(
            f"{path.name}: expected voxels inside the file, got a header that places them at "
            f"byte {offset:g}; fetch the file again."
        )
    claimed = prod(shape) * dtype.itemsize
    if claimed + max(offset, first_byte) > room:
        raise UnreadableFile(
            f"{path.name}: truncated, the header claims {claimed} bytes of voxels and the "
            f"file has {payload.file_bytes}; fetch the file again."
        )
    slope, intercept = _scaling(path, nifti)
    # writers that leave 0 here mean the first byte after the header
    return Storage(dtype, max(int(offset), first_byte), slope, intercept)


def _dtype(path: Path, nifti: Any) -> np.dtype[Any]:
    try:
        dtype: np.dtype[Any] = nifti.get_data_dtype()
    except (HeaderDataError, KeyError) as error:
        raise UnreadableFile(
            f"{path.name}: expected a data type of the NIfTI standard, got {error}; "
            "convert the file."
        ) from error
    if dtype.kind not in "iuf":
        raise UnreadableFile(
            f"{path.name}: expected one real number a voxel, got {dtype} voxels; convert the "
            "file to a grey-scale image."
        )
    return dtype


def _scaling(path: Path, nifti: Any) -> tuple[float, float]:
    try:
        slope, intercept = nifti.get_slope_inter()
    except HeaderDataError as error:
        raise UnreadableFile(
            f"{path.name}: expected a scale slope and intercept, got {error}; mend the header."
        ) from error
    return (1.0, 0.0) if slope is None else (float(slope), float(intercept))
