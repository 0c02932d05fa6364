from __future__ import annotations

import pytest

from inference.matching import counts_about, questions_about, study_key
from inference.questions import Question


@pytest.mark.parametrize(
    ("assigned", "study"),
    [
        ("UCSF-PDGM-004", "UCSF-PDGM-0004"),
        ("UCSF-PDGM-0004", "UCSF-PDGM-0004_nifti"),
        ("ucsf-pdgm-0433_fu007d", "UCSF-PDGM-0433_FU007d"),
        ("BraTS2021_01479", "BraTS2021_01479_2mm"),
        ("BraTS2021_01479", "BraTS2021_01479~2"),
        ("BraTS2021_01479", "BraTS2021_01479~0123456789abcdef01234567"),
        (" DEMO-0001 ", "DEMO-0001"),
    ],
)
def test_two_spellings_of_one_study(assigned: str, study: str) -> None:
    assert study_key(assigned) == study_key(study)


@pytest.mark.parametrize(
    ("assigned", "study"),
    [
        ("UCSF-PDGM-0433", "UCSF-PDGM-0433_FU007d"),
        ("UCSF-PDGM-004", "UCSF-PDGM-0040"),
        ("BraTS2021_01479", "BraTS2021_01478"),
        ("BraTS20_Training_001", "BraTS20_Training_010"),
    ],
)
def test_two_studies(assigned: str, study: str) -> None:
    assert study_key(assigned) != study_key(study)


def test_questions_keep_their_order() -> None:
    questions = [Question(str(n), f"UCSF-PDGM-{n % 2:03d}", "?", ("a", "b"), 0) for n in range(6)]
    assert [q.id for q in questions_about("UCSF-PDGM-0001", questions)] == ["1", "3", "5"]


def test_questions_are_counted_as_they_are_listed() -> None:
    questions = [Question(str(n), f"UCSF-PDGM-{n % 2:03d}", "?", ("a", "b"), 0) for n in range(5)]
    ids = ["UCSF-PDGM-0001", "UCSF-PDGM-0000_nifti", "other"]
    listed = {study_id: len(questions_about(study_id, questions)) for study_id in ids}
    assert counts_about(ids, questions) == listed == {ids[0]: 2, ids[1]: 3, ids[2]: 0}
