"""What a run asks: questions x representations x orders x models x repeats, sheet by sheet.

A sheet holds every ask about one study in one representation, as it is or under
one ablation: its pictures stand first in every prompt, so that a model encodes
them once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from inference.ablations import ablation_named
from inference.answer_sets import UNDER
from inference.choices import Choices, order_of
from inference.comparison import Cell, Inputs
from inference.desk import Desk
from inference.preparation import Prepared, prepare, with_question
from inference.questions import Question
from inference.record_rows import WITHOUT_PICTURE
from viewer.errors import UserError
from viewer.study import Problem


@dataclass(frozen=True)
class Plan:
    """Every combination is asked once a repeat. `how` holds the choices that are the same for all.

    `cases` empty means every study that has questions. Repeats differ in the
    seed of the free reply alone. Each of `ablations`, "row" or "row:variant", is
    asked besides the asks as they are.
    """

    models: tuple[str, ...]
    representations: tuple[str, ...]
    orders: tuple[str, ...]
    how: Choices
    repeats: int = 1
    cases: tuple[str, ...] = ()
    ablations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """The asks about one study in one representation by one model, before they are drawn."""

    study_id: str
    representation: str
    model: str
    questions: tuple[Question, ...]
    ablation: str = ""

    @property
    def shown(self) -> str:
        """The representation and what is done to it, for people."""
        return self.representation + (UNDER + self.ablation if self.ablation else "")

    def size(self, plan: Plan) -> int:
        """How many asks it holds."""
        return len(self.questions) * len(plan.orders) * plan.repeats


@dataclass(frozen=True, eq=False)
class Drawn:
    """A sheet ready to be sent, and what of it cannot be asked, each with its reason."""

    sheet: Sheet
    asks: tuple[Prepared, ...]
    problems: tuple[Problem, ...]


def sheets(desk: Desk, plan: Plan) -> tuple[Sheet, ...]:
    """The plan's sheets; models outermost, since loading one is what takes longest."""
    ids = plan.cases or tuple(study.id for study in desk.catalogue.studies)
    about = {study_id: desk.questions_about(desk.study(study_id).id) for study_id in ids}
    return tuple(
        Sheet(study_id, representation, model, about[study_id], ablation)
        for model in plan.models
        for study_id in ids
        if about[study_id]
        for representation in plan.representations
        for ablation in ("", *plan.ablations)
        if not ablation or _touches(ablation, representation)
    )


def _touches(ablation: str, representation: str) -> bool:
    """Whether it can change anything: where no picture is shown, only words and order are left."""
    row, _ = ablation_named(ablation)
    return representation not in WITHOUT_PICTURE or row.touches in {"words", "order"}


def draw(desk: Desk, plan: Plan, sheet: Sheet) -> Drawn:
    """Every ask of the sheet over one set of pictures."""
    how = replace(
        plan.how, study_id=sheet.study_id, representation=sheet.representation, model=sheet.model
    )
    if sheet.ablation:
        return _ablated(desk, plan, sheet, how)
    asks: list[Prepared] = []
    problems: list[Problem] = []
    try:
        view = desk.view(how)
        for question, order, choices in _asks(plan, sheet, how):
            try:
                shown, settings = order_of(question, order), choices.ask_settings()
                asks.append(
                    with_question(asks[0], question, shown, settings, order)
                    if asks
                    else prepare(
                        view,
                        question,
                        shown,
                        sheet.representation,
                        settings,
                        choices.entry().max_pictures,
                        order,
                    )
                )
            except UserError as error:
                problems.append(Problem(f"{sheet.study_id}, question {question.id}", str(error)))
    except UserError as error:
        problems.append(Problem(sheet.study_id, str(error)))
    return Drawn(sheet, tuple(asks), tuple(problems))


def _ablated(desk: Desk, plan: Plan, sheet: Sheet, how: Choices) -> Drawn:
    """Drawn anew for each ask: what is right and what is said may change with the question."""
    inputs = Inputs(desk)
    asks: list[Prepared] = []
    problems: list[Problem] = []
    for question, order, choices in _asks(plan, sheet, how):
        try:
            asks.append(inputs.prepare(Cell(replace(choices, order=order), sheet.ablation)))
        except UserError as error:
            problems.append(Problem(f"{sheet.study_id}, question {question.id}", str(error)))
    return Drawn(sheet, tuple(asks), tuple(problems))


def _asks(plan: Plan, sheet: Sheet, how: Choices) -> Iterator[tuple[Question, str, Choices]]:
    for question in sheet.questions:
        for order in plan.orders:
            for repeat in range(plan.repeats):
                seed = repeat if plan.repeats > 1 else how.seed
                yield question, order, replace(how, question_id=question.id, seed=seed)
