"""Option probabilities over every cyclic order: their mean, and the spread that is position bias.

Turned through all places, every option stands once under every letter: what a
letter's place gives away is the same for all of them in the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inference.choices import Choices, cyclic_names
from inference.desk import Desk
from inference.html import render_html
from inference.models.protocol import Progress
from inference.records import Record
from inference.scored_asks import score_together

Fields = Mapping[str, Any]
"""A record as `Record.to_json` gives it."""


@dataclass(frozen=True)
class CyclicScores:
    """By option in the original order. `spread` is its highest less its lowest probability.

    `rows` are the probabilities of each order, `firsts` how many different
    options came out first.
    """

    mean: tuple[float, ...]
    spread: tuple[float, ...]
    rows: tuple[tuple[float, ...], ...]
    firsts: int


def cyclic_scores(rows: Sequence[Sequence[float] | None]) -> CyclicScores | None:
    """From the probabilities of each order; None where one order has none."""
    known = tuple(tuple(row) for row in rows if row is not None)
    if not known or len(known) < len(rows):
        return None
    columns = list(zip(*known, strict=True))
    return CyclicScores(
        mean=tuple(sum(column) / len(column) for column in columns),
        spread=tuple(max(column) - min(column) for column in columns),
        rows=known,
        firsts=len({row.index(max(row)) for row in known}),
    )


def score_every_order(
    desk: Desk, choices: Choices, progress: Progress = lambda share, text: None
) -> tuple[Record, ...]:
    """The question in each of its cyclic orders, scored together; what was asked before is reused.

    `TooManyPictures` and whatever else `Desk.prepare` raises.
    """
    question = desk.question(choices.study_id, choices.question_id)
    asks = [
        desk.prepare(replace(choices, order=name)) for name in cyclic_names(len(question.options))
    ]
    with desk.host.serving(choices.model, progress) as model:
        return tuple(scored.record for scored in score_together(asks, model, desk.records))


def cyclic_card(records: Sequence[Fields]) -> str:
    """The table of the mean and the spread as HTML; empty without records."""
    if not records:
        return ""
    found = cyclic_scores([record["probabilities"] for record in records])
    options = records[0]["options"]
    return render_html(
        "cyclic.html",
        options=[] if found is None else _option_rows(options, found),
        orders=len(records),
        note=_note(found, options),
    )


def _option_rows(options: Sequence[str], found: CyclicScores) -> list[dict[str, Any]]:
    best = found.mean.index(max(found.mean))
    return [
        {
            "text": text,
            "mean": found.mean[index],
            "spread": found.spread[index],
            "best": index == best,
        }
        for index, text in enumerate(options)
    ]


def _note(found: CyclicScores | None, options: Sequence[str]) -> str:
    if found is None:
        return "Option probabilities: not available from this model."
    if found.firsts == 1:
        return "The same option comes first in every order."
    best = options[found.mean.index(max(found.mean))]
    return (
        f"{found.firsts} different options come first, by the order alone; in the mean it is "
        f"“{best}”."
    )
