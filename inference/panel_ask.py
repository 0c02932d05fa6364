"""The right-hand column at work: handlers that call the desk and show what came back.

A session holds ids and JSON records; arrays stay in the shared cache.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from inference.cards import (
    ablation_card,
    answer_card,
    picture_strip,
    problem_card,
    question_card,
    waiting_card,
)
from inference.choices import Choices, order_of
from inference.cyclic_scores import cyclic_card, score_every_order
from inference.desk import Desk
from inference.errors import NotKept, UnknownQuestion
from inference.panel import UNCHECKED, AskPanel
from inference.panel_own import Wanted, question_choices, wire_own
from inference.panel_possible import wire_possible
from inference.picture_files import picture_json
from inference.preparation import Prepared
from inference.records import Record
from inference.shown_slices import recorded_slices, shown_slices
from inference.slices import Point
from viewer.errors import UserError
from viewer.live import Cancels, Done, Newest, watch
from viewer.panel_turns import EACH, LATEST, STAMPED, a_moment, heard, in_turn
from viewer.study import Study

Outcome = dict[str, Any]
"""What a session keeps of its last ask: the records' JSON."""

PointOf = tuple[str, Point]
"""A study's id, and where in it the user's own slices lie."""

NOTHING: Outcome = {}

NO_QUESTION = "No question about this study: type one of your own, or give a file with --questions."
ASKS_AT_ONCE = 30
"""They wait in the host's own line, where each is told its place; Gradio has 40 threads."""

News = tuple[str, str]
"""What a running ask says: ("text", a piece of the reply) or ("doing", what it waits for)."""


def wire(
    panel: AskPanel,
    desk: Callable[[], Desk],
    study: gr.HTML,
    wanted: gr.State,
    panes: gr.HTML,
    cancels: Cancels,
) -> gr.State:
    """Connect the column to the list of studies and to the panes' "Use this slice".

    `wanted` is the question that a link, an answer or the user's own typing asks
    for. Returns the session's last outcome.
    """
    outcome = gr.State(NOTHING)
    chosen = [study, *panel.inputs()]
    shown = [panel.card, panel.pictures]
    lists, cards, strips = Newest(), Newest(), Newest()

    def choose_study(
        request: gr.Request, study_id: str | None, wish: Wanted | None, typed: Any,
        before: str | None, turn: int, at: float,
    ) -> Any:  # fmt: skip
        if not lists.take(request.session_hash or "", at):
            return gr.skip()
        choices, first = _question_list(desk(), study_id, wish, typed)
        listed = gr.Dropdown(choices=choices, value=first)
        return listed, turn + 1 if first == before else gr.skip()

    def choose_wanted(
        request: gr.Request, study_id: str | None, wish: Wanted | None, typed: Any, *more: Any
    ) -> Any:
        """Nothing changes where the page has gone to another study since."""
        _, first = _question_list(desk(), study_id, wish, typed)
        asked = wish is not None and wish[:2] == (study_id, first)
        return choose_study(request, study_id, wish, typed, *more) if asked else gr.skip()

    def preview(request: gr.Request, truth: bool, *values: Any) -> tuple[Any, Any]:
        session, at = request.session_hash or "", values[-1]
        wanted = strips.take(session, at), cards.take(session, at)
        if not any(wanted):
            return gr.skip(), gr.skip()
        card, strip = _preview(desk(), truth, values[:-1], pictures=wanted[0])
        return card if wanted[1] else gr.skip(), strip if wanted[0] else gr.skip()

    def ask(
        request: gr.Request, truth: bool, without: bool, every_order: bool, *values: Any
    ) -> Iterator[Any]:
        choices, at = choices_from(values[:-1]), float(values[-1])
        if choices is None:
            yield problem_card("Choose a study and a question first."), "", NOTHING, *_idle()
            return
        session = request.session_hash or ""
        event = cancels.begin(session, (choices.study_id, choices.question_id), at)
        wish = _Wish(without, every_order, truth)
        yield from _asking(_Turn(desk(), choices, wish, cancels, session, event))

    def card(request: gr.Request, truth: bool, *values: Any) -> Any:
        taken = cards.take(request.session_hash or "", values[-1])
        return _preview(desk(), truth, values[:-1], pictures=False)[0] if taken else gr.skip()

    def reveal(truth: bool, last: Outcome) -> Any:
        return _cards(desk(), last, truth) if last else gr.skip()

    quiet = {"show_progress": "hidden", "queue": True}

    def forget(request: gr.Request, *now: Any) -> Any:
        """An answer belongs to its question: with another one on the page it is gone."""
        *about, at = now
        gone = cancels.forget(request.session_hash or "", tuple(about), at)
        return ("", "", NOTHING, *_idle()) if gone else gr.skip()

    def use_slice(event: gr.EventData) -> tuple[PointOf, str]:
        x, y, z = map(float, event.mm)
        return (str(event.study), (x, y, z)), "user"

    def drop_slice(study_id: str | None, at: PointOf | None, slice_from: str) -> Any:
        """A point belongs to its study; one of this study was sent since it was opened."""
        if at and at[0] == study_id:
            return gr.skip()
        return None, "auto" if slice_from == "user" else slice_from

    answered = [panel.answer, panel.ablation, outcome, panel.ask, panel.cancel]
    at = [study, panel.question]
    moment = a_moment()
    stamped = {**quiet, **STAMPED}
    telling = in_turn("answer-shown")  # an answer that is gone is not shown again
    for moved in at:
        heard(moved.change)(forget, [*at, moment], answered, **stamped, **LATEST, **telling)
    # Two studies may have a question of the same id: the list then tells nobody that it changed.
    turned = gr.State(0)
    for called, choose in ((study, choose_study), (wanted, choose_wanted)):
        heard(called.change)(
            choose, [study, wanted, panel.own.typed, panel.question, turned, moment],
            [panel.question, turned], **stamped, **LATEST, **in_turn("question-list"),
        )  # fmt: skip
    wire_own(panel.own, wanted, study, desk)
    heard(study.change)(
        drop_slice, [study, panel.at_mm, panel.slice_from], [panel.at_mm, panel.slice_from],
        **quiet, **LATEST, **UNCHECKED,
    )  # fmt: skip
    panes.use_slice(use_slice, None, [panel.at_mm, panel.slice_from], **quiet, **EACH)
    wire_possible(panel.representation, desk, study, panel.model, panel.conventions)
    # What the page asked for last is what it shows in the end, in whatever order it is heard.
    drawing = {**stamped, **LATEST, **in_turn("question-card")}
    for component in [turned, *panel.inputs()]:
        heard(component.change)(preview, [panel.truth, *chosen, moment], shown, **drawing)
    heard(panel.truth.change)(card, [panel.truth, *chosen, moment], panel.card, **drawing)
    told = [panel.answer, panel.ablation]
    heard(panel.truth.change)(reveal, [panel.truth, outcome], told, **quiet, **LATEST, **telling)
    # In the end it is looked at once more whether the page is still about the
    # question, and whether the truth is still to be shown.
    panel.ask.click(
        ask,
        [panel.truth, panel.without, panel.every_order, *chosen, moment],
        answered,
        concurrency_limit=ASKS_AT_ONCE,
        **stamped,
        **EACH,
    ).then(forget, [*at, moment], answered, **stamped, **LATEST, **telling).then(
        reveal, [panel.truth, outcome], told, **quiet, **LATEST, **telling
    )
    panel.cancel.click(_cancel_with(cancels), None, None, concurrency_limit=None, **quiet)
    return outcome


