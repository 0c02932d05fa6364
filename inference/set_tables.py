"""Tables over a selection of questions: accuracy, floors, positions, orders, calibration."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from inference.answer_sets import (
    Answers,
    Arm,
    Key,
    positions,
    rights,
    together,
    with_truth,
)
from inference.baselines import chance, histogram, majority
from inference.calibration import Calibration, calibration
from inference.paired_tests import Paired, paired
from inference.posteriors import probability_of_answer
from inference.proportions import Proportion, proportion
from inference.records import Record

FLOORS = ("text-only", "blank")


@dataclass(frozen=True)
class Accuracy:
    """An arm's share of right answers; `unread` answers named no option and count as not right."""

    arm: Arm
    right: Proportion
    unread: int


@dataclass(frozen=True)
class Baselines:
    """What answering without looking is worth on the same questions in the same order."""

    chance: float | None
    majority: float | None


@dataclass(frozen=True)
class OrderAgreement:
    """How many questions got one answer in every order, of those asked in several."""

    model: str
    representation: str
    orders: int
    steady: Proportion
    pairwise: float


@dataclass(frozen=True)
class Positions:
    """Where an arm's answers and the truths stood, share by mark."""

    arm: Arm
    answers: dict[str, float]
    truths: dict[str, float]


def accuracies(answers: Answers) -> tuple[Accuracy, ...]:
    """One an arm, over the questions with a known right option."""
    rows = []
    for arm, by_key in answers.items():
        judged = with_truth(by_key.values())
        share = proportion(sum(rights(judged)), len(judged))
        if share is not None:
            rows.append(Accuracy(arm, share, sum(r.answer.index is None for r in judged)))
    return tuple(rows)


def baselines(answers: Answers, ordering: str) -> Baselines:
    """Over every question asked in that order, whoever was asked."""
    records: dict[Key, Record] = {}
    for arm, by_key in answers.items():
        if arm.ordering == ordering:
            records |= by_key
    judged = with_truth(records.values())
    return Baselines(
        chance([len(record.options) for record in judged]),
        majority(positions(judged, of_truth=True)),
    )


def floors(answers: Answers, model: str, ordering: str) -> dict[str, Proportion]:
    """The model's own accuracy without the picture, as far as it was asked."""
    arms = {name: Arm(model, name, ordering) for name in FLOORS}
    found = {
        row.arm: row.right for row in accuracies({a: answers.get(a, {}) for a in arms.values()})
    }
    return {name: found[arm] for name, arm in arms.items() if arm in found}


def difference(answers: Answers, one: Arm, other: Arm) -> Paired | None:
    """McNemar and bootstrap over the questions that both arms answered."""
    pairs = together(answers, one, other)
    return paired(rights(a for a, _ in pairs), rights(b for _, b in pairs))


def where_answers_stand(answers: Answers) -> tuple[Positions, ...]:
    """A histogram an arm."""
    rows = []
    for arm, by_key in answers.items():
        records = list(by_key.values())
        marks = max((record.letters for record in records), key=len, default=())
        rows.append(
            Positions(
                arm,
                histogram(positions(records), marks),
                histogram(positions(records, of_truth=True), marks),
            )
        )
    return tuple(rows)


def order_agreement(answers: Answers) -> tuple[OrderAgreement, ...]:
    """One a model and representation that was asked in at least two orders."""
    groups: dict[tuple[str, str], list[Arm]] = {}
    for arm in answers:
        groups.setdefault((arm.model, arm.representation), []).append(arm)
    rows = []
    for (model, representation), arms in groups.items():
        keys = set.intersection(*(set(answers[arm]) for arm in arms))
        given = [[answers[arm][key].answer.index for arm in arms] for key in sorted(keys)]
        told = [row for row in given if None not in row]
        steady = proportion(sum(len(set(row)) == 1 for row in told), len(told))
        if len(arms) > 1 and steady is not None:
            pairs = [a == b for row in told for a, b in combinations(row, 2)]
            agree = sum(pairs) / len(pairs)
            rows.append(OrderAgreement(model, representation, len(arms), steady, agree))
    return tuple(rows)


def calibration_of(answers: Answers, arm: Arm) -> Calibration | None:
    """How sure against how right, over judged answers with probabilities."""
    known = [
        (sure, record.score == "right")
        for record in with_truth(answers.get(arm, {}).values())
        if (sure := probability_of_answer(record)) is not None
    ]
    return calibration([sure for sure, _ in known], [right for _, right in known])
