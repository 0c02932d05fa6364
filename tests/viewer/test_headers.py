"""Headers are read without trust."""

from __future__ import annotations

from pathlib import Path

import nibabel as nib
import numpy as np
import pytest
from nibabel.nifti1 import Nifti1Image

from tests.viewer.images import SHAPE, affine, distinct, save, sequence
from viewer.errors import UnreadableFile
from viewer.headers import read_header, volume_shape
from viewer.volume import read_volume


def written(path: Path, made: Nifti1Image) -> Path:
    nib.save(made, path)
    return path


def test_a_header_tells_shape_spacing_and_place(tmp_path: Path) -> None:
    header = read_header(save(tmp_path / "x.nii.gz", order="PIR"))
    assert header.shape == (9, 11, 7)
    assert header.spacing_mm == pytest.approx((2.0, 3.0, 1.0))
    assert header.notes == () and header.compressed


def test_a_pair_needs_both_files(tmp_path: Path) -> None:
    nib.save(nib.Nifti1Pair(distinct(), affine()), tmp_path / "x.hdr")
    header = read_header(tmp_path / "x.hdr")
    assert header.data_path.name == "x.img" and volume_shape(header) == SHAPE
    np.testing.assert_array_equal(read_volume(sequence(tmp_path / "x.hdr")).array, distinct())
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


@pytest.mark.parametrize("order", "<>")
def test_nifti_2(tmp_path: Path, order: str) -> None:
    path = tmp_path / "x.nii.gz"
    header = nib.Nifti2Header(endianness=order)
    header.set_data_dtype(np.dtype(f"{order}i2"))
    nib.save(nib.Nifti2Image(distinct(), affine(), header), path)
    np.testing.assert_array_equal(read_volume(sequence(path)).array, distinct())


def test_a_header_without_its_mark_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "x.nii")
    content = bytearray(path.read_bytes())
    content[344:348] = b"abc\0"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="without its mark"):
        read_header(path)
