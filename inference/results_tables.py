"""The results as a table like the paper's, as one JSON document, and as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from inference.counts import Tally
from inference.published import FAULTS, PUBLISHED
from inference.representations import REPRESENTATIONS
from inference.results import Results, Row

NOT_STATED = "not stated"
"""Where the paper does not say which representation a figure belongs to."""


@dataclass(frozen=True)
class Cell:
    """One figure: `percent` with its 95 % interval, and what it rests on."""

    percent: float
    low: float | None = None
    high: float | None = None
    asks: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Line:
    """One model's row. `published` rows are the paper's, not ours."""

    model: str
    published: bool
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Comparison:
    """Models down, (representation, reshuffled) across; a cell may hold no figure or several."""

    columns: tuple[tuple[str, bool], ...]
    lines: tuple[Line, ...]

    def headings(self) -> tuple[str, ...]:
        """What stands above the columns."""
        return tuple(
            f"{name}{', reshuffled' if shuffled else ''}" for name, shuffled in self.columns
        )


def comparison(found: Results) -> Comparison:
    """Our table with the published figures below it, over the columns that either has."""
    ours = [(name_of(row, found.table), row) for row in found.table if row.tally.graded]
    places = {(row.representation, row.reshuffled) for _, row in ours}
    places |= {(p.representation or NOT_STATED, p.order != "original") for p in PUBLISHED}
    names = [*REPRESENTATIONS, NOT_STATED]
    columns = tuple((n, shuffled) for n in names for shuffled in (False, True)
                    if (n, shuffled) in places)  # fmt: skip
    mine = _lines([(name, (row.representation, row.reshuffled), _cell(row)) for name, row in ours],
                  columns, published=False)  # fmt: skip
    theirs = _lines(
        [
            (p.model, (p.representation or NOT_STATED, p.order != "original"),
             Cell(p.percent, note=p.note))
            for p in PUBLISHED
        ],
        columns,
        published=True,
    )  # fmt: skip
    return Comparison(columns, (*mine, *theirs))


def name_of(row: Row, rows: Sequence[Row]) -> str:
    """The model, with its revision where the records hold several of it."""
    several = {other.revision for other in rows if other.model == row.model}
    return f"{row.model} ({(row.revision or 'unknown')[:12]})" if len(several) > 1 else row.model


def document(found: Results) -> dict[str, Any]:
    """Everything, for `results --json`; shares are of one, `percent` of a hundred."""
    return {
        "asks": found.asks,
        "table": [_row(row) for row in found.table],
        "ablations": [_row(row) for row in found.ablations],
        "categories": [_row(row) for row in found.categories],
        "yes_no": [{**asdict(row), "counts": row.counts.to_json()} for row in found.yes_no],
        "hard": [asdict(row) for row in found.hard],
        "published": [asdict(figure) for figure in PUBLISHED],
        "published_faults": list(FAULTS),
    }


def lines(found: Results) -> list[str]:
    """Our table for a terminal: accuracy, interval, and every status in the open.

    Ablations stand in a section of their own.
    """
    if not found.table and not found.ablations:
        return ["No asks are recorded that pass; ask something with `python app.py run`."]
    told = _aligned(found.table) if found.table else ["No ask as it is passes."]
    if not found.ablations:
        return told
    return [*told, "", "Under ablations, none of which is counted above:",
            *_aligned(found.ablations)]  # fmt: skip


def _aligned(rows: Sequence[Row]) -> list[str]:
    """A heading and a line for each row, in columns; ablations have a column more."""
    columns = {"model": [name_of(row, rows) for row in rows],
               "representation": [row.representation for row in rows],
               "order": ["reshuffled" if row.reshuffled else "original" for row in rows],
               "ablation": [row.ablation or "" for row in rows],
               "accuracy": [_accuracy(row.tally) for row in rows],
               "95 % interval": [_interval(row.tally) for row in rows],
               "asks by score": [_by_score(row.tally) for row in rows]}  # fmt: skip
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    widths = [max(len(name), *map(len, cells)) for name, cells in shown.items()]
    return [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in (tuple(shown), *zip(*shown.values(), strict=True))
    ]


def _accuracy(tally: Tally) -> str:
    return "no truth" if tally.accuracy is None else f"{tally.accuracy:.1%}"


def _interval(tally: Tally) -> str:
    low, high = tally.interval or (0.0, 1.0)
    return f"{low:.1%} to {high:.1%}"


def _by_score(tally: Tally) -> str:
    return ", ".join(f"{count} {score}" for score, count in tally.by_score.items())


def _row(row: Row) -> dict[str, Any]:
    return {**asdict(row), "tally": row.tally.to_json()}


def _cell(row: Row) -> Cell:
    accuracy, interval = row.tally.accuracy, row.tally.interval
    if accuracy is None or interval is None:
        raise ValueError("a row without graded asks has no figure")
    return Cell(100 * accuracy, 100 * interval[0], 100 * interval[1], row.tally.graded, _way(row))


def _way(row: Row) -> str:
    """That not all of the figure is about replies, as the published ones are."""
    scored = row.tally.graded - row.tally.substring_graded
    return f"{scored} of {row.tally.graded} by option probabilities alone" if scored else ""


def _lines(
    figures: Sequence[tuple[str, tuple[str, bool], Cell]],
    columns: Sequence[tuple[str, bool]],
    *,
    published: bool,
) -> list[Line]:
    models = list(dict.fromkeys(model for model, _, _ in figures))
    return [
        Line(
            model,
            published,
            tuple(
                tuple(cell for m, place, cell in figures if (m, place) == (model, column))
                for column in columns
            ),
        )
        for model in models
    ]
