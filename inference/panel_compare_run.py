"""The Compare page at work: handlers that fill a grid and show what came back.

A session keeps its cells and their records, small frozen values; pictures are
read back from the store by their hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gradio as gr

from inference.ablation_summary import evidence_of, records_of, summaries, verdicts_of
from inference.cards import problem_card, question_card
from inference.choices import Choices, cyclic_names, order_of
from inference.comparison import Cell, Filled, ablation_grid, grid, run_cells
from inference.comparison_cards import (
    ablation_table,
    evidence_card,
    grid_card,
    pair_card,
    progress_values,
    stored_picture,
    verdict_card,
)
from inference.desk import Desk
from inference.errors import UnknownQuestion
from inference.panel import AskPanel
from inference.panel_ask import choices_from
from inference.panel_compare import AblationPanel, ComparePanel, GridPanel
from inference.panel_possible import wire_possible
from inference.panel_sets_run import wire as wire_sets
from inference.possible import reasons
from inference.shown_slices import recorded_slices
from viewer.errors import UserError
from viewer.live import Cancels, Done, Newest, watch
from viewer.panel_turns import EACH, LATEST, STAMPED, a_moment, heard, in_turn

CHOOSE_FIRST = "Choose a study and a question on the Read page first."
CANCELLED = "cancelled"
CHOOSE_SOME = "Choose at least one model and one input representation."


@dataclass(frozen=True)
class Comparison:
    """What a session last compared.

    `doing` is what the run does, how it ended early, or why there is none.
    """

    heading: str = ""
    cells: tuple[Cell, ...] = ()
    filled: tuple[Filled, ...] = ()
    doing: str = ""

    def done(self) -> dict[Cell, Filled]:
        """The filled cells."""
        return {one.cell: one for one in self.filled}


NOTHING = Comparison()

Pair = tuple[int, int]
"""The numbers of the two cells that are side by side; kept apart from what a run fills."""


@dataclass(frozen=True)
class _Source:
    """Where handlers read from: the desk, the Read page and its time, who may cancel."""

    desk: Callable[[], Desk]
    chosen: Sequence[gr.components.Component]
    moment: gr.Number
    cancels: Cancels = field(default_factory=Cancels)


def wire(
    panel: ComparePanel,
    desk: Callable[[], Desk],
    study: gr.HTML,
    ask: AskPanel,
) -> None:
    """Connect the page to the Read page's study and column."""
    chosen = [study, *ask.inputs()]
    question = ask.question

    cards = Newest()

    def about(request: gr.Request, truth: bool, *values: Any) -> Any:
        *given, at = values
        if not cards.take(request.session_hash or "", at):
            return gr.skip()
        return _about(desk(), truth, choices_from(tuple(given)))

    moment = a_moment()
    for changed in (study, question, panel.truth):
        heard(changed.change)(
            about, [panel.truth, *chosen, moment], panel.about, show_progress="hidden", **LATEST,
            **STAMPED,
        )  # fmt: skip
    _wire_grid(panel.grid, panel.truth, _Source(desk, chosen, moment))
    wire_possible(panel.grid.representations, desk, study, panel.grid.models, ask.conventions)
    _wire_ablations(panel.ablations, panel.truth, _Source(desk, chosen, moment))
    wire_sets(panel.sets, desk, ask.conventions)


