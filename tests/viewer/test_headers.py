"""Headers are read without trust and before any memory is taken."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import pytest
from nibabel.nifti1 import Nifti1Image

from tests.viewer.images import SHAPE, affine, distinct, save
from viewer.errors import UnreadableFile
from viewer.headers import read_header, volume_shape

LPS = np.diag([-1.0, -2.0, 3.0, 1.0])


def image(**codes: Any) -> Nifti1Image:
    made = nib.Nifti1Image(distinct(), affine())
    made.set_sform(codes.get("sform", affine()), code=codes.get("sform_code", 1))
    made.set_qform(codes.get("qform", affine()), code=codes.get("qform_code", 1))
    return made


def written(path: Path, made: Nifti1Image) -> Path:
    nib.save(made, path)
    return path


def test_a_header_tells_shape_spacing_and_place(tmp_path: Path) -> None:
    header = read_header(save(tmp_path / "x.nii.gz", order="PIR"))
    assert header.shape == (9, 11, 7)
    assert header.spacing_mm == pytest.approx((2.0, 3.0, 1.0))
    assert header.notes == () and header.compressed


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


def test_absurd_sizes_are_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = save(tmp_path / "x.nii")
    content = bytearray(path.read_bytes())
    content[42:48] = b"\xff\x7f" * 3  # dim[1..3] = 32767: 70 TB
    path.write_bytes(content)
    tracemalloc.start()
    with pytest.raises(UnreadableFile, match="claims 35181150961663 voxels"):
        read_header(path)
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()


@pytest.mark.parametrize("name", ["x.nii", "x.nii.gz"])
def test_more_voxels_than_the_file_can_hold_are_refused(tmp_path: Path, name: str) -> None:
    made = nib.Nifti1Image(distinct(), affine())
    path = written(tmp_path / "x.nii", made)
    content = bytearray(path.read_bytes())
    content[42:48] = b"\x80\x01" * 3  # 384 x 384 x 384
    packed = gzip.compress(bytes(content)) if name.endswith("gz") else bytes(content)
    (tmp_path / name).write_bytes(packed)
    with pytest.raises(UnreadableFile, match="truncated, the header claims 113246208 bytes"):
        read_header(tmp_path / name)


def test_a_pair_needs_both_files(tmp_path: Path) -> None:
    nib.save(nib.Nifti1Pair(distinct(), affine()), tmp_path / "x.hdr")
    header = read_header(tmp_path / "x.hdr")
    assert header.data_path.name == "x.img" and volume_shape(header) == SHAPE
    (tmp_path / "x.img").unlink()
    with pytest.raises(UnreadableFile, match=r"expected x\.img beside it"):
        read_header(tmp_path / "x.hdr")


def test_analyze_is_refused_since_it_has_no_sides(tmp_path: Path) -> None:
    nib.save(nib.AnalyzeImage(distinct(), affine()), tmp_path / "x.hdr")
    with pytest.raises(UnreadableFile, match="does not say left from right"):
        read_header(tmp_path / "x.hdr")


@pytest.mark.parametrize("rank", [1, 2])
def test_fewer_than_three_axes_are_refused(tmp_path: Path, rank: int) -> None:
    path = written(tmp_path / "x.nii", nib.Nifti1Image(distinct(SHAPE[:rank]), affine()))
    with pytest.raises(UnreadableFile, match=f"got {rank}-D data"):
        read_header(path)


def test_colour_is_refused(tmp_path: Path) -> None:
    colour = np.zeros(SHAPE, dtype=[("R", "u1"), ("G", "u1"), ("B", "u1")])
    path = written(tmp_path / "x.nii", nib.Nifti1Image(colour, affine()))
    with pytest.raises(UnreadableFile, match="one real number a voxel"):
        read_header(path)


def test_nifti_2(tmp_path: Path) -> None:
    path = tmp_path / "x.nii.gz"
    nib.save(nib.Nifti2Image(distinct(), affine()), path)
    assert read_header(path).shape == SHAPE
