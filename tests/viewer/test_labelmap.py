"""Labels survive what writers do to them; what is no label map is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import pytest

from tests.viewer.images import SHAPE, affine, mask, save
from viewer.errors import UnreadableFile
from viewer.labelmap import read_labelmap


def labels(dtype: Any = np.uint8, values: tuple[float, ...] = (0, 1, 2, 3, 4)) -> Any:
    return np.resize(np.array(values), SHAPE).astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.float32, np.float64])
def test_every_stored_type_reads_alike(tmp_path: Path, dtype: Any) -> None:
    read = read_labelmap(mask(save(tmp_path / "seg.nii.gz", labels(dtype))))
    assert read.array.dtype == np.uint8
    assert read.array.flags.c_contiguous and not read.array.flags.writeable
    np.testing.assert_array_equal(read.array, labels())
    assert (read.scheme, read.source) == ("brats-2021", "seg.nii.gz")


def test_labels_under_a_scaled_integer_header_are_rounded(tmp_path: Path) -> None:
    """A float array under a uint16 header: 3 comes back as 2.9999847, 4 as 3.9999999."""
    image = nib.Nifti1Image(labels(np.float64), affine())
    image.set_data_dtype(np.uint16)
    nib.save(image, tmp_path / "seg.nii")
    stored = nib.load(tmp_path / "seg.nii").get_fdata()
    assert set(np.unique(stored.astype(int))) != {0, 1, 2, 3, 4}, "the trap is not set"
    read = read_labelmap(mask(tmp_path / "seg.nii"))
    np.testing.assert_array_equal(read.array, labels())


def test_a_slope_just_below_one_is_rounded(tmp_path: Path) -> None:
    image = nib.Nifti1Image(labels(np.int32), affine())
    image.header.set_slope_inter(0.99999997, 0)
    nib.save(image, tmp_path / "seg.nii")
    np.testing.assert_array_equal(read_labelmap(mask(tmp_path / "seg.nii")).array, labels())


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((0, 1, 2.4), r"non-integer values \(2.4\)"),
        ((0, np.nan, 1), r"non-integer values \(nan\)"),
        ((0, np.inf), "non-integer values"),
        ((0, -1, 2), r"outside 0 to 255 \(-1\)"),
        ((0, 300), r"outside 0 to 255 \(300\)"),
        (tuple(n + 0.5 for n in range(9)), r"0.5, 1.5, 2.5, 3.5, 4.5, 5.5, …"),
    ],
)
def test_no_label_map(tmp_path: Path, values: tuple[float, ...], said: str) -> None:
    path = save(tmp_path / "seg.nii.gz", labels(np.float32, values))
    with pytest.raises(UnreadableFile, match=rf"seg.nii.gz: label file has .*{said}"):
        read_labelmap(mask(path))


def test_a_brain_mask_is_cut_at_one_half(tmp_path: Path) -> None:
    path = save(tmp_path / "b.nii.gz", labels(np.float32, (0, 0.49, 0.51, 0.99999, 1.2)))
    read = read_labelmap(mask(path, "brain"))
    np.testing.assert_array_equal(read.array, labels(values=(0, 0, 1, 1, 1)))


def test_a_4d_label_map_is_refused(tmp_path: Path) -> None:
    nib.save(nib.Nifti1Image(np.zeros((4, 5, 6, 2), np.uint8), affine()), tmp_path / "s.nii")
    with pytest.raises(UnreadableFile, match="4-D file with 2 volumes"):
        read_labelmap(mask(tmp_path / "s.nii"))


def test_an_empty_mask_says_so(tmp_path: Path) -> None:
    read = read_labelmap(mask(save(tmp_path / "seg.nii", np.zeros(SHAPE, np.uint8))))
    assert read.notes == ("no voxel is labelled",)


@pytest.mark.cases
def test_real_masks_hold_their_labels(cases_dir: Path) -> None:
    for path in sorted(cases_dir.glob("brats2021/*/*_seg.nii.gz")):
        assert set(np.unique(read_labelmap(mask(path)).array)) <= {0, 1, 2, 4}
    brain = next(cases_dir.glob("ucsf-pdgm/*/*_brain_segmentation.nii.gz"))
    assert set(np.unique(read_labelmap(mask(brain, "brain")).array)) == {0, 1}
