"""A sequence that does not lie where the slices were chosen is not drawn, and that is said."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from inference.coverage import outside
from inference.errors import OutsideSequence
from inference.pictures import Crop, PictureSettings
from inference.preparation import AskSettings, Prepared, prepare
from inference.questions import Question
from inference.representations import REPRESENTATIONS, represent
from inference.study_views import StudyView, view_of_arrays
from tests.inference.studies import SPACING, affine, labelmap, volume, volumes
from viewer.errors import UserError

CROPS = get_args(Crop)
QUESTION = Question("q", "S-1", "Which side?", ("Left", "Right"), 0)
CHOSEN = 10
"""The axial slice of the largest area; there are 18 of 3 mm."""


def moved(*mm: float, name: str = "T2") -> StudyView:
    """A study whose `name` lies `mm` (x, y, z) away from where it was taken."""
    shifted = affine()
    shifted[:3, 3] += mm
    each = {**volumes(), name: replace(volume(name, 2), affine=shifted)}
    return view_of_arrays("S-1", each, labelmap())


def asked(view: StudyView, representation: str, settings: PictureSettings) -> Prepared:
    return prepare(view, QUESTION, (0, 1), representation, AskSettings(settings))


@pytest.mark.parametrize("crop", CROPS)
@pytest.mark.parametrize("away", [(0, 0, 100), (0, 0, -100), (300, 300, 300)])
@pytest.mark.parametrize("name", ["multi-slice", "montage"])
def test_a_sequence_elsewhere_is_left_out_with_a_note(
    name: str, away: tuple[float, float, float], crop: Crop
) -> None:
    ask = asked(moved(*away), name, PictureSettings(crop=crop, size=64))
    shown = [t.sequence for p in ask.pictures for t in p.tiles] or [
        p.sequence for p in ask.pictures
    ]
    assert shown == ["T1", "T1c", "FLAIR"]
    (note,) = ask.notes
    assert note.startswith("T2 is left out: the chosen axial slice lies ")
    assert note.endswith(" mm outside it")


def test_the_note_says_how_far_away() -> None:
    first_face = 100 - SPACING[2] * (CHOSEN + 0.5)
    (note,) = asked(moved(0, 0, 100), "multi-slice", PictureSettings()).notes
    assert f" {first_face:.3g} mm " in note


def test_it_is_left_out_only_of_the_planes_that_miss_it() -> None:
    ask = asked(moved(0, 0, 100), "multi-montage", PictureSettings())
    axial, *others = ([tile.sequence for tile in picture.tiles] for picture in ask.pictures)
    assert axial == ["T1", "T1c", "FLAIR"]
    assert others == [["T1", "T1c", "T2", "FLAIR"]] * 2
    assert len(ask.notes) == 1


@pytest.mark.parametrize("crop", CROPS)
@pytest.mark.parametrize("name", ["single-slice", "blank"])
def test_a_single_picture_of_it_is_refused(name: str, crop: Crop) -> None:
    settings = PictureSettings(sequence="T2", crop=crop)
    with pytest.raises(OutsideSequence, match=r"sequence T2 of study S-1 .* mm outside it"):
        represent(name, moved(0, 0, 100), settings)


@pytest.mark.parametrize("name", ["single-slice", "volume", "multi-slice"])
def test_a_crop_that_holds_nothing_of_it_is_refused_or_left_out(name: str) -> None:
    """200 mm to the side: the slice is there, the brain is not."""
    settings = PictureSettings(sequence="T2", crop="brain-200mm", size=64)
    away = moved(300, 0, 0)
    if name == "multi-slice":
        ask = asked(away, name, settings)
        assert ask.notes == (
            "T2 is left out: it shows nothing of the brain's middle 200 mm in the axial plane",
        )
    else:
        with pytest.raises(OutsideSequence, match="sequence T2 of study S-1"):
            represent(name, away, settings)
    assert len(asked(away, "multi-slice", replace(settings, crop="full")).pictures) == 4


def test_where_no_sequence_has_the_slice_the_ask_is_refused() -> None:
    """As it is when only the far sequence is to be shown."""
    alone = replace(moved(0, 0, 100), sequences=("T2",))
    with pytest.raises(OutsideSequence, match="found none: T2 is left out"):
        represent("montage", alone, PictureSettings())


@pytest.mark.parametrize("slices", [0, 1, 7, 8, 9, 10, 11, 12, -7, -8, 20])
def test_the_outermost_slice_is_the_last_that_counts(slices: int) -> None:
    """T2 lies `slices` slices higher, so that the chosen one is its slice 10 - `slices`."""
    view = moved(0, 0, slices * SPACING[2])
    inside = 0 <= CHOSEN - slices < 18
    assert (outside(view, view.volume("T2"), "axial", PictureSettings()) == "") == inside


@pytest.mark.parametrize("crop", CROPS)
@pytest.mark.parametrize("name", REPRESENTATIONS)
@pytest.mark.parametrize("away", np.linspace(-500, 500, 9))
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_wherever_a_sequence_lies_an_ask_is_drawn_or_refused_in_a_sentence(
    name: str, crop: Crop, away: float, axis: int
) -> None:
    mm = [0.0, 0.0, 0.0]
    mm[axis] = float(away)
    settings = PictureSettings(sequence="T2", crop=crop, size=32, volume_pictures=2)
    try:
        pictures = represent(name, moved(*mm), settings)
    except UserError as error:
        assert "T2" in str(error)
        return
    black = name == "blank"
    assert all(bool(picture.pixels.any()) != black for picture in pictures)
