"""The list of studies as rows of words and numbers, ready for the browser to show."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote

from viewer.study import Study, in_reading_order, shown_name

EXPECTED = ("T1", "T1c", "T2", "FLAIR")
"""What reading a glioma asks for; a row names which of them are missing."""


@dataclass(frozen=True)
class StudyRow:
    """One study as the list shows it.

    `name` is shown, `id` is what opens it. `questions` and `answers` count what
    is known about the study, None where nobody counted. `problems` are
    sentences. `picture` is the thumbnail's address, relative to the page.
    `yours` marks a study that only this session sees.
    """

    id: str
    name: str
    source: str
    sequences: tuple[str, ...]
    missing: tuple[str, ...]
    masks: tuple[str, ...]
    questions: int | None
    answers: int | None
    problems: tuple[str, ...]
    picture: str
    synthetic: bool
    yours: bool


def study_row(study: Study, questions: int | None = None, answers: int | None = None) -> StudyRow:
    """The row of a study; no file is opened."""
    names = in_reading_order([sequence.name for sequence in study.sequences])
    return StudyRow(
        id=study.id,
        name=shown_name(study.id),
        source=study.layout,
        sequences=tuple(names),
        missing=tuple(name for name in EXPECTED if name not in names),
        masks=tuple(mask.kind for mask in study.masks),
        questions=questions,
        answers=answers,
        problems=problem_sentences(study),
        picture=f"thumbnails/{quote(study.id, safe='')}.png",
        synthetic=study.synthetic,
        yours=study.session_folder is not None,
    )


def study_rows(
    studies: Sequence[Study],
    questions: Mapping[str, int] | None = None,
    answers: Mapping[str, int] | None = None,
) -> tuple[StudyRow, ...]:
    """A row a study; the mappings count by study id, None where nobody counted."""
    return tuple(
        study_row(
            study,
            None if questions is None else questions.get(study.id, 0),
            None if answers is None else answers.get(study.id, 0),
        )
        for study in studies
    )


def problem_sentences(study: Study) -> tuple[str, ...]:
    """What is to be mended about the study's files, a sentence each."""
    return tuple(f"{p.file}: {p.reason}" for p in study.problems if not p.by_rule)


def rows_json(rows: Sequence[StudyRow], **more: Any) -> str:
    """The rows, and whatever else the list needs to know, as the browser reads them."""
    return json.dumps({"rows": [asdict(row) for row in rows], **more})
