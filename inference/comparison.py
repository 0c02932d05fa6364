"""The grid of models, representations, ablations and orders for one question.

Planning is pure; running asks through the desk, one encoded input at a time,
and tells of every cell as it fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from inference.ablation_setup import Setup
from inference.ablations import ablation_named, fitting
from inference.choices import Choices, cyclic_names, order_of
from inference.desk import Desk
from inference.errors import LeftTheLine
from inference.models.protocol import Cancelled, Model
from inference.preparation import Prepared, prepare, with_question
from inference.questions import Question
from inference.records import Record
from inference.representations import REPRESENTATIONS
from inference.scored_asks import score_together
from inference.slices import Point, SliceChoice
from inference.study_views import StudyView
from viewer.errors import UserError


@dataclass(frozen=True)
class Cell:
    """One place of the grid: an ask, and the ablation done to it (None for none)."""

    choices: Choices
    ablation: str | None = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self.choices.model

    @property
    def input(self) -> tuple[str, str]:
        """What decides the pictures among the cells of one question and model."""
        return self.choices.representation, self.ablation or ""


@dataclass(frozen=True)
class Filled:
    """A cell with its record, or the sentence that says why there is none."""

    cell: Cell
    record: Record | None
    problem: str = ""
    reused: bool = False


Tell = Callable[[Filled | str], None]
"""Hears each cell as it fills, and in words what the run is doing."""


def default_grid(choices: Choices, options: int) -> tuple[Cell, ...]:
    """Every representation in every cyclic order, with the model of `choices`."""
    return grid(choices, [choices.model], list(REPRESENTATIONS), cyclic_names(options))


def grid(
    choices: Choices,
    models: Sequence[str],
    representations: Sequence[str],
    orders: Sequence[str],
) -> tuple[Cell, ...]:
    """Cells in reading order: model, then representation, then order."""
    return tuple(
        Cell(replace(choices, model=model, representation=representation, order=order))
        for model in models
        for representation in representations
        for order in orders
    )


def ablation_grid(desk: Desk, choices: Choices, orders: Sequence[str]) -> tuple[Cell, ...]:
    """The ask as it is and under every ablation that fits it, each in every order.

    "reshuffled" is an order of its own and asked once.
    """
    names = (None, *fitting(Inputs(desk).setup(choices)))
    return tuple(
        Cell(replace(choices, order=order), name)
        for name in names
        for order in (orders if name != "reshuffled" else orders[:1])
    )


class Inputs:
    """What cells are made of; a study is viewed once, however many cells show it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._view = lru_cache(maxsize=4)(self._read)
        self._about = lru_cache(maxsize=4)(self._questions)

    def prepare(self, cell: Cell) -> Prepared:
        """What is sent for that cell. Raises what drawing and wording raise."""
        setup = self.setup(cell.choices)
        if cell.ablation is not None:
            row, variant = ablation_named(cell.ablation)
            only = row.variants(setup)
            # What can be done in one way only, such as another study, need not be named.
            return row.prepare(setup, variant or (only[0] if len(only) == 1 else ""))
        return prepare(
            setup.view,
            setup.question,
            setup.order,
            setup.representation,
            setup.settings,
            setup.max_pictures,
            setup.ordering,
        )

    def again(self, drawn: Prepared, cell: Cell) -> Prepared:
        """The pictures of `drawn` in the cell's order, drawn anew only where words change."""
        if cell.ablation and ablation_named(cell.ablation)[0].touches in {"words", "order"}:
            return self.prepare(cell)
        order = order_of(drawn.question, cell.choices.order)
        return with_question(drawn, drawn.question, order, drawn.settings, cell.choices.order)

    def setup(self, choices: Choices) -> Setup:
        """The unchanged ask, with the next study of the catalogue as the other one."""
        question = self._question(choices)
        return Setup(
            view=self._view(choices.study_id, choices.slice_from, choices.at_mm),
            question=question,
            order=order_of(question, choices.order),
            representation=choices.representation,
            settings=choices.ask_settings(),
            max_pictures=choices.entry().max_pictures,
            ordering=choices.order,
            other=next_study(self._desk, choices.study_id),
            view_of=lambda study_id: self._view(study_id, "auto", None),
        )

    def _question(self, choices: Choices) -> Question:
        known = self._about(choices.study_id).get(choices.question_id)
        return known or self._desk.question(choices.study_id, choices.question_id)

    def _questions(self, study_id: str) -> dict[str, Question]:
        return {question.id: question for question in self._desk.questions_about(study_id)}

    def _read(self, study_id: str, slice_from: SliceChoice, at_mm: Point | None) -> StudyView:
        choices = Choices(study_id, "", "", "", slice_from=slice_from, at_mm=at_mm)
        return self._desk.view(choices)


