"""What comes out of a file, and what is refused in words."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.viewer.images import SHAPE, affine, distinct, save, sequence
from viewer.errors import UnreadableFile
from viewer.volume import read_volume


def stack(path: Path, volumes: int, dtype: Any = np.int16) -> Path:
    data = np.stack([distinct() + 1000 * n for n in range(volumes)], axis=3).astype(dtype)
    nib.save(nib.Nifti1Image(data, affine()), path)
    return path


def test_a_volume_is_float32_and_read_only(tmp_path: Path) -> None:
    volume = read_volume(sequence(save(tmp_path / "t1.nii.gz"), "T1"))
    assert (volume.name, volume.path.name, volume.notes) == ("T1", "t1.nii.gz", ())
    assert volume.array.dtype == np.float32 and volume.array.flags.c_contiguous
    assert not volume.array.flags.writeable
    assert volume.spacing_mm == (1.0, 2.0, 3.0)
    np.testing.assert_array_equal(volume.array, distinct())


@pytest.mark.parametrize("dtype", [">i2", "<i2", ">f4", "u1", ">f8", "i4"])
def test_byte_orders_and_types(tmp_path: Path, dtype: str) -> None:
    order = ">" if dtype.startswith(">") else "<"
    header = nib.Nifti1Header(endianness=order)
    header.set_data_dtype(np.dtype(dtype))
    data = distinct((4, 5, 6)).astype(dtype)
    nib.save(nib.Nifti1Image(data, affine(), header), tmp_path / "x.nii")
    np.testing.assert_array_equal(read_volume(sequence(tmp_path / "x.nii")).array, data)


def test_slope_and_intercept(tmp_path: Path) -> None:
    image = nib.Nifti1Image(distinct(), affine())
    image.header.set_slope_inter(0.5, -100)
    nib.save(image, tmp_path / "x.nii.gz")
    array = read_volume(sequence(tmp_path / "x.nii.gz")).array
    np.testing.assert_allclose(array, distinct() * 0.5 - 100)


@pytest.mark.parametrize("ending", [(1,), (1, 1)])
def test_trailing_singletons_are_dropped(tmp_path: Path, ending: tuple[int, ...]) -> None:
    image = nib.Nifti1Image(distinct().reshape(SHAPE + ending), affine())
    nib.save(image, tmp_path / "x.nii.gz")
    volume = read_volume(sequence(tmp_path / "x.nii.gz"))
    np.testing.assert_array_equal(volume.array, distinct())
    assert volume.notes == (f"stored as {3 + len(ending)}-D with one volume, read as 3-D",)


def test_a_4d_file_is_refused_unless_a_frame_is_named(tmp_path: Path) -> None:
    path = stack(tmp_path / "x.nii.gz", 5)
    with pytest.raises(UnreadableFile, match="4-D file with 5 volumes; expected one 3-D sequence"):
        read_volume(sequence(path))
    array = read_volume(sequence(path, frame=3)).array
    np.testing.assert_array_equal(array, distinct() + 3000)
    with pytest.raises(UnreadableFile, match="expected volume 5"):
        read_volume(sequence(path, frame=5))


def test_a_frame_of_a_3d_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected volume 0 of a 4-D file"):
        read_volume(sequence(save(tmp_path / "x.nii"), frame=0))


def test_broken_voxels_are_counted_and_kept(tmp_path: Path) -> None:
    array = distinct(dtype=np.float32)
    array[0, 0, :3] = np.nan
    array[1, 0, :2] = np.inf, -np.inf
    volume = read_volume(sequence(save(tmp_path / "x.nii.gz", array)))
    np.testing.assert_array_equal(volume.array, array)
    assert volume.notes == ("3 NaN voxels", "2 infinite voxels")


def test_a_constant_volume_says_so(tmp_path: Path) -> None:
    path = save(tmp_path / "x.nii.gz", np.full(SHAPE, 37, np.int16))
    assert read_volume(sequence(path)).notes == ("constant: every voxel is 37",)


def test_doubles_beyond_float32_become_infinite(tmp_path: Path) -> None:
    array = distinct(dtype=np.float64)
    array[0, 0, 0] = 1e300
    volume = read_volume(sequence(save(tmp_path / "x.nii.gz", array)))
    assert volume.notes == ("1 infinite voxels",)


@pytest.mark.parametrize("cut", [20, 400, -9, -4])
@pytest.mark.parametrize("name", ["x.nii", "x.nii.gz"])
def test_a_file_cut_short_is_refused(tmp_path: Path, name: str, cut: int) -> None:
    path = save(tmp_path / name)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(UnreadableFile, match=f"^{name}: "):
        read_volume(sequence(path))


def test_a_flipped_bit_fails_the_checksum(tmp_path: Path) -> None:
    path = save(tmp_path / "x.nii")
    packed = bytearray(gzip.compress(path.read_bytes(), compresslevel=0))
    packed[-20] ^= 1  # a stored block: inflates without complaint
    (tmp_path / "x.nii.gz").write_bytes(packed)
    with pytest.raises(UnreadableFile, match="CRC"):
        read_volume(sequence(tmp_path / "x.nii.gz"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("fuzz") / "plain.nii")


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    changes=st.lists(st.tuples(st.integers(0, 351), st.integers(0, 255)), max_size=6),
    packed=st.booleans(),
)
def test_a_broken_header_never_gives_a_traceback(
    plain: Path, changes: list[tuple[int, int]], packed: bool
) -> None:
    content = bytearray(plain.read_bytes())
    for place, value in changes:
        content[place] = value
    path = plain.with_name("broken.nii.gz" if packed else "broken.nii")
    path.write_bytes(gzip.compress(bytes(content), 1) if packed else bytes(content))
    try:
        assert read_volume(sequence(path)).array.ndim == 3
    except UnreadableFile as refused:
        assert str(refused).startswith(path.name)
