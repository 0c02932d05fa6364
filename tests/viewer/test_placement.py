"""Where voxels lie is the sform's word, then the qform's; a disagreement is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import pytest
from nibabel.nifti1 import Nifti1Image

from tests.viewer.images import affine, distinct
from viewer.errors import UnreadableFile
from viewer.headers import read_header

LPS = np.diag([-1.0, -2.0, 3.0, 1.0])


def image(**codes: Any) -> Nifti1Image:
    made = nib.Nifti1Image(distinct(), affine())
    made.set_sform(codes.get("sform", affine()), code=codes.get("sform_code", 1))
    made.set_qform(codes.get("qform", affine()), code=codes.get("qform_code", 1))
    return made


def written(path: Path, made: Nifti1Image) -> Path:
    nib.save(made, path)
    return path


def test_disagreeing_forms_are_named_and_the_sform_is_used(tmp_path: Path) -> None:
    header = read_header(written(tmp_path / "x.nii", image(qform=LPS)))
    np.testing.assert_allclose(header.affine, affine())
    assert len(header.notes) == 1
    assert "qform (LPS) and sform (RAS) disagree" in header.notes[0]
    assert "the sform is used" in header.notes[0]


def test_codes_may_differ_where_affines_agree(tmp_path: Path) -> None:
    made = image(sform_code=2, qform_code=1)
    assert read_header(written(tmp_path / "x.nii", made)).notes == ()


def test_only_a_coded_form_counts(tmp_path: Path) -> None:
    made = image(sform=LPS, sform_code=0, qform_code=1)
    header = read_header(written(tmp_path / "x.nii", made))
    np.testing.assert_allclose(header.affine, affine(), atol=1e-6)
    assert header.notes == ()


def test_without_a_form_sides_are_not_certain(tmp_path: Path) -> None:
    made = image(sform_code=0, qform_code=0)
    (note,) = read_header(written(tmp_path / "x.nii", made)).notes
    assert "left and right follow the NIfTI default and are not certain" in note


def test_an_affine_that_places_nothing_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x.nii", image())
    content = bytearray(path.read_bytes())
    content[280:328] = bytes(48)  # srow_x, srow_y, srow_z
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="singular or non-finite"):
        read_header(path)


def test_a_qform_with_qfac_0_is_read_as_with_1(tmp_path: Path) -> None:
    """The NIfTI standard's word on pixdim[0] = 0."""
    path = written(tmp_path / "x.nii", image(sform_code=0, qform_code=1))
    content = bytearray(path.read_bytes())
    content[76:80] = bytes(4)  # pixdim[0]
    path.write_bytes(content)
    header = read_header(path)
    np.testing.assert_allclose(header.affine, affine(), atol=1e-6)
    assert header.notes == ()