def next_study(desk: Desk, study_id: str) -> str | None:
    """The study after that one in the catalogue, the first after the last; None if alone.

    For a study that a session opened itself it is the catalogue's first one.
    """
    ids = [study.id for study in desk.catalogue.studies]
    if study_id not in ids:
        return next(iter(ids), None)
    after = ids[(ids.index(study_id) + 1) % len(ids)]
    return after if after != study_id else None


def run_cells(
    desk: Desk,
    cells: Sequence[Cell],
    tell: Tell = lambda news: None,
    cancelled: Cancelled = lambda: False,
) -> tuple[Filled, ...]:
    """Fill the cells in their order; those after a Cancel are left out."""
    filled: list[Filled] = []
    inputs = Inputs(desk)
    for name, of_model in groupby(cells, attrgetter("model")):
        if cancelled():
            break
        for one in _of_model(desk, inputs, name, list(of_model), tell, cancelled):
            filled.append(one)
            tell(one)
    return tuple(filled)


def _of_model(
    desk: Desk,
    inputs: Inputs,
    name: str,
    cells: Sequence[Cell],
    tell: Tell,
    cancelled: Cancelled,
) -> Iterator[Filled]:
    """A turn of the model for each input: in between, whoever else waits is answered."""

    def turn() -> AbstractContextManager[Model]:
        return desk.host.serving(name, lambda share, doing: tell(f"{name}: {doing}"), cancelled)

    tell(f"{name}: loading")
    try:
        with turn() as model:
            pass
    except LeftTheLine:
        return
    except UserError as error:
        yield from (Filled(cell, None, str(error)) for cell in cells)
        return
    for _, together in groupby(cells, attrgetter("input")):
        if cancelled():
            return
        try:
            yield from _of_input(desk, inputs, model, list(together), tell, turn)
        except LeftTheLine:
            return


def _of_input(
    desk: Desk,
    inputs: Inputs,
    model: Model,
    cells: Sequence[Cell],
    tell: Tell,
    turn: Callable[[], AbstractContextManager[Model]],
) -> Iterator[Filled]:
    """The cells that show the same pictures, scored together."""
    ready: list[tuple[Cell, Prepared]] = []
    representation, ablation = cells[0].input
    tell(f"{model.name} · {ablation or representation}")
    for cell in cells:
        try:
            prepared = inputs.again(ready[0][1], cell) if ready else inputs.prepare(cell)
            ready.append((cell, prepared))
        except UserError as error:
            yield Filled(cell, None, str(error))
    try:
        asks = [prepared for _, prepared in ready]
        scored = score_together(asks, model, desk.records, turn, reply_instead=True)
    except LeftTheLine:
        raise
    except UserError as error:  # it was freed, and could not be loaded again
        yield from (Filled(cell, None, str(error)) for cell, _ in ready)
        return
    for (cell, _), ask in zip(ready, scored, strict=True):
        failed = ask.record.error or ""
        yield Filled(cell, None if failed else ask.record, failed, ask.reused)
