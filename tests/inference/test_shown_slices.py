"""Where the pictures of an ask lie in the patient: by header, for every representation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inference.picture_files import picture_json
from inference.pictures import PictureSettings
from inference.representations import REPRESENTATIONS, represent
from inference.shown_slices import recorded_slices, shown_slices, slices_of_record
from inference.study_views import view_of_study
from tests.inference.studies import SHAPE, affine, stored_study
from viewer.cache import ArrayCache
from viewer.catalogue import Catalogue
from viewer.planes import PLANES
from viewer.study import Study


def details_of(study: Study, representation: str) -> list[dict[str, Any]]:
    view = view_of_study(study, ArrayCache(2**24))
    pictures = represent(representation, view, PictureSettings(), max_pictures=5)
    return [picture_json(picture) for picture in pictures]


def indexes(study: Study, representation: str) -> set[tuple[str, str, float]]:
    """(sequence, plane, index) of what is shown, the index told back from the millimetres."""
    found = set()
    for one in shown_slices(study, "1", details_of(study, representation)).slices:
        axis = PLANES[one.plane].through
        grid = affine()
        found.add((one.sequence, one.plane, (one.mm[axis] - grid[axis, 3]) / grid[axis, axis]))
    return found


@pytest.mark.parametrize("order", ["RAS", "LPS", "PIR"])
def test_every_representation_is_found_again_in_the_patient(tmp_path: Path, order: str) -> None:
    study = stored_study(tmp_path, order)
    four = ("T1", "T1c", "T2", "FLAIR")
    largest = {"axial": 10.0, "coronal": 7.0, "sagittal": 14.0}
    assert indexes(study, "single-slice") == {("FLAIR", "axial", 10.0)}
    assert indexes(study, "multi-slice") == {(name, "axial", 10.0) for name in four}
    assert indexes(study, "montage") == indexes(study, "multi-slice")
    assert indexes(study, "multi-montage") == {
        (name, plane, index) for name in four for plane, index in largest.items()
    }
    volume = indexes(study, "volume")
    assert {(name, plane) for name, plane, _ in volume} == {("FLAIR", "axial")}
    assert len(volume) == 5
    for nothing in ("blank", "text-only"):
        assert indexes(study, nothing) == set(), REPRESENTATIONS[nothing].about


def test_the_middle_of_the_slice_is_meant(tmp_path: Path) -> None:
    (one,) = shown_slices(
        stored_study(tmp_path), "1", details_of(stored_study(tmp_path), "single-slice")
    ).slices
    x, y = (affine()[axis, 3] + affine()[axis, axis] * (SHAPE[axis] - 1) / 2 for axis in (0, 1))
    assert one.mm == pytest.approx((x, y, 7.0 + 3.0 * 10))


def test_pictures_of_another_study_are_not_looked_for_in_this_one(tmp_path: Path) -> None:
    study = stored_study(tmp_path)
    record = {
        "case": "S-1",
        "question_id": "1",
        "ablation": None,
        "picture_details": details_of(study, "multi-slice"),
    }
    assert len(slices_of_record(study, record).slices) == 4
    assert slices_of_record(study, {**record, "ablation": "wrong-study:S-2"}).slices == ()
    assert slices_of_record(study, {**record, "ablation": "without:T1"}).slices != ()
    find = Catalogue((study,), ()).study
    assert len(recorded_slices(find, record).slices) == 4
    assert recorded_slices(find, {**record, "case": "gone"}).slices == ()
    lean = replace(study, sequences=study.sequences[:1])
    assert [one.sequence for one in slices_of_record(lean, record).slices] == ["T1"]


def test_a_file_that_is_gone_leaves_its_slice_out(tmp_path: Path) -> None:
    study = stored_study(tmp_path)
    details = details_of(study, "multi-slice")
    study.sequences[0].path.unlink()
    shown = shown_slices(study, "7", details)
    assert [one.sequence for one in shown.slices] == ["T1c", "T2", "FLAIR"]
    assert json.loads(shown.to_json())[0]["plane"] == "axial"
