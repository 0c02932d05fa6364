"""The Sets page at work: a run over a selection, and what its records show.

Nothing is kept in the session: every table is made anew from the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from inference.answer_sets import Answers, Arm, Selection, answers_of
from inference.batch import Outcome, run
from inference.categories import category_of
from inference.choices import Choices
from inference.conventions import Conventions
from inference.desk import Desk
from inference.filters import RecordFilter
from inference.panel import representation_entries
from inference.panel_choice import show_entries
from inference.panel_sets import ORDERS, READ_FROM, SetsPanel
from inference.patterns import Choice
from inference.plans import Plan
from inference.possible import reasons
from inference.set_cards import (
    accuracy_card,
    behaviour_card,
    difference_card,
    pattern_card,
    run_card,
    runs_card,
)
from inference.set_charts import accuracy_chart, calibration_chart
from inference.set_runs import SetRun, SetRuns, follow
from inference.set_tables import accuracies, baselines, calibration_of, floors
from viewer.panel_turns import LATEST, ONCE


@dataclass(frozen=True)
class Selected:
    """The components' values."""

    studies: tuple[str, ...]
    categories: tuple[str, ...]
    models: tuple[str, ...]
    representations: tuple[str, ...]
    orders: tuple[str, ...]
    free: bool = False
    ablations: tuple[str, ...] = ()
    conventions: tuple[Conventions, ...] = ()

    def plan(self) -> Plan:
        """Everything it asks; the models write only where free replies are wanted."""
        how = Choices("", "", "", "", conventions=self.conventions, generate=self.free)
        return Plan(
            self.models, self.representations, self.orders, how, cases=self.studies,
            ablations=self.ablations,
        )  # fmt: skip

    def answers(self, desk: Desk) -> dict[Arm, dict[tuple[str, str], Any]]:
        """What is recorded of it."""
        chosen = RecordFilter(
            model=self.models, representation=self.representations, ordering=self.orders,
            case=self.studies,
        )  # fmt: skip
        taken = Selection((), self.categories, self.free, self.ablations)
        return answers_of(desk.records.select(chosen), taken)


def wire(panel: SetsPanel, desk: Callable[[], Desk], conventions: gr.State) -> None:
    """Connect the page's components; `conventions` are the changes made on the Models page."""
    runs = SetRuns()
    followed = gr.State(None)
    selection = [
        panel.studies, panel.categories, panel.models, panel.representations, panel.orders,
        panel.read_from, panel.ablations,
    ]  # fmt: skip
    pair = [panel.first, panel.second, panel.pattern]
    details = [
        panel.accuracy_chart, panel.calibration_chart, panel.difference, panel.found,
    ]  # fmt: skip

    def fill() -> tuple[Any, Any]:
        return _choices_of(desk())

    def show(*values: Any) -> tuple[Any, ...]:
        return _tables(_selected(values).answers(desk()))

    def compare(*values: Any) -> tuple[Any, ...]:
        first, second, pattern = values[-3:]
        return _details(_selected(values[:-3]).answers(desk()), first, second, pattern)

    def ask(changes: Any, *values: Any) -> Iterator[tuple[Any, ...]]:
        selected = replace(_selected(values), conventions=tuple(changes or ()))
        yield from _following(runs, _begun(runs, desk(), selected))

    def mark(models: list[str], changes: Any) -> Any:
        """What none of the models can take is greyed out, with the reason beside it."""
        return show_entries(
            representation_entries(reasons(desk().study, None, models or (), changes or ()))
        )

    def find() -> Iterator[tuple[Any, ...]]:
        under_way = runs.under_way()
        if under_way is not None:
            yield from _following(runs, under_way)
        else:
            yield runs_card(runs.listed()), *_buttons(busy=False), None

    def cancel(run_id: str | None) -> None:
        runs.stop(run_id)

    quiet = {"show_progress": "hidden"}
    tables = [panel.accuracy, panel.behaviour, panel.first, panel.second]
    by = [panel.models, conventions]
    for component in by:
        component.change(mark, by, panel.representations, **quiet, **LATEST)
    panel.tab.select(fill, None, [panel.studies, panel.categories], **quiet)
    at_run = [panel.progress, panel.run, panel.cancel, followed]
    panel.tab.select(find, None, at_run, concurrency_limit=16, **quiet)
    panel.run.click(
        ask, [conventions, *selection], at_run, concurrency_limit=16, **quiet, **ONCE,
    ).then(show, selection, tables, **quiet, **LATEST).then(
        compare, [*selection, *pair], details, **quiet, **LATEST
    )  # fmt: skip
    panel.cancel.click(cancel, followed, None, concurrency_limit=None, **quiet)
    panel.refresh.click(show, selection, tables, **quiet, **LATEST).then(
        compare, [*selection, *pair], details, **quiet, **LATEST
    )
    for changed in pair:
        changed.input(compare, [*selection, *pair], details, **quiet, **LATEST)


