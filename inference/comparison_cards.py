"""The comparison as HTML: the grid, two cells side by side, ablations, verdicts, evidence."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from inference.ablation_summary import Summary
from inference.comparison import Cell, Filled
from inference.evidence import DEFINITION, GAP_DEFINITION, Gap, Sensitivity, discrepancy
from inference.html import render_html
from inference.posteriors import pairs_by_order, posterior, total_variation
from inference.records import Record
from inference.shown_slices import ShownSlices
from inference.verdicts import DEFINITIONS, FEW, Verdict, picture_verdicts, position_verdict

Done = Mapping[Cell, Filled]
"""The cells that are filled so far."""

SHOWS_NOTHING = ("blank", "text-only")
TONES = {"right": "right", "wrong": "wrong"}


def grid_card(
    heading: str, cells: Sequence[Cell], done: Done, truth_shown: bool, doing: str
) -> str:
    """Rows of models and representations, columns of orders, verdicts at the end of a row.

    A cell carries its number in `cells` as `data-cell`.
    """
    numbers = {cell: number for number, cell in enumerate(cells)}
    rows = [
        {
            "model": model,
            "representation": representation,
            "cells": [cell_values(done.get(cell), numbers[cell], truth_shown) for cell in in_row],
            **_row_verdicts(in_row, done),
        }
        for (model, representation), in_row in _rows(cells)
    ]
    return render_html(
        "compare_grid.html",
        heading=heading,
        orders=list(dict.fromkeys(cell.choices.order for cell in cells)),
        rows=rows,
        progress=progress_values(len(done), len(cells), doing),
        reused=sum(one.reused for one in done.values()),
        definitions=DEFINITIONS,
        few=FEW,
    )


def progress_values(done: int, of: int, doing: str) -> dict[str, Any]:
    """How far a run is."""
    return {"done": done, "of": of, "share": done / of if of else 1.0, "doing": doing}


def cell_values(filled: Filled | None, number: int, truth_shown: bool) -> dict[str, Any]:
    """One cell: what was answered, how sure, and, where it may be shown, whether it is right."""
    record = filled.record if filled else None
    if filled is None or record is None:
        problem = filled.problem if filled else ""
        state = "failed" if filled else "queued"
        return {"number": number, "state": state, "text": problem or "queued", "tone": "neutral",
                "percent": None, "mark": "", "reused": False, "verdict": ""}  # fmt: skip
    index, probabilities = record.answer.index, posterior(record)
    percent = None if index is None or probabilities is None else 100 * probabilities[index]
    return {
        "number": number,
        "state": "filled",
        "text": record.answer.text or record.answer.status,
        "percent": percent,
        "mark": "" if index is None else record.letters[record.order.index(index)],
        "tone": TONES.get(record.score, "neutral") if truth_shown else "neutral",
        "verdict": record.score if truth_shown else "",
        "reused": filled.reused,
    }


def pair_card(
    one: Filled | None,
    other: Filled | None,
    picture: Callable[[str], str],
    shown: Callable[[Record], ShownSlices | None] = lambda record: None,
) -> str:
    """Two cells beside each other: probabilities, their difference, the pictures sent.

    `picture(sha256)` gives the address of a stored picture, `shown(record)` the
    slices that its pictures are of.
    """
    records = [filled.record for filled in (one, other) if filled and filled.record]
    if len(records) < 2:
        return ""
    a, b = records
    p, q = posterior(a), posterior(b)
    comparable = p is not None and q is not None and a.options == b.options
    return render_html(
        "compare_pair.html",
        sides=[{**_side(record, picture), "shown": shown(record)} for record in records],
        options=[_option(text, index, p, q) for index, text in enumerate(a.options)],
        distance=total_variation(p, q) if comparable and p and q else None,
        same_pictures=_hashes(a) == _hashes(b),
        same_words=a.prompt == b.prompt,
    )


def stored_picture(folder: Path) -> Callable[[str], str]:
    """Addresses of stored pictures as data inside the page."""

    def address(sha256: str) -> str:
        path = folder / f"{sha256}.png"
        if not path.is_file():
            return ""
        return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode()

    return address


def ablation_table(
    heading: str, rows: Sequence[Summary], truth_shown: bool, progress: Mapping[str, Any]
) -> str:
    """Every ablation with its definition and what it did to the answer."""
    return render_html(
        "ablation_table.html",
        heading=heading,
        rows=rows,
        truth_shown=truth_shown,
        progress=progress,
    )


def verdict_card(verdicts: Sequence[Verdict]) -> str:
    """The verdicts with their definitions; those that rest on few asks say so."""
    return render_html("verdicts.html", verdicts=verdicts, few=FEW)


def evidence_card(found: Sequence[Sensitivity], gap: Gap | None, truth_shown: bool) -> str:
    """Ranked bars of evidence sensitivity, and the gap between words and pictures."""
    if not found and gap is None:
        return ""
    most = max((each.distance for each in found), default=0.0)
    return render_html(
        "evidence.html",
        rows=[(each, 100 * each.distance / most if most else 0.0) for each in found],
        spread=discrepancy(found),
        gap=gap if truth_shown else None,
        definition=DEFINITION,
        gap_definition=GAP_DEFINITION,
        truth_shown=truth_shown,
        few=FEW,
    )


def _rows(cells: Sequence[Cell]) -> list[tuple[tuple[str, str], list[Cell]]]:
    by = groupby(cells, lambda cell: (cell.model, cell.choices.representation))
    return [(key, list(group)) for key, group in by]


def _row_verdicts(in_row: Sequence[Cell], done: Done) -> dict[str, Any]:
    """Verdicts of one representation; the black picture is that of the grid's blank row.

    `untold` says why there is none where none can be told once the row is full.
    """
    mine = _records(in_row, done)
    model, representation = in_row[0].model, in_row[0].choices.representation
    verdicts: list[Verdict] = []
    if representation not in SHOWS_NOTHING:
        blank = [
            cell for cell in done if cell.model == model and cell.choices.representation == "blank"
        ]
        verdicts += picture_verdicts(pairs_by_order(mine, _records(blank, done)))
    verdicts.append(position_verdict(mine))
    full = all(cell in done for cell in in_row)
    told = any(verdict.holds is not None for verdict in verdicts)
    return {
        "verdicts": [
            {"name": verdict.name, "why": verdict.why, "small": verdict.small}
            for verdict in verdicts
            if verdict.holds
        ],
        "untold": verdicts[-1].why if full and not told else "",
    }


def _records(cells: Sequence[Cell], done: Done) -> list[Record]:
    return [record for cell in cells if cell in done and (record := done[cell].record)]


def _hashes(record: Record) -> list[str]:
    return [picture["sha256"] for picture in record.pictures]


def _side(record: Record, picture: Callable[[str], str]) -> dict[str, Any]:
    return {
        "title": " · ".join(
            filter(None, (record.model, record.representation, record.ablation, record.ordering))
        ),
        "answer": record.answer.text or record.answer.status,
        "options": [
            f"{mark}) {record.options[index]}"
            for mark, index in zip(record.letters, record.order, strict=True)
        ],
        "pictures": [
            {"source": picture(each["sha256"]), "caption": each["caption"] or each["sequence"]}
            for each in record.pictures
        ],
        "prompt": record.prompt,
    }


def _option(
    text: str, index: int, p: Sequence[float] | None, q: Sequence[float] | None
) -> dict[str, Any]:
    one, other = (None if side is None else 100 * side[index] for side in (p, q))
    known = one is not None and other is not None
    return {
        "text": text,
        "one": one,
        "other": other,
        "change": other - one if known and one is not None and other is not None else None,
    }
