"""What a header claims of its voxels is checked before any memory is taken."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest
from nibabel.nifti1 import Nifti1Image

from tests.viewer.images import SHAPE, affine, distinct, save, sequence
from viewer.errors import UnreadableFile
from viewer.headers import read_header
from viewer.volume import read_volume


def written(path: Path, made: Nifti1Image) -> Path:
    nib.save(made, path)
    return path


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


def test_colour_is_refused(tmp_path: Path) -> None:
    colour = np.zeros(SHAPE, dtype=[("R", "u1"), ("G", "u1"), ("B", "u1")])
    path = written(tmp_path / "x.nii", nib.Nifti1Image(colour, affine()))
    with pytest.raises(UnreadableFile, match="one real number a voxel"):
        read_header(path)


def test_voxels_without_a_place_follow_the_header(tmp_path: Path) -> None:
    path = save(tmp_path / "x.nii")
    content = bytearray(path.read_bytes())
    content[108:112] = bytes(4)
    path.write_bytes(content)
    np.testing.assert_array_equal(read_volume(sequence(path)).array, distinct())


@pytest.mark.parametrize("offset", [np.inf, np.nan, 1e30, 1e6])
def test_voxels_outside_the_file_are_refused(tmp_path: Path, offset: float) -> None:
    path = save(tmp_path / "x.nii")
    content = bytearray(path.read_bytes())
    content[108:112] = np.float32(offset).tobytes()
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="places them at byte"):
        read_header(path)