def _wire_grid(panel: GridPanel, truth: gr.Checkbox, source: _Source) -> None:
    kept, picked = gr.State(NOTHING), gr.State((0, 0))
    shown = [panel.grid, kept, panel.pair, picked, panel.run, panel.cancel]

    def run(
        request: gr.Request, truth: bool, models: list[str], names: list[str], orders: str,
        *values: Any,
    ) -> Iterator[Any]:  # fmt: skip
        def plan(desk: Desk, choices: Choices) -> Sequence[Cell]:
            told = reasons(desk.study, choices.study_id, models, choices.conventions)
            possible = [name for name in names or () if not told[name]]
            return grid(choices, models, possible, _orders(desk, choices, orders))

        for number, (last, busy) in enumerate(_runs(source, request, plan, values)):
            pair = (gr.skip(), gr.skip()) if number else ("", _first_pair(last.cells))
            yield _grid_shown(last, truth), last, *pair, *_buttons(busy)

    def pick(event: gr.EventData, last: Comparison, pair: Pair) -> tuple[str, Pair]:
        now = pair[1], int(event.cell)
        return _pair(source.desk(), last, now), now

    def reveal(truth: bool, last: Comparison) -> str:
        return _grid_shown(last, truth)

    def settle(truth: bool, last: Comparison, pair: Pair) -> tuple[str, str]:
        return _grid_shown(last, truth), _pair(source.desk(), last, pair)

    quiet = {"show_progress": "hidden"}
    chosen = [truth, panel.models, panel.representations, panel.orders, *source.chosen]
    nothing = ("", NOTHING, "", (0, 0))
    forget = _forget_with(source, nothing, shown)
    telling = in_turn("grid-shown")  # the truth that was asked for last is the one that stands
    # In the end it is looked at once more whether the page is still about the question and
    # the truth still to be shown; cells are side by side then: pictures are heavy.
    panel.run.click(
        run, [*chosen, source.moment], shown, concurrency_limit=8, **quiet, **EACH, **STAMPED
    ).then(forget.handler, forget.at, shown, **quiet, **LATEST, **STAMPED).then(
        settle, [truth, kept, picked], [panel.grid, panel.pair], **quiet, **LATEST, **telling
    )
    panel.cancel.click(_cancel(source), None, None, concurrency_limit=None, **quiet)
    panel.grid.pick(pick, [kept, picked], [panel.pair, picked], **quiet, **EACH)
    heard(truth.change)(reveal, [truth, kept], panel.grid, **quiet, **LATEST, **telling)


def _wire_ablations(panel: AblationPanel, truth: gr.Checkbox, source: _Source) -> None:
    kept = gr.State(NOTHING)
    cards = [panel.table, panel.verdicts, panel.evidence]

    def run(request: gr.Request, truth: bool, orders: str, *values: Any) -> Iterator[Any]:
        def plan(desk: Desk, choices: Choices) -> Sequence[Cell]:
            return ablation_grid(desk, choices, _orders(desk, choices, orders))

        for last, busy in _runs(source, request, plan, values):
            yield *_ablations_shown(last, truth), last, *_buttons(busy)

    def reveal(truth: bool, last: Comparison) -> tuple[str, str, str]:
        return _ablations_shown(last, truth)

    quiet = {"show_progress": "hidden"}
    shown = [*cards, kept, panel.run, panel.cancel]
    forget = _forget_with(source, ("", "", "", NOTHING), shown)
    panel.run.click(
        run, [truth, panel.orders, *source.chosen, source.moment], shown, concurrency_limit=8,
        **quiet, **EACH, **STAMPED,
    ).then(forget.handler, forget.at, shown, **quiet, **LATEST, **STAMPED).then(
        reveal, [truth, kept], cards, **quiet, **LATEST
    )  # fmt: skip
    panel.cancel.click(_cancel(source), None, None, concurrency_limit=None, **quiet)
    heard(truth.change)(reveal, [truth, kept], cards, **quiet, **LATEST)


Plan = Callable[[Desk, Choices], Sequence[Cell]]


def _runs(
    source: _Source, request: gr.Request, plan: Plan, given: tuple[Any, ...]
) -> Iterator[tuple[Comparison, bool]]:
    """What is known so far, and whether it goes on; nothing where the page has moved on."""
    session = request.session_hash or ""
    *values, at = given
    event = source.cancels.begin(session, tuple(values[:2]), at)
    if not source.cancels.is_current(session, event):
        return
    try:
        desk, choices = source.desk(), choices_from(tuple(values))
        if choices is None:
            yield Comparison(doing=CHOOSE_FIRST), False
            return
        cells = tuple(plan(desk, choices))
        if not cells:
            yield Comparison(doing=CHOOSE_SOME), False
            return
        last = Comparison(_heading(desk, choices), cells, (), "starting")
        yield last, True

        def work(say: Callable[[Filled | str], None], stop: Callable[[], bool]) -> Sequence[Filled]:
            return run_cells(desk, cells, say, stop)

        for step in watch(work, event):
            if not source.cancels.is_current(session, event):
                return
            if isinstance(step, Done):
                ended = CANCELLED if event.is_set() else ""
                yield replace(last, filled=tuple(step.result), doing=ended), False
            elif step.news:
                last = _heard(last, step.news)
                yield last, True
    except UserError as error:
        yield Comparison(doing=str(error)), False
    finally:
        source.cancels.end(session, event)


