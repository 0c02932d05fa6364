"""A record as one flat row for a table: the columns people count and read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from inference.exported_rows import KEY, OWN_SLICES, RULE, SHOWN_ORDER, order_cell
from inference.option_lists import options_cell
from inference.record_rows import at_own_slices, carries_masks
from inference.workbooks import Cell

Document = Mapping[str, Any]
"""A record as `Record.to_json` gives it."""

COLUMNS: dict[str, Callable[[Document], Cell]] = {
    "id": lambda r: r["id"],
    KEY: lambda r: r["key"],
    "time": lambda r: r["time"],
    "case": lambda r: r["case"],
    "question_id": lambda r: r["question_id"],
    "question": lambda r: r["stem"],
    "options": lambda r: options_cell(r["options"]),
    "category": lambda r: r["category"],
    "representation": lambda r: r["representation"],
    "masks": lambda r: carries_masks(r["picture_details"]),
    OWN_SLICES: lambda r: at_own_slices(r["representation"], r["slices"]),
    "ordering": lambda r: r["ordering"],
    SHOWN_ORDER: lambda r: order_cell(tuple(r["order"])),
    "ablation": lambda r: r["ablation"],
    "model": lambda r: r["model"],
    "revision": lambda r: r["revision"],
    "truth": lambda r: r["truth"]["text"] if r["truth"] else None,
    "answer": lambda r: r["answer"]["text"],
    "status": lambda r: r["answer"]["status"],
    RULE: lambda r: r["answer"]["rule"],
    "score": lambda r: r["score"],
    "substring_grade": lambda r: r["substring_grade"],
    "probability": lambda r: _probability(r),
    "letter_mass": lambda r: r["letter_mass"],
    "tokens": lambda r: r["tokens"],
    "seconds": lambda r: r["seconds"],
    "raw": lambda r: r["raw"],
}


def export_row(record: Document) -> list[Cell]:
    """The cells under `COLUMNS`."""
    return [cell(record) for cell in COLUMNS.values()]


def _probability(record: Document) -> float | None:
    """Of the option that was answered; None where there are no probabilities."""
    index, probabilities = record["answer"]["index"], record["probabilities"]
    return None if index is None or probabilities is None else float(probabilities[index])