def _selected(values: Sequence[Any]) -> Selected:
    studies, categories, models, representations, orders, read_from, ablations = values
    return Selected(
        tuple(studies or ()), tuple(categories or ()), tuple(models or ()),
        tuple(representations or ()), ORDERS[orders], READ_FROM[read_from],
        tuple(ablations or ()),
    )  # fmt: skip


def _choices_of(desk: Desk) -> tuple[Any, Any]:
    studies = [study.id for study in desk.catalogue.studies]
    asked = {category_of(each.category, each.stem) for each in desk.questions.questions}
    return gr.Dropdown(choices=studies), gr.Dropdown(choices=sorted(asked))


def _begun(runs: SetRuns, desk: Desk, selected: Selected) -> SetRun:
    def work(say: Any, stopped: Callable[[], bool]) -> Outcome:
        return run(desk, selected.plan(), say, stopped)

    return runs.begin(selected.plan(), work)


def _following(runs: SetRuns, run: SetRun) -> Iterator[tuple[Any, ...]]:
    """Its progress until it ends; a page that is closed leaves it running."""
    for now in follow(run):
        over = now.ended.is_set()
        problems = now.outcome.problems if now.outcome else ()
        card = run_card(
            now.progress,
            now.state if over else now.doing,
            [f"{problem.file}: {problem.reason}" for problem in problems],
            running=not over,
        )
        others = runs_card([each for each in runs.listed() if each is not now])
        yield card + others, *_buttons(busy=not over), None if over else now.id


def _tables(answers: Answers) -> tuple[Any, ...]:
    """Accuracy, behaviour, and the arms to choose A and B from."""
    names = [arm.name for arm in answers]
    shown = [name for name in names if name.split(" · ")[1] not in {"blank", "text-only"}]
    first = shown[0] if shown else None
    second = shown[1] if len(shown) > 1 else None
    return (
        accuracy_card(answers),
        behaviour_card(answers),
        gr.Dropdown(choices=names, value=first),
        gr.Dropdown(choices=names, value=second),
    )


def _details(
    answers: Answers, first: str | None, second: str | None, pattern: str
) -> tuple[Any, ...]:
    """Charts, the paired test and the pattern for A and B."""
    by_name = {arm.name: arm for arm in answers}
    one, other = by_name.get(first or ""), by_name.get(second or "")
    if one is None:
        return None, None, "", ""
    rows = [
        row
        for row in accuracies(answers)
        if (row.arm.model, row.arm.ordering) == (one.model, one.ordering)
    ]
    floor, base = floors(answers, one.model, one.ordering), baselines(answers, one.ordering)
    sure = calibration_of(answers, one)
    return (
        accuracy_chart(rows, floor, base, f"{one.model}, order: {one.ordering}"),
        calibration_chart(sure, floor, base, f"Calibration of A, {one.representation}")
        if sure
        else None,
        difference_card(answers, one, other),
        pattern_card(answers, pattern, Choice(one, other)),
    )


def _buttons(*, busy: bool) -> tuple[Any, Any]:
    return gr.Button(interactive=not busy), gr.Button(interactive=busy)
