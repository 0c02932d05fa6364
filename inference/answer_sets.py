"""Recorded answers by question and arm: what tables, tests and patterns are made from.

An arm is a model, a representation and an order; pictures with masks in them,
or of slices that a user chose, are a representation of their own, and so is a
representation under an ablation. Of several records of one question and arm the
newest counts; failed asks and ablations that nobody asked for are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from inference.categories import category_of
from inference.questions import Question
from inference.record_rows import AT_OWN_SLICES, at_own_slices, ordering_of
from inference.records import Record
from inference.sides import mirrored_question

UNDER = ", "
"""Between a representation and the ablation done to it."""

MIRRORED = "mirrored"
"""The ablation after which another option is right."""

Key = tuple[str, str]
"""(case, question id)"""


@dataclass(frozen=True, order=True)
class Arm:
    """One way of asking every question."""

    model: str
    representation: str
    ordering: str

    @property
    def ablated(self) -> bool:
        """Whether an ablation is done to it."""
        return UNDER in self.representation

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.model} · {self.representation} · {self.ordering}"


Answers = Mapping[Arm, Mapping[Key, Record]]


@dataclass(frozen=True)
class Selection:
    """Which records count; an empty tuple means all. `free` takes free replies, not scores.

    Of `ablations`, "row" or "row:variant", none are taken unless they are named.
    """

    cases: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    free: bool = False
    ablations: tuple[str, ...] = ()

    def takes(self, record: Record) -> bool:
        """Whether the record counts."""
        return (
            (record.ablation is None or self.ablation_of(record) != "")
            and record.asked.generate == self.free
            and record.finish not in {"error", "cancelled"}
            and (not self.cases or record.case in self.cases)
            and (
                not self.categories or category_of(record.category, record.stem) in self.categories
            )
        )

    def ablation_of(self, record: Record) -> str:
        """The selection's name for what was done to the record; empty for nothing of it."""
        full = record.ablation or ""
        return next((name for name in (full, full.partition(":")[0]) if name in self.ablations), "")


def answers_of(records: Iterable[Record], selection: Selection) -> dict[Arm, dict[Key, Record]]:
    """By arm, then by question; arms in order of model, representation and ordering."""
    found: dict[Arm, dict[Key, Record]] = {}
    for record in records:  # in the order of writing: a later one takes the earlier one's place
        if selection.takes(record):
            shown = _shown(record, selection.ablation_of(record))
            arm = Arm(record.model, shown, ordering_of(record))
            found.setdefault(arm, {})[record.case, record.question_id] = record
    return {arm: found[arm] for arm in sorted(found)}


def _shown(record: Record, ablation: str) -> str:
    """The representation, and what sets its pictures apart."""
    own = at_own_slices(record.representation, record.slices)
    masked = record.mask is not None and not ablation
    shown = record.representation + " + masks" * masked + AT_OWN_SLICES * own
    return shown + UNDER + ablation if ablation else shown


def together(answers: Answers, one: Arm, other: Arm) -> list[tuple[Record, Record]]:
    """Records of both arms for every question with a truth that both answered."""
    first, second = answers.get(one, {}), answers.get(other, {})
    return [
        (record, second[key])
        for key, record in first.items()
        if key in second and None not in {truth_of(record), truth_of(second[key])}
    ]


def rights(records: Iterable[Record]) -> list[bool]:
    """Right or not; whatever is no right answer counts as not right."""
    return [record.score == "right" for record in records]


def truth_of(record: Record) -> int | None:
    """The option that is right for what was sent: of a mirrored picture the other side.

    None where the question file names none, or the mirror image of the right one is no option.
    """
    if record.truth is None or record.ablation != MIRRORED:
        return record.truth
    asked = Question(record.question_id, record.case, record.stem, record.options, record.truth)
    return mirrored_question(asked).answer


def with_truth(records: Iterable[Record]) -> list[Record]:
    """Those that can be right or wrong."""
    return [record for record in records if truth_of(record) is not None]


def positions(records: Sequence[Record], of_truth: bool = False) -> list[int]:
    """The place (0-based) where each answer, or each truth, stood."""
    wanted = [truth_of(record) if of_truth else record.answer.index for record in records]
    return [
        record.order.index(index)
        for record, index in zip(records, wanted, strict=True)
        if index is not None
    ]