def _heard(last: Comparison, news: Sequence[Filled | str]) -> Comparison:
    fresh = tuple(each for each in news if isinstance(each, Filled))
    words = [each for each in news if isinstance(each, str)]
    return replace(last, filled=last.filled + fresh, doing=words[-1] if words else last.doing)


def _first_pair(cells: Sequence[Cell]) -> Pair:
    """The first cell and the black picture in the same order, where both are asked."""
    blank = (n for n, cell in enumerate(cells) if cell.choices.representation == "blank")
    return 0, next(blank, min(1, max(0, len(cells) - 1)))


def _orders(desk: Desk, choices: Choices, named: str) -> tuple[str, ...]:
    question = desk.question(choices.study_id, choices.question_id)
    if named == "cyclic":
        return cyclic_names(len(question.options))
    return ("original",) if named == "original" else ("original", "shuffled")


def _heading(desk: Desk, choices: Choices) -> str:
    question = desk.question(choices.study_id, choices.question_id)
    return " · ".join((choices.study_id, question.stem, *choices.extras))


def _about(desk: Desk, truth: bool, choices: Choices | None) -> str:
    if choices is None:
        return problem_card(CHOOSE_FIRST)
    try:
        question = desk.question(choices.study_id, choices.question_id)
        return question_card(question, order_of(question, "original"), truth)
    except UnknownQuestion:  # of the study before: this one's is on its way
        return ""
    except UserError as error:
        return problem_card(str(error))


def _grid_shown(last: Comparison, truth: bool) -> str:
    if not last.cells:
        return _reason(last)
    return grid_card(last.heading, last.cells, last.done(), truth, last.doing)


def _reason(last: Comparison) -> str:
    """Why nothing is compared; empty before the first run."""
    return problem_card(last.doing) if last.doing else ""


def _pair(desk: Desk, last: Comparison, pair: Pair) -> str:
    if max(pair) >= len(last.cells):  # of another grid, or of none
        return ""
    one, other = (last.done().get(last.cells[number]) for number in pair)
    return pair_card(
        one,
        other,
        stored_picture(desk.records.pictures),
        lambda record: recorded_slices(desk.study, record.to_json()),
    )


def _ablations_shown(last: Comparison, truth: bool) -> tuple[str, str, str]:
    if not last.cells:
        return _reason(last), "", ""
    progress = progress_values(len(last.filled), len(last.cells), last.doing)
    rows = summaries(last.cells, last.filled)
    table = ablation_table(last.heading, rows, truth, progress)
    if len(last.filled) < len(last.cells) and last.doing != CANCELLED:
        return table, "", ""
    records = records_of(last.filled)
    return table, verdict_card(verdicts_of(records)), evidence_card(*evidence_of(records), truth)


def _cancel(source: _Source) -> Callable[[gr.Request], None]:
    def cancel(request: gr.Request) -> None:
        source.cancels.cancel(request.session_hash or "")

    return cancel


@dataclass(frozen=True)
class _Forget:
    """What lets go of a comparison, and what it reads: `STAMPED`."""

    handler: Callable[..., Any]
    at: list[gr.components.Component]


def _forget_with(source: _Source, empty: tuple[Any, ...], shown: list[Any]) -> _Forget:
    """What was compared belongs to its question: with another one on the page it is gone."""

    def forget(request: gr.Request, *now: Any) -> Any:
        *about, at = now
        gone = source.cancels.forget(request.session_hash or "", tuple(about), at)
        return (*empty, *_buttons(False)) if gone else gr.skip()

    places = list(source.chosen[:2])  # study and question
    made = _Forget(forget, [*places, source.moment])
    for moved in places:
        heard(moved.change)(
            made.handler, made.at, shown, show_progress="hidden", **LATEST, **STAMPED
        )
    return made


def _buttons(busy: bool) -> tuple[Any, Any]:
    return gr.Button(interactive=not busy), gr.Button(interactive=busy)
