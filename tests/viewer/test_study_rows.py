"""What the list of studies says about each."""

from __future__ import annotations

import json
from pathlib import Path

from tests.viewer.images import SHAPE
from viewer.study import MaskFile, Problem, SequenceFile, Study, session_id, shown_name
from viewer.study_rows import rows_json, study_row, study_rows


def sequence(name: str) -> SequenceFile:
    return SequenceFile(name, Path(f"/data/{name}.nii"), SHAPE, (1.0, 1.0, 1.0))


STUDY = Study(
    "a/S 1",
    "UCSF-PDGM",
    Path("/data"),
    (sequence("FLAIR"), sequence("T1"), sequence("SWI")),
    (MaskFile("expert", Path("/data/seg.nii"), "ucsf-pdgm"),),
    (Problem("t2.nii", "empty"), Problem("T1_bias.nii", "bias-corrected", by_rule=True)),
)


def test_a_row_names_what_is_there_and_what_is_missing() -> None:
    row = study_row(STUDY, 3, 2)
    assert row.sequences == ("T1", "FLAIR", "SWI")
    assert row.missing == ("T1c", "T2")
    assert (row.source, row.masks, row.questions, row.answers) == ("UCSF-PDGM", ("expert",), 3, 2)
    assert row.picture == "thumbnails/a%2FS%201.png"


def test_what_a_layout_always_leaves_out_is_no_problem() -> None:
    assert study_row(STUDY).problems == ("t2.nii: empty",)


def test_uncounted_is_unknown_and_counted_is_a_number() -> None:
    assert study_rows([STUDY])[0].answers is None
    assert study_rows([STUDY], {}, {})[0].answers == 0


def test_a_study_of_one_session_is_shown_by_its_own_name() -> None:
    study = Study(session_id("mine"), "plain", Path("/x"), (), session_folder=Path("/x"))
    row = study_row(study)
    assert (row.name, row.yours) == ("mine", True)
    assert row.id != "mine" and shown_name(row.id) == "mine"
    assert shown_name("S~2") == "S~2"
    assert session_id("mine") != session_id("mine")


def test_the_browser_reads_one_document() -> None:
    document = json.loads(rows_json(study_rows([STUDY]), upload="token"))
    assert document["upload"] == "token"
    assert document["rows"][0]["missing"] == ["T1c", "T2"]
