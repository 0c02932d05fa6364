"""The catalogue as one JSON document, and as lines for people."""

from __future__ import annotations

from typing import Any

from viewer.catalogue import Catalogue
from viewer.layouts.table import LAYOUTS
from viewer.study import Problem, SequenceFile, Study, in_reading_order

LAYOUT_NAMES = (
    *dict.fromkeys(row.name for row in LAYOUTS if not row.synthetic),
    "plain folders (file names that hold t1, t1c, t2 or flair)",
)
"""What a user can lay studies out as."""


def cases_document(catalogue: Catalogue) -> dict[str, Any]:
    """`{"studies": [...], "problems": [...]}`."""
    return {
        "studies": [_study(study) for study in catalogue.studies],
        "problems": [_problem(problem) for problem in catalogue.problems],
    }


def cases_lines(catalogue: Catalogue) -> list[str]:
    """One line a study, then what could not be read."""
    lines = [
        f"{s.id}  {s.layout}  {' '.join(in_reading_order([q.name for q in s.sequences]))}  "
        f"masks: {' '.join(m.kind for m in s.masks) or 'none'}"
        for s in catalogue.studies
    ]
    if not lines:
        lines = [f"No study was found; what can be read: {', '.join(LAYOUT_NAMES)}."]
    problems = [*catalogue.problems, *(p for s in catalogue.studies for p in s.problems)]
    return lines + [f"skipped {problem.file}: {problem.reason}" for problem in problems]


def _study(study: Study) -> dict[str, Any]:
    names = in_reading_order([sequence.name for sequence in study.sequences])
    by_name = {sequence.name: sequence for sequence in study.sequences}
    return {
        "id": study.id,
        "layout": study.layout,
        "folder": str(study.folder),
        "synthetic": study.synthetic,
        "sequences": [_sequence(by_name[name]) for name in names],
        "masks": [
            {"kind": m.kind, "file": str(m.path), "scheme": m.scheme, "notes": list(m.notes)}
            for m in study.masks
        ],
        "problems": [_problem(problem) for problem in study.problems],
    }


def _sequence(sequence: SequenceFile) -> dict[str, Any]:
    return {
        "name": sequence.name,
        "file": str(sequence.path),
        "frame": sequence.frame,
        "shape": list(sequence.shape),
        "spacing_mm": list(sequence.spacing_mm),
        "notes": list(sequence.notes),
    }


def _problem(problem: Problem) -> dict[str, str]:
    return {"file": problem.file, "reason": problem.reason}
