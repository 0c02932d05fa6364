"""One row of a question file as a `Question`, for each known layout.

A layout is a row of `LAYOUTS`: the columns that it must have and how a row is
read. Columns that no layout names (accession numbers, notes, keys) never
leave this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inference.errors import BadOrder
from inference.option_lists import json_options, split_options
from inference.orders import Order, order_of_texts
from inference.question_kinds import kind_of
from inference.questions import Question
from viewer.printable import whole_characters

Row = Mapping[str, Any]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class RowLayout:
    """`read(row, number)` makes the question; `number` counts rows from 1 for rows without id."""

    name: str
    required: tuple[str, ...]
    read: Callable[[Row, int], Question]


def _benchmark_row(row: Row, number: int) -> Question:
    """UCSF-PDGM-VQA: options inside `Question`, `Answer` is one option's text."""
    stem, options = split_options(_text(row, "Question"))
    answer, problem = _by_text(_text(row, "Answer"), options)
    shuffled = None
    shuffled_text = _text(row, "Shuffled Question")
    if shuffled_text and options:
        shuffled, odd = _shuffled_order(options, split_options(shuffled_text)[1])
        problem = problem or odd
    return Question(
        id=_text(row, "qa_id") or str(number),
        study_id=_text(row, "Assigned ID"),
        stem=stem,
        options=options,
        answer=answer,
        category=_category(row, stem),
        problem=problem,
        shuffled=shuffled,
    )


def _generic_row(row: Row, number: int) -> Question:
    """`options` a list (in a table as JSON), one option a line, or parted by " | ".

    `answer` is an option's text, letter or 1-based number.
    """
    stem = _text(row, "question")
    options = _listed(row.get("options"))
    if not options:
        stem, options = split_options(stem)
    answer, problem = _by_any_name(row.get("answer"), options)
    return Question(
        id=_text(row, "id") or str(number),
        study_id=_text(row, "case"),
        stem=stem,
        options=options,
        answer=answer,
        category=_category(row, stem),
        problem=problem,
    )


LAYOUTS = (
    RowLayout("UCSF-PDGM-VQA", ("Assigned ID", "Question", "Answer"), _benchmark_row),
    RowLayout("generic", ("case", "question", "answer"), _generic_row),
)


def _category(row: Row, stem: str) -> str | None:
    """The row's own category, else that of the kind whose wording the stem is."""
    kind = kind_of(stem)
    return _text(row, "category") or (kind.category if kind else None)


def _text(row: Row, column: str) -> str:
    value = row.get(column)
    return "" if value is None else whole_characters(str(value)).replace("\r\n", "\n").strip()


def _listed(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(whole_characters(str(option)).strip() for option in value)
    lines = whole_characters(str(value or "")).replace("\r\n", "\n")
    if listed := json_options(lines):
        return tuple(option.strip() for option in listed)
    stem, options = split_options(lines)
    if options and not stem:
        return options
    separator = "\n" if "\n" in lines else "|"
    return tuple(part.strip() for part in lines.split(separator) if part.strip())


def _by_text(answer: str, options: tuple[str, ...]) -> tuple[int | None, str | None]:
    """Index of the option that is the answer word for word, else None and the reason."""
    if len(options) < 2:
        return None, "no options 1) to n) found in the question; it cannot be asked"
    if len(set(options)) < len(options):
        return None, "two options have the same text; no answer can be told from the other"
    if len(options) > len(LETTERS):
        return None, f"more than {len(LETTERS)} options, the letters do not suffice; not askable"
    if answer in options:
        return options.index(answer), None
    return None, f"the answer {answer!r} is none of the options word for word; it is not graded"


def _by_any_name(answer: Any, options: tuple[str, ...]) -> tuple[int | None, str | None]:
    """By text, else by letter, else by 1-based number."""
    text = "" if answer is None else str(answer).strip()
    index, problem = _by_text(text, options)
    unfit = len(options) < 2 or len(options) > len(LETTERS) or len(set(options)) < len(options)
    if index is not None or unfit:
        return index, problem
    if len(text) == 1 and text.upper() in LETTERS[: len(options)]:
        return LETTERS.index(text.upper()), None
    if text.isascii() and text.isdigit() and len(text) <= 2 and 1 <= int(text) <= len(options):
        return int(text) - 1, None
    return None, problem


def _shuffled_order(
    options: tuple[str, ...], shown: tuple[str, ...]
) -> tuple[Order | None, str | None]:
    try:
        return order_of_texts(options, shown), None
    except BadOrder:
        return None, "the shuffled options are not the original ones; that order is left out"