def _cancel_with(cancels: Cancels) -> Callable[[gr.Request], None]:
    def cancel(request: gr.Request) -> None:
        cancels.cancel(request.session_hash or "")

    return cancel


def choices_from(values: tuple[Any, ...]) -> Choices | None:
    """From the components' values, in the order of `AskPanel.inputs`; None if one is missing."""
    study, question, order, seed, representation, slice_from, masks, convention, *more = values
    model, at, conventions = more
    if not study or not question:
        return None
    return Choices(
        study_id=study,
        question_id=question,
        representation=representation,
        model=model or "",
        order=str(int(seed or 0)) if order == "seed" else order,
        slice_from="auto" if slice_from == "user" and at and at[0] != study else slice_from,
        include_masks=bool(masks),
        convention=convention or None,
        at_mm=at[1] if at and at[0] == study else None,
        conventions=tuple(conventions or ()),
    )


def _question_list(
    desk: Desk, study_id: str | None, wish: Wanted | None, typed: Any
) -> tuple[list[tuple[str, str]], str | None]:
    """What can be asked about the study, and which of it comes first."""
    choices = question_choices(desk, study_id, tuple(typed)) if study_id else []
    ids = [name for _, name in choices]
    wanted = wish[1] if wish and wish[0] == study_id else None
    return choices, wanted if wanted in ids else next(iter(ids), None)


def _preview(
    desk: Desk, truth: bool, values: tuple[Any, ...], *, pictures: bool = True
) -> tuple[str, str]:
    """The question's card and the model's input, or the sentence that says why there is none.

    Both empty for another study's question: this one's is on its way.
    """
    choices = choices_from(values)
    if choices is None:
        return problem_card(NO_QUESTION), ""
    card = ""
    try:
        study = desk.study(choices.study_id)
        question = desk.question(study.id, choices.question_id)
        card = question_card(question, order_of(question, choices.order), truth)
        return card, _strip(desk.prepare(choices), study) if pictures else ""
    except UnknownQuestion:
        return "", ""
    except UserError as error:
        return card or problem_card(str(error)), problem_card(str(error))


