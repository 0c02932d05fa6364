"""The brain's box and its own midline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.viewer.images import affine, mask, sequence
from viewer.arrays import Volume
from viewer.brain import brain_box, brain_mask, midline_index
from viewer.errors import NoBrain
from viewer.labelmap import read_labelmap
from viewer.volume import read_volume

BOX = (slice(2, 7), slice(1, 9), slice(3, 5))
SOURCES = [
    ("BraTS2021_01476", 30.8),
    ("BraTS2021_01477", 32.0),
    ("BraTS2021_01478", -23.9),
    ("BraTS2021_01479", 15.4),
    ("BraTS2021_01480", -28.8),
]
"""Centroid of the whole tumor right (+) or left (-) of the brain's, in mm."""


def head(background: float) -> Volume:
    array = np.full((10, 12, 8), background, dtype=np.float32)
    array[BOX] = np.arange(1, 81).reshape(5, 8, 2)
    return Volume("T1", array, affine(), Path("t1.nii"))


@pytest.mark.parametrize("background", [0.0, np.nan, -1.7, -np.inf])
def test_the_background_is_one_value(background: float) -> None:
    assert brain_box(head(background)) == BOX
    assert brain_mask(head(background)).sum() == 80


def test_the_midline_is_the_brains_own() -> None:
    assert midline_index(brain_mask(head(0.0))) == pytest.approx(4.0)


@pytest.mark.parametrize("value", [0.0, 37.0, np.nan])
def test_no_brain_no_midline(value: float) -> None:
    flat = Volume("T1", np.full((4, 4, 4), value, np.float32), affine(), Path("t1.nii"))
    with pytest.raises(NoBrain, match=r"t1\.nii"):
        brain_box(flat)
    with pytest.raises(NoBrain, match="left from right"):
        midline_index(brain_mask(flat))


@pytest.mark.cases
@pytest.mark.parametrize(("study", "dx_mm"), SOURCES)
def test_the_side_of_real_tumors(cases_dir: Path, study: str, dx_mm: float) -> None:
    stem = cases_dir / "brats2021" / study / study
    volume = read_volume(sequence(Path(f"{stem}_flair.nii.gz")))
    tumor = read_labelmap(mask(Path(f"{stem}_seg.nii.gz"))).array > 0
    away = midline_index(tumor) - midline_index(brain_mask(volume))
    assert away * volume.spacing_mm[0] == pytest.approx(dx_mm, abs=0.06)
