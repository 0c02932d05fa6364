"""What each ablation did to the answer, averaged over the orders asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from inference.ablations import ablation_named
from inference.choices import Choices
from inference.comparison import Cell, Filled
from inference.evidence import Gap, Sensitivity, modality_gap, sensitivities
from inference.orders import original_order
from inference.posteriors import Pair, answered, distances, mean_posterior, pairs_by_order
from inference.records import Record
from inference.replay import question_of
from inference.verdicts import Verdict, laterality_verdict, picture_verdicts, position_verdict

PLAIN = "as it is"
CYCLIC = "cyclic orders"
OTHER_ORDERS = "other orders"
AGAINST_ORIGINAL = "compared option by option with the plain ask in the file's order"

Records = Mapping[str | None, Sequence[Record]]
"""Records of each ablation, None for the plain ask; every one in some orders."""


@dataclass(frozen=True)
class Summary:
    """A row: `answers` with how often each was given, `same` of `paired` as in the plain ask.

    `pictures` is how many one ask sent. `distance` is the mean total variation
    from the plain ask, `truth` the mean probability of the option that is right
    for what was sent, `right` how often it was answered; None where they cannot
    be told.
    """

    name: str
    about: str
    asked: int
    waiting: int
    pictures: int = 0
    answers: tuple[tuple[str, int], ...] = ()
    right: int | None = None
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
    """One an ablation, in the order of the cells; those not yet asked are waiting.

    Where the plain ask was made in several orders, these stand in a row after it.
    """
    records = records_of(filled)
    problems = {one.cell.ablation: one.problem for one in filled if one.problem}
    done = Counter(one.cell.ablation for one in filled)
    rows: list[Summary] = []
    for name, group in groupby(cells, lambda cell: cell.ablation):
        mine = list(group)
        waiting = len(mine) - done[name]
        about = ablation_named(name)[0].about if name else _asked(mine[0].choices)
        rows.append(_summary(name, about, waiting, records, problems.get(name, "")))
        if name is None and len(mine) > 1:
            rows.append(_of_orders(mine, waiting, records))
    return tuple(rows)


def _asked(choices: Choices) -> str:
    return "The ask of the Read page: " + ", ".join(
        (choices.model, choices.representation, *choices.extras)
    )


def _summary(name: str | None, about: str, waiting: int, records: Records, problem: str) -> Summary:
    plain, mine = records.get(None, ()), records.get(name, ())
    row = ablation_named(name)[0] if name else None
    touches_order = row is not None and row.touches == "order"
    return _compared(
        Summary(
            name=(name or PLAIN).replace(":", " "),
            about=about,
            asked=len(mine),
            waiting=waiting,
            problem=problem,
        ),
        mine,
        () if row is None else (_with_original if touches_order else pairs_by_order)(mine, plain),
        row.judge(question_of(mine[0])).answer if row and mine else _truth(mine),
    )


def _of_orders(cells: Sequence[Cell], waiting: int, records: Records) -> Summary:
    """How far the plain ask moves by its order alone."""
    plain = records.get(None, ())
    turned = [record for record in plain if record.order != original_order(len(record.order))]
    names = [cell.choices.order for cell in cells if cell.choices.order != "original"]
    cyclic = all(name.startswith("cyclic") for name in names)
    what = "turned by one place, by two and so on" if cyclic else f"in the order {', '.join(names)}"
    summary = Summary(
        name=CYCLIC if cyclic else OTHER_ORDERS,
        about=f"The plain ask with its options {what}, {AGAINST_ORIGINAL}",
        asked=len(turned),
        waiting=waiting,
    )
    return _compared(summary, turned, _with_original(turned, plain), _truth(turned))


def _compared(
    row: Summary, mine: Sequence[Record], pairs: Sequence[Pair], expected: int | None
) -> Summary:
    """The row with what was answered; `expected` is the right option."""
    far, mean = distances(pairs), mean_posterior(mine)
    answers = Counter(record.answer.text or record.answer.status for record in mine)
    known = expected is not None
    return replace(
        row,
        pictures=len(mine[0].pictures) if mine else 0,
        answers=tuple(answers.most_common()),
        right=sum(record.answer.index == expected for record in mine) if known else None,
        same=sum(a.answer.index == b.answer.index for a, b in pairs),
        paired=len(pairs),
        distance=sum(far) / len(far) if far else None,
        truth=mean[expected] if mean is not None and expected is not None else None,
    )


def _with_original(mine: Sequence[Record], plain: Sequence[Record]) -> tuple[Pair, ...]:
    """Each with the plain ask in the file's own order."""
    whole = [record for record in plain if answered(record)]
    original = [record for record in whole if record.order == original_order(len(record.order))]
    return tuple((record, original[0]) for record in mine if answered(record) and original)


def _truth(records: Sequence[Record]) -> int | None:
    return records[0].truth if records else None


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