def _strip(prepared: Prepared, study: Study) -> str:
    slices = prepared.slices
    by = {
        "expert": "largest tumor area in the expert mask",
        "predicted": "largest tumor area in the predicted mask",
        "centre": "centre of the brain",
        "user": "chosen on the screen",
    }[slices.source]
    source = f"Slices: {by}" + (f" ({slices.mask})" if slices.mask else "")
    details = [picture_json(picture) for picture in prepared.pictures]
    shown = shown_slices(study, prepared.question.id, details)
    return picture_strip(prepared.pictures, prepared.prompt, source if details else "", shown)


@dataclass(frozen=True)
class _Wish:
    """What is wanted beside the answer itself."""

    without: bool
    every_order: bool
    truth: bool


@dataclass(frozen=True)
class _Turn:
    """One press of Ask: who pressed it, what for, and whether it still matters."""

    desk: Desk
    choices: Choices
    wish: _Wish
    cancels: Cancels
    session: str
    event: threading.Event

    def superseded(self) -> bool:
        """True once the session has moved on to another study, question or ask."""
        return not self.cancels.is_current(self.session, self.event)


def _asking(turn: _Turn) -> Iterator[Any]:
    """The reply as it comes, the answer, and then what else was wanted, one after the other."""
    truth = turn.wish.truth
    if turn.superseded():
        return
    try:
        for step in _watched_ask(turn):
            if turn.superseded():
                return
            if isinstance(step, str):
                yield step, "", NOTHING, *_busy()
            else:
                last: Outcome = {"asked": step.to_json(), "without": [], "orders": []}
        further = _further(turn)
        yield *_cards(turn.desk, last, truth), last, *(_busy() if further else _idle())
        for name, work in further:
            for news in watch(work, turn.event):
                if isinstance(news, Done) and not turn.superseded():
                    last = {**last, name: [record.to_json() for record in news.result]}
            if turn.superseded():
                return
            buttons = _idle() if name == further[-1][0] else _busy()
            yield *_cards(turn.desk, last, truth), last, *buttons
    except NotKept as error:
        if not turn.superseded():
            answer = answer_card(error.record.to_json(), truth)
            yield problem_card(str(error)) + answer, "", NOTHING, *_idle()
    except UserError as error:
        if not turn.superseded():
            yield problem_card(str(error)), "", NOTHING, *_idle()
    finally:
        turn.cancels.end(turn.session, turn.event)


Further = Callable[[Callable[[News], None], Callable[[], bool]], Sequence[Record]]


def _further(turn: _Turn) -> list[tuple[str, Further]]:
    """What is asked after the answer: its place in the outcome, and the work; none on Cancel."""

    def without(say: Callable[[News], None], stop: Callable[[], bool]) -> Sequence[Record]:
        return turn.desk.ask_without_picture(turn.choices, stop)

    def every_order(say: Callable[[News], None], stop: Callable[[], bool]) -> Sequence[Record]:
        return () if stop() else score_every_order(turn.desk, turn.choices)

    wanted = {"without": turn.wish.without, "orders": turn.wish.every_order}
    work: dict[str, Further] = {"without": without, "orders": every_order}
    return [] if turn.event.is_set() else [(name, work[name]) for name in work if wanted[name]]


def _watched_ask(turn: _Turn) -> Iterator[str | Record]:
    """Cards while the model writes, then the record."""

    def work(say: Callable[[News], None], cancelled: Callable[[], bool]) -> Record:
        return turn.desk.ask(
            turn.choices,
            lambda piece: say(("text", piece)),
            cancelled,
            lambda share, doing: say(("doing", doing)),
        )

    text, doing = "", "asking"
    for step in watch(work, turn.event):
        if isinstance(step, Done):
            yield step.result
            return
        for kind, words in step.news:
            text, doing = (text + words, doing) if kind == "text" else (text, words)
        yield waiting_card(text, f"{doing} · {step.seconds:.0f} s")


def _cards(desk: Desk, last: Outcome, truth: bool) -> tuple[str, str]:
    if not last:
        return "", ""
    without = last["without"]
    table = ablation_card(last["asked"], without, truth) if without else ""
    shown = recorded_slices(desk.study, last["asked"])
    return answer_card(last["asked"], truth, shown), table + cyclic_card(last["orders"])


def _busy() -> tuple[Any, Any]:
    return gr.Button(interactive=False), gr.Button(interactive=True)


def _idle() -> tuple[Any, Any]:
    return gr.Button(interactive=True), gr.Button(interactive=False)
