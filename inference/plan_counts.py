"""A run on paper: how much it asks, what its pictures cost, and how long it takes.

Nothing is drawn and no volume is read: a plan of millions of asks is counted
in seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Engine, distinct, func, select

from inference.answer_sets import UNDER, Key
from inference.desk import Desk
from inference.filters import RecordFilter, where
from inference.models.table import model_entry
from inference.plans import Plan, Sheet, sheets
from inference.record_store import FAILED
from inference.tables import RECORDS
from inference.takes import takes

Arm = tuple[str, str]
"""Model and representation."""


@dataclass(frozen=True)
class ArmCount:
    """One model under one representation.

    `prefixes` are picture sets, each encoded once; `saved` the encodings that
    its other asks do without. `unfit` asks the model cannot have. `recorded`
    are asks of that name in the records, whatever their pictures were.
    `seconds_each` is their median in the records, None where there is none.
    """

    model: str
    representation: str
    asks: int
    prefixes: int
    saved: int
    unfit: int
    recorded: int
    seconds_each: float | None

    @property
    def hours_left(self) -> float | None:
        """For what is not recorded, one ask after the other; None where nothing was measured."""
        left = max(0, self.asks - self.recorded)
        return None if self.seconds_each is None else left * self.seconds_each / 3600


@dataclass(frozen=True)
class PlanCount:
    """The whole plan, arm by arm."""

    questions: int
    arms: tuple[ArmCount, ...]

    def total(self, name: str) -> int:
        """The sum of one of the arms' counts."""
        return sum(int(getattr(arm, name)) for arm in self.arms)

    @property
    def hours_left(self) -> float | None:
        """Of all arms; None where one of them was never measured."""
        hours = [arm.hours_left for arm in self.arms if arm.asks]
        known = [each for each in hours if each is not None]
        return sum(known) if len(known) == len(hours) else None

    def to_json(self) -> dict[str, Any]:
        """The command line's document."""
        names = ("asks", "prefixes", "saved", "unfit", "recorded")
        return {
            "questions": self.questions,
            **{name: self.total(name) for name in names},
            "hours_left": self.hours_left,
            "arms": [{**asdict(arm), "hours_left": arm.hours_left} for arm in self.arms],
        }

    def lines(self) -> list[str]:
        """The same for people."""
        rows = [
            f"{arm.model}, {arm.representation}: {arm.asks:,} asks, {arm.prefixes:,} vision "
            f"encodes ({arm.saved:,} saved), {arm.recorded:,} recorded, {_hours(arm.hours_left)}"
            + (f", {arm.unfit:,} not possible" if arm.unfit else "")
            for arm in self.arms
        ]
        total = (
            f"together {self.total('asks'):,} asks about {self.questions:,} questions, "
            f"{self.total('prefixes'):,} vision encodes ({self.total('saved'):,} saved), "
            f"{self.total('recorded'):,} recorded, {_hours(self.hours_left)}"
        )
        return [*rows, total]


def count_plan(desk: Desk, plan: Plan) -> PlanCount:
    """Count what `inference.batch.run` would ask."""
    counted: dict[Arm, list[int]] = {
        (model, name): [0, 0, 0] for model in plan.models for name in plan.representations
    }
    todo = sheets(desk, plan)
    for sheet in todo:
        arm = counted.setdefault((sheet.model, sheet.shown), [0, 0, 0])
        study = desk.catalogue.study(sheet.study_id)
        can = takes(model_entry(sheet.model), sheet.representation, study) is None
        usable = sum(len(question.options) > 1 for question in sheet.questions)
        asks = usable * len(plan.orders) * plan.repeats if can else 0
        arm[0] += asks
        arm[1] += bool(asks and _shows(sheet))
        arm[2] += sheet.size(plan) - asks
    asked = {(sheet.study_id, q.id) for sheet in todo for q in sheet.questions}
    known, seconds = _recorded(desk, plan, asked), _seconds(desk.records.engine, plan)
    arms = [
        ArmCount(
            model,
            name,
            asks,
            prefixes,
            asks - prefixes if prefixes else 0,
            unfit,
            min(asks, known.get((model, name), 0)),
            seconds.get((model, name.partition(UNDER)[0])),
        )
        for (model, name), (asks, prefixes, unfit) in counted.items()
    ]
    return PlanCount(len(asked), tuple(arms))


def _shows(sheet: Sheet) -> bool:
    return sheet.representation != "text-only" and sheet.ablation != "finding-as-text"


def _recorded(desk: Desk, plan: Plan, asked: Set[Key]) -> Mapping[Arm, int]:
    """Keys in the records of the questions `asked` that were asked under the plan's names."""
    chosen = RecordFilter(
        model=plan.models, representation=plan.representations, ordering=plan.orders,
        case=plan.cases,
    )  # fmt: skip
    about = (RECORDS.c.case, RECORDS.c.question_id)
    arm = (*about, RECORDS.c.model, RECORDS.c.representation, RECORDS.c.ablation)
    wanted = (
        select(*arm, func.count(distinct(RECORDS.c.key)))
        .where(*where(chosen), RECORDS.c.finish.not_in(FAILED))
        .group_by(*arm)
    )
    found: Counter[Arm] = Counter()
    with desk.records.engine.connect() as connection:
        for case, question, model, name, ablation, count in connection.execute(wanted):
            if (case, question) not in asked:
                continue
            if ablation is None:
                found[model, name] += count
            for row in {ablation, (ablation or "").partition(":")[0]} & set(plan.ablations):
                found[model, f"{name}{UNDER}{row}"] += count
    return found


def _seconds(engine: Engine, plan: Plan) -> Mapping[Arm, float]:
    """The median seconds of an ask, of those models and representations that have records."""
    from statistics import median

    arm = (RECORDS.c.model, RECORDS.c.representation)
    chosen = RecordFilter(model=plan.models, representation=plan.representations)
    wanted = select(*arm, RECORDS.c.seconds).where(
        *where(chosen), RECORDS.c.finish.not_in(FAILED), RECORDS.c.seconds > 0
    )
    found: dict[Arm, list[float]] = {}
    with engine.connect() as connection:
        for model, name, seconds in connection.execute(wanted):
            found.setdefault((model, name), []).append(seconds)
    return {name: median(values) for name, values in found.items()}


def _hours(hours: float | None) -> str:
    return "time not known (nothing recorded yet)" if hours is None else f"{hours:.2f} h left"
