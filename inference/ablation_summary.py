"""What each ablation did to the answer, averaged over the orders asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from inference.ablations import ablation_named
from inference.comparison import Cell, Filled
from inference.evidence import Gap, Sensitivity, modality_gap, sensitivities
from inference.posteriors import answered, distances, mean_posterior, pairs_by_order
from inference.records import Record
from inference.verdicts import Verdict, laterality_verdict, picture_verdicts, position_verdict

PLAIN = "as it is"

Records = Mapping[str | None, Sequence[Record]]
"""Records of each ablation, None for the plain ask; every one in some orders."""


@dataclass(frozen=True)
class Summary:
    """A row: `answers` with how often each was given, `same` of `paired` as in the plain ask.

    `distance` is the mean total variation from the plain ask, `truth` the
    truth's mean probability; None where they cannot be told.
    """

    name: str
    about: str
    asked: int
    waiting: int
    answers: tuple[tuple[str, int], ...] = ()
    right: int = 0
    same: int = 0
    paired: int = 0
    distance: float | None = None
    truth: float | None = None
    problem: str = ""


def records_of(filled: Sequence[Filled]) -> dict[str | None, list[Record]]:
    """The records by ablation."""
    found: dict[str | None, list[Record]] = {}
    for one in filled:
        if one.record is not None:
            found.setdefault(one.cell.ablation, []).append(one.record)
    return found


def summaries(cells: Sequence[Cell], filled: Sequence[Filled]) -> tuple[Summary, ...]:
    """One an ablation, in the order of the cells; those not yet asked are waiting."""
    records = records_of(filled)
    problems = {one.cell.ablation: one.problem for one in filled if one.problem}
    done = Counter(one.cell.ablation for one in filled)
    return tuple(
        _summary(name, len(list(group)) - done[name], records, problems.get(name, ""))
        for name, group in groupby(cells, lambda cell: cell.ablation)
    )


def _summary(name: str | None, waiting: int, records: Records, problem: str) -> Summary:
    mine = records.get(name, ())
    pairs = pairs_by_order(mine, records.get(None, ()))
    far = distances(pairs)
    mean = mean_posterior(mine)
    truth = mine[0].truth if mine else None
    answers = Counter(record.answer.text or record.answer.status for record in mine)
    return Summary(
        name=(name or PLAIN).replace(":", " "),
        about=ablation_named(name)[0].about if name else "The ask of the Read page",
        asked=len(mine),
        waiting=waiting,
        answers=tuple(answers.most_common()),
        right=sum(record.score == "right" for record in mine),
        same=sum(a.answer.index == b.answer.index for a, b in pairs),
        paired=len(pairs),
        distance=sum(far) / len(far) if far and name else None,
        truth=mean[truth] if mean is not None and truth is not None else None,
        problem=problem,
    )


def verdicts_of(records: Records) -> tuple[Verdict, ...]:
    """All four verdicts from one question's ablations."""
    plain = records.get(None, ())
    return (
        *picture_verdicts(pairs_by_order(plain, records.get("blank", ()))),
        position_verdict(plain),
        laterality_verdict(pairs_by_order(plain, records.get("mirrored", ()))),
    )


def evidence_of(records: Records) -> tuple[tuple[Sensitivity, ...], Gap | None]:
    """Leave-one-out sensitivities, and the gap between the finding as text and as picture."""
    withheld = {
        name.removeprefix("without:"): found
        for name, found in records.items()
        if name and name.startswith("without:")
    }
    plain = [record for record in records.get(None, ()) if answered(record)]
    return sensitivities(plain, withheld), modality_gap(plain, records.get("finding-as-text", ()))
