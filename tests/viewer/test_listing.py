"""The catalogue as a document and as lines."""

from __future__ import annotations

from pathlib import Path

from viewer.catalogue import Catalogue
from viewer.listing import cases_document, cases_lines
from viewer.study import MaskFile, Problem, SequenceFile, Study

STUDY = Study(
    "S-1",
    "plain",
    Path("/data/S-1"),
    (
        SequenceFile("FLAIR", Path("/data/S-1/flair.nii"), (4, 5, 6), (1.0, 2.0, 3.0)),
        SequenceFile("T1", Path("/data/S-1/t1.nii"), (4, 5, 6), (1.0, 1.0, 1.0), 2, ("odd",)),
    ),
    (MaskFile("expert", Path("/data/S-1/seg.nii"), "brats-2021"),),
    (Problem("t2.nii", "empty"),),
)
CATALOGUE = Catalogue((STUDY,), (Problem("/data/x", "not an image"),))


def test_the_document_has_every_field_in_reading_order() -> None:
    document = cases_document(CATALOGUE)
    (study,) = document["studies"]
    assert [sequence["name"] for sequence in study["sequences"]] == ["T1", "FLAIR"]
    assert study["sequences"][0] == {
        "name": "T1",
        "file": "/data/S-1/t1.nii",
        "frame": 2,
        "shape": [4, 5, 6],
        "spacing_mm": [1.0, 1.0, 1.0],
        "notes": ["odd"],
    }
    assert study["masks"][0]["scheme"] == "brats-2021"
    assert study["problems"] == [{"file": "t2.nii", "reason": "empty"}]
    assert document["problems"] == [{"file": "/data/x", "reason": "not an image"}]


def test_the_lines_name_what_was_skipped() -> None:
    lines = cases_lines(CATALOGUE)
    assert lines[0].split() == ["S-1", "plain", "T1", "FLAIR", "masks:", "expert"]
    assert lines[1:] == ["skipped /data/x: not an image", "skipped t2.nii: empty"]
