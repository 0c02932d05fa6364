"""Where a NIfTI header says that its voxels lie.

The sform is used where it is coded, else the qform (the NIfTI standard's
methods 3 and 2). Where both are coded and disagree, a note names both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from nibabel.orientations import aff2axcodes
from nibabel.spatialimages import HeaderDataError

from viewer.arrays import Affine, spacing_of
from viewer.errors import UnreadableFile

AGREE_MM = 1.0
"""qform and sform that place every corner of the volume this close agree."""
FLAT = 1e-3
"""Volume of the box of unit voxel axes, below which they lie in one plane."""


@np.errstate(invalid="ignore")  # a signalling NaN is refused below like any other
def placement(path: Path, nifti: Any, shape: tuple[int, ...]) -> tuple[Affine, tuple[str, ...]]:
    """The affine (4, 4) that takes stored voxels to mm, and notes on how it was found.

    `nifti` is nibabel's header. Raises `UnreadableFile` for an affine that
    places no voxels.
    """
    sform = nifti.get_sform() if int(nifti["sform_code"]) > 0 else None
    qform, qform_notes = _qform(nifti)
    if sform is not None:
        affine, notes = sform, (*qform_notes, *_disagreement(sform, qform, shape))
    elif qform is not None:
        affine, notes = qform, ()
    elif qform_notes:
        affine, notes = np.zeros((4, 4)), ()
    else:
        affine = nifti.get_base_affine()
        notes = (
            "neither qform nor sform is set: left and right follow the NIfTI default "
            "and are not certain",
        )
    if not _places_voxels(affine):
        raise UnreadableFile(
            f"{path.name}: expected an affine that places the voxels, got a singular or "
            "non-finite one; mend the header's sform or qform."
        )
    return affine, notes


def _places_voxels(affine: Affine) -> bool:
    """Whether the three voxel axes are finite and do not lie in one plane."""
    spacing = np.array(spacing_of(affine))
    if not np.isfinite(affine).all() or not (spacing > 0).all():
        return False
    return bool(abs(np.linalg.det(affine[:3, :3] / spacing)) > FLAT)


def rotation(nifti: Any) -> Affine | None:
    """The affine (4, 4) of a header's qform, coded or not; None where its fields make none."""
    try:
        affine: Affine = nifti.get_qform()
    except (HeaderDataError, ValueError):
        return None
    return affine


def _qform(nifti: Any) -> tuple[Affine | None, tuple[str, ...]]:
    if int(nifti["qform_code"]) <= 0:
        return None, ()
    affine = rotation(nifti)
    return affine, () if affine is not None else ("the qform is not a rotation and is ignored",)


def _disagreement(sform: Affine, qform: Affine | None, shape: tuple[int, ...]) -> tuple[str, ...]:
    if qform is None or np.array_equal(sform, qform):
        return ()
    distance = float(np.abs((sform - qform) @ _corners(shape)).max())
    if not distance > AGREE_MM or not np.isfinite(distance):
        return ()
    return (
        f"qform ({_letters(qform)}) and sform ({_letters(sform)}) disagree by up to "
        f"{distance:.0f} mm; the sform is used",
    )


def _corners(shape: tuple[int, ...]) -> Affine:
    """Homogeneous voxel coordinates (4, 8) of the volume's corners."""
    ends = [(0.0, size - 1.0) for size in shape[:3]]
    corners = np.array([(i, j, k, 1.0) for i in ends[0] for j in ends[1] for k in ends[2]])
    return np.asarray(corners.T, dtype=np.float64)


def _letters(affine: Affine) -> str:
    return "".join(letter or "?" for letter in aff2axcodes(affine))
