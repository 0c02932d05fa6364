"""The browser's copy of a volume keeps place and values."""

from __future__ import annotations

from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from tests.viewer.images import affine, save
from viewer.arrays import LabelMap, Volume
from viewer.copies import browser_copy, label_copy
from viewer.study import SequenceFile
from viewer.volume import read_volume
from viewer.windows import display_window


def opened(copy: bytes) -> nib.Nifti1Image:
    return nib.Nifti1Image.from_bytes(copy)


def volume_of(array: np.ndarray) -> Volume:
    return Volume("T1", array.astype(np.float32), affine(), Path("t1.nii.gz"))


def test_the_copy_lies_where_the_volume_lies() -> None:
    image = opened(browser_copy(volume_of(np.arange(24).reshape(2, 3, 4))))
    assert image.get_data_dtype() == np.uint8
    assert image.shape == (2, 3, 4)
    np.testing.assert_allclose(image.affine, affine(), atol=1e-5)


def test_bytes_turn_back_into_source_units() -> None:
    array = np.random.default_rng(0).uniform(1, 1000, (9, 8, 7)).astype(np.float32)
    volume = volume_of(array)
    image = opened(browser_copy(volume))
    shown = display_window(volume)
    step = image.dataobj.slope
    inside = (array >= shown.low) & (array <= shown.high)
    error = np.abs(image.get_fdata() - array)[inside]
    assert error.max() <= 0.5 * step * 1.001
    assert image.header["cal_min"] == pytest.approx(shown.low)
    assert image.header["cal_max"] == pytest.approx(shown.high)


def test_values_above_the_window_can_still_be_told_apart() -> None:
    array = np.full((10, 10, 10), 100.0)
    array[0, 0, :2] = 1.0
    array[1] = np.linspace(50, 150, 100).reshape(10, 10)
    array[0, 1, 0], array[0, 1, 1] = 180.0, 170.0
    values = opened(browser_copy(volume_of(array))).get_fdata()
    assert values[0, 1, 0] > values[0, 1, 1] > values[1, 9, 9]


def test_voxels_that_are_no_number_change_no_other_voxel() -> None:
    array = np.random.default_rng(1).uniform(1, 9, (5, 6, 7)).astype(np.float32)
    clean = opened(browser_copy(volume_of(array)))
    array[0, 0, 0], array[1, 1, 1] = np.nan, np.inf
    odd = opened(browser_copy(volume_of(array)))
    difference = np.abs(clean.get_fdata() - odd.get_fdata())
    difference[0, 0, 0] = difference[1, 1, 1] = 0
    assert difference.max() < 0.1


@pytest.mark.parametrize("value", [0.0, 37.0, -3.0])
def test_a_constant_volume_is_black(value: float) -> None:
    assert not np.asarray(
        opened(browser_copy(volume_of(np.full((3, 4, 5), value)))).dataobj.get_unscaled()
    ).any()


def test_labels_are_copied_as_they_are() -> None:
    array = np.array([0, 1, 2, 4], np.uint8).reshape(2, 2, 1)
    image = opened(label_copy(LabelMap(array, affine(), "brats-2021", "seg.nii.gz")))
    np.testing.assert_array_equal(image.get_fdata(), array)


def test_however_the_axes_are_stored_the_copy_is_the_same(tmp_path: Path) -> None:
    copies = set()
    for order in ("RAS", "LPS", "LAS", "PIR", "SLA"):
        path = save(tmp_path / f"{order}.nii.gz", order=order)
        copies.add(browser_copy(read_volume(SequenceFile("T1", path, (1, 1, 1), (1, 1, 1)))))
    assert len(copies) == 1
