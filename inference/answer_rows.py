"""One row of a file of answers that were made elsewhere, for each known layout.

A layout is a row of `LAYOUTS`: the columns that it must have, where the reply
stands, and how the row's question reads as one of a question file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inference.exported_rows import NOT_EXPORTED, Exported, exported_of
from inference.option_lists import options_of
from inference.question_rows import LAYOUTS as QUESTION_LAYOUTS
from inference.question_rows import LETTERS, Row
from inference.questions import Question
from viewer.printable import whole_characters

CASE = ("case", "Assigned ID", "study", "study_id")
ID = ("question_id", "qa_id", "id", "index")
STEM = ("question", "Question")
KIT_FAILED = "Failed to obtain answer via API"
"""What VLMEvalKit keeps in the place of a reply that never came (`vlmeval/api/base.py`)."""

REPLY = ("predicted_answer", "prediction", "response", "reply", "model_answer", "output")


@dataclass(frozen=True)
class Given:
    """A reply and what the row says of its question; `question` where the row holds it whole.

    `place` is the question's number (from 0) in the file that was asked, and
    `prompt` what was asked, where the row says so. `failed` is a row that says
    that its ask failed: no answer of the model's. `exported` is what only a
    table exported from here says.
    """

    text: str
    case: str
    question_id: str
    stem: str
    question: Question | None
    model: str
    representation: str
    ordering: str
    place: int | None = None
    prompt: str = ""
    failed: bool = False
    exported: Exported = NOT_EXPORTED


@dataclass(frozen=True)
class AnswerLayout:
    """`reply(row)` is the raw text, `asked(row)` the row as a question file has it.

    `exported(row)` is what only a table exported from here says.
    """

    name: str
    fits: Callable[[Row], bool]
    reply: Callable[[Row], Any]
    asked: Callable[[Row], Row]
    exported: Callable[[Row], Exported] = lambda row: NOT_EXPORTED


def given_of(row: Row, layout: AnswerLayout, number: int) -> Given:
    """The row under that layout; `number` counts rows from 1."""
    asked = layout.asked(row)
    reply = layout.reply(row)
    return Given(
        text="" if reply is None else str(reply),
        case=_first(asked, CASE),
        question_id=_first(asked, ID),
        stem=_first(asked, STEM),
        question=_question(asked, number),
        model=_first(row, ("model",)),
        representation=_first(row, ("representation",)),
        ordering=_first(row, ("ordering", "order")),
        place=_place(row),
        prompt=row["input"] if isinstance(row.get("input"), str) else "",
        failed=row.get("success") is False or KIT_FAILED in str(reply),
        exported=layout.exported(row),
    )


def layout_of(row: Row) -> AnswerLayout | None:
    """The first layout that the row fits."""
    return next((layout for layout in LAYOUTS if layout.fits(row)), None)


def _question(asked: Row, number: int) -> Question | None:
    """The row's own question where it names a case and holds the options."""
    for layout in QUESTION_LAYOUTS:
        if set(layout.required) <= set(asked):
            question = layout.read(asked, number)
            return question if question.study_id and len(question.options) > 1 else None
    return None


def _has(*columns: str) -> Callable[[Row], bool]:
    return lambda row: all(column in row for column in columns)


def _has_any(columns: tuple[str, ...]) -> Callable[[Row], bool]:
    return lambda row: any(column in row for column in columns)


def _first(row: Row, columns: tuple[str, ...]) -> str:
    values = (row[column] for column in columns if row.get(column) not in (None, ""))
    return whole_characters(str(next(values, ""))).strip()


def _reply(row: Row) -> Any:
    return next((row[column] for column in REPLY if column in row), None)


def _first_response(row: Row) -> Any:
    """lmms-eval keeps replies in lists of lists, one a request and sample; raw before filtered."""
    value: Any = row.get("resps") or row.get("filtered_resps")
    while isinstance(value, list):
        value = value[0] if value else None
    return value


def _place(row: Row) -> int | None:
    """lmms-eval's number of the row in the data set."""
    found = str(row.get("doc_id", ""))
    return int(found) if found.isdecimal() else None


def _kit_question(row: Row) -> Row:
    """VLMEvalKit has one column for each option; a hint of its own is read before the question."""
    options = [row[letter] for letter in LETTERS if not _is_empty(row.get(letter))]
    stem, hint = _first(row, STEM), row.get("hint")
    if not _is_empty(hint):
        stem = f"{hint}\n{stem}"
    named = {"case": _first(row, CASE), "id": _first(row, ID), "question": stem}
    return {**named, "options": options, "answer": row.get("answer"),
            "category": row.get("category")}  # fmt: skip


def _is_empty(cell: Any) -> bool:
    """Whether a table's cell holds nothing; pandas writes a missing one as nan."""
    return cell is None or str(cell).strip().casefold() in {"", "nan"}


def _own_question(row: Row) -> Row:
    """A table that `export` wrote."""
    return {
        "case": row["case"],
        "id": row["question_id"],
        "question": row["question"],
        "options": list(options_of(str(row["options"]))),
        "answer": row["truth"],
        "category": row.get("category"),
    }


def _doc(row: Row) -> Row:
    """The question's row, which lmms-eval leaves out of its files since version 0.3."""
    doc = row.get("doc")
    return doc if isinstance(doc, Mapping) else {}


LAYOUTS = (
    AnswerLayout(
        "a table exported from here",
        _has("case", "question_id", "question", "options", "truth", "raw"),
        lambda row: row["raw"],
        _own_question,
        exported_of,
    ),
    AnswerLayout("lmms-eval samples", _has("doc", "resps"), _first_response, _doc),
    AnswerLayout("lmms-eval samples", _has("doc_id", "filtered_resps"), _first_response, _doc),
    AnswerLayout("VLMEvalKit", _has("prediction", "question", "A", "B"), _reply, _kit_question),
    AnswerLayout("a question file with replies", _has_any(REPLY), _reply, lambda row: row),
    AnswerLayout(
        "case, question, answer",
        _has("case", "question", "answer"),
        lambda row: row["answer"],
        lambda row: {name: value for name, value in row.items() if name != "answer"},
    ),
)
