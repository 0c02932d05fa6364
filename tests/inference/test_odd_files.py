"""Odd files as the only sequence of a study: a picture in words or pixels, never a traceback."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from inference.errors import MissingSequence
from inference.pictures import Picture, PictureSettings
from inference.representations import represent
from inference.study_views import view_of_study
from viewer.cache import ArrayCache
from viewer.study import SequenceFile, Study

SETTINGS = (
    PictureSettings(),
    PictureSettings(crop="brain-200mm", size=64, window_rule="min-max", edge_letters=True),
)
OPENS = (
    "nibabel/anatomical.nii",
    "nibabel/standard.nii.gz",
    "nibabel/resampled_anat_moved.nii",
    "nitest-balls1/fieldmap.nii.gz",
    "nitest-balls1/T1.nii.gz",
    "derived/multimember_flair.nii.gz",
    "derived/nan_background_flair.nii.gz",
    "derived/one_inf_flair.nii.gz",
    "derived/all_zero_flair.nii.gz",
    "derived/trailing_singleton_4d_flair.nii.gz",
    "derived/qform_flipped_vs_sform_flair.nii.gz",
)
REFUSED = (
    "nibabel/example4d.nii.gz",
    "derived/truncated_flair.nii.gz",
    "derived/empty.nii.gz",
    "derived/lfs_pointer_flair.nii.gz",
)


def study_of(path: Path) -> Study:
    file = SequenceFile("FLAIR", path, (1, 1, 1), (1.0, 1.0, 1.0))
    return Study(path.stem, "plain", path.parent, (file,))


def every_picture(path: Path) -> list[Picture]:
    view = view_of_study(study_of(path), ArrayCache(10**8))
    return [
        picture
        for settings in SETTINGS
        for name in ("single-slice", "montage", "multi-montage", "volume", "blank")
        for picture in represent(name, view, settings, 4)
    ]


@pytest.mark.parametrize("name", OPENS)
def test_what_opens_is_drawn_without_a_warning(odd_dir: Path, name: str) -> None:
    for picture in every_picture(odd_dir / name):
        assert picture.pixels.dtype == np.uint8
        assert min(picture.height, picture.width) > 0


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_by_name(odd_dir: Path, name: str) -> None:
    with pytest.raises(MissingSequence, match=Path(name).name.split(".")[0]):
        every_picture(odd_dir / name)


def test_an_infinite_voxel_changes_no_other_pixel(odd_dir: Path) -> None:
    files = ("multimember_flair.nii.gz", "one_inf_flair.nii.gz")
    for plain, odd in zip(*(every_picture(odd_dir / "derived" / f) for f in files), strict=True):
        different = np.abs(plain.pixels.astype(int) - odd.pixels) > 1
        assert np.count_nonzero(different.any(axis=2)) <= 9


def test_an_empty_volume_is_black(odd_dir: Path) -> None:
    view = view_of_study(study_of(odd_dir / "derived/all_zero_flair.nii.gz"), ArrayCache(10**8))
    (picture,) = represent("single-slice", view, PictureSettings())
    assert not picture.pixels.any()
