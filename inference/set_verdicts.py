"""Verdicts over a selection: of how many questions each one holds."""

from __future__ import annotations

from dataclasses import dataclass

from inference.answer_sets import UNDER, Answers, Arm, Key
from inference.posteriors import pairs_by_order
from inference.proportions import Proportion, proportion
from inference.record_rows import WITHOUT_PICTURE
from inference.records import Record
from inference.verdicts import (
    Verdict,
    laterality_verdict,
    picture_verdicts,
    position_verdict,
)


@dataclass(frozen=True)
class VerdictShares:
    """For each verdict the share of questions of which it holds, among those it can be told of.

    None where it can be told of none.
    """

    model: str
    representation: str
    shares: dict[str, Proportion | None]


def verdict_shares(answers: Answers) -> tuple[VerdictShares, ...]:
    """One a model and representation that shows the study."""
    asked = dict.fromkeys((arm.model, arm.representation) for arm in answers if not arm.ablated)
    return tuple(
        VerdictShares(model, representation, _shares(answers, model, representation))
        for model, representation in asked
        if representation not in WITHOUT_PICTURE
    )


def _shares(answers: Answers, model: str, representation: str) -> dict[str, Proportion | None]:
    mine, blank, mirrored = (
        [arm for arm in answers if (arm.model, arm.representation) == (model, name)]
        for name in (representation, "blank", f"{representation}{UNDER}mirrored")
    )
    held: dict[str, list[bool]] = {}
    for key in dict.fromkeys(key for arm in mine for key in answers[arm]):
        for verdict in _of_question(*(_of(answers, arms, key) for arms in (mine, blank, mirrored))):
            told = held.setdefault(verdict.name, [])
            if verdict.holds is not None:
                told.append(verdict.holds)
    return {name: proportion(sum(told), len(told)) for name, told in held.items()}


def _of_question(
    mine: list[Record], blank: list[Record], mirrored: list[Record]
) -> tuple[Verdict, ...]:
    return (
        *picture_verdicts(pairs_by_order(mine, blank)),
        position_verdict(mine),
        laterality_verdict(pairs_by_order(mine, mirrored)),
    )


def _of(answers: Answers, arms: list[Arm], key: Key) -> list[Record]:
    return [answers[arm][key] for arm in arms if key in answers[arm]]
