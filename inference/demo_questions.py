"""The demo studies' questions, made from what is true of them.

They are written in the benchmark's own layout and read back by the same code
as any question file. Unlike there, the right option stands anywhere in the
original order too.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

from inference.orders import Order, shuffled_order
from inference.question_kinds import KINDS, Choice
from viewer.synthesis.facts import LesionFacts
from viewer.written import whole_file

MOST = 10
"""Questions of one study, in the order of the kinds' table."""

COLUMNS = ("qa_id", "Assigned ID", "Question", "Answer", "Shuffled Question")
ORIGINAL_SEED, SHUFFLED_SEED = 1, 2
FILE_NAME = "questions.csv"


def write_demo_questions(root: Path, study_ids: Sequence[str]) -> Path:
    """`questions.csv` in `root` about the studies in its folders, from their `facts.json`.

    The same facts give the same bytes; an equal file is left alone.
    """
    rows = [row for study_id in study_ids for row in demo_rows(study_id, _facts(root / study_id))]
    target = root / FILE_NAME
    text = _as_csv(rows)
    if not target.is_file() or target.read_text(encoding="utf-8") != text:
        with whole_file(target) as fresh:
            fresh.write_text(text, encoding="utf-8", newline="")
    return target


def demo_rows(study_id: str, facts: LesionFacts) -> list[dict[str, str]]:
    """The study's questions as rows of the benchmark's CSV."""
    asked = [(kind, kind.choose(facts, Random(f"{study_id}/{kind.name}"))) for kind in KINDS]
    usable = [(kind, choice) for kind, choice in asked if choice is not None][:MOST]
    return [_row(study_id, kind.name, kind.stems[0], choice) for kind, choice in usable]


def _row(study_id: str, kind: str, stem: str, choice: Choice) -> dict[str, str]:
    key, n = f"{study_id}-{kind}", len(choice.options)
    return {
        "qa_id": key,
        "Assigned ID": study_id,
        "Question": _question(stem, choice, shuffled_order(n, ORIGINAL_SEED, key)),
        "Answer": choice.options[choice.truth],
        "Shuffled Question": _question(stem, choice, shuffled_order(n, SHUFFLED_SEED, key)),
    }


def _question(stem: str, choice: Choice, order: Order) -> str:
    lines = [f"{place}) {choice.options[index]}" for place, index in enumerate(order, start=1)]
    return "\n".join([stem, *lines])


def _facts(folder: Path) -> LesionFacts:
    return LesionFacts.from_json(json.loads((folder / "facts.json").read_text(encoding="utf-8")))


def _as_csv(rows: Sequence[dict[str, str]]) -> str:
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
