"""The reader study's page at work.

While somebody reads, the page's other tabs are hidden (by `page.css`, as long
as a blinded form is shown) and the panes show no mask: what could give the
truth away comes back with the reveal, which is recorded. The browser remembers
who reads what, so that a page that is loaded anew comes back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr

from inference.categories import category_of
from inference.desk import Desk
from inference.panel_readers import ReaderPanel
from inference.panel_results import served_file
from inference.reader_answers import ReaderAnswer, Standing, begin, note, save_answer, standing
from inference.reader_exports import FORMATS, export_readers
from inference.reader_page import (
    figures_html,
    finished_html,
    paused_html,
    question_html,
    revealed_html,
)
from inference.reader_selection import QuestionFilter, chosen_questions
from inference.reader_studies import make_study, study_names
from inference.review_list import values_of
from inference.session_exports import SessionExports
from segmentation.overlays import overlays_of
from viewer.errors import UserError
from viewer.panel import show_panes
from viewer.panel_turns import EACH, in_turn
from viewer.panes import pane_spec
from viewer.study import in_reading_order


@dataclass(frozen=True)
class Reading:
    """What this page is at: ids only. `on_panes` is the study shown and whether with masks."""

    study: str
    reader: str
    place: int
    on_panes: tuple[str, bool] | None = None


def wire(
    panel: ReaderPanel, desk: Callable[[], Desk], tab: gr.Tab, page: gr.Blocks, pages: gr.Tabs
) -> None:
    """Connect the page; a reading that this browser had begun goes on, in a pause."""
    remembered = gr.BrowserState(None, storage_key="mri-vqa-reading", secret="reading")
    shown = [
        panel.form, panel.panes, panel.notice, panel.results, panel.reading, panel.setup,
        panel.downloads, remembered,
    ]  # fmt: skip
    quiet = {"show_progress": "hidden"}
    # One after the other: a later question must not be overtaken by an earlier one.
    turns = {**quiet, **in_turn("reader-form")}

    def fill(chosen: str | None) -> list[Any]:
        return _choices(desk(), chosen)

    def make(*values: Any) -> tuple[str, Any]:
        return _made(desk(), values)

    def start(study: str | None, reader: str) -> tuple[Any, ...]:
        return _page(desk(), lambda: _begun(desk(), study, reader))

    def come_back(known: list[str] | None) -> tuple[Any, ...]:
        if not known:
            return tuple(gr.skip() for _ in (pages, *shown))
        begun = _page(desk(), lambda: replace(_begun(desk(), *known), paused=True))
        return gr.Tabs(selected="readers"), *begun

    def heard(act: Callable[[Desk, Reading, Any], Step | None]) -> Callable[..., tuple[Any, ...]]:
        def handle(event: gr.EventData, reading: Reading | None) -> tuple[Any, ...]:
            if reading is None:
                return tuple(gr.skip() for _ in shown)
            return _page(desk(), lambda: act(desk(), reading, event))

        return handle

    def viewed(event: gr.EventData, reading: Reading | None) -> None:
        if reading is not None:
            _note_seen(desk(), reading, event)

    exports = SessionExports()

    def write(request: gr.Request, kind: str, reading: Reading | None) -> Any:
        file = _written(desk(), kind, reading) if reading else None
        if file is None:
            return gr.skip()
        exports.keep(request.session_hash or "", file)
        return str(file)

    def end(request: gr.Request) -> None:
        exports.end(request.session_hash or "")

    tab.select(fill, panel.study, [panel.study, *panel.maker.lists()], **turns)
    panel.maker.make.click(make, panel.maker.inputs(), [panel.maker.made, panel.study], **turns)
    panel.start.click(start, [panel.study, panel.reader], shown, **turns)
    for name, act in ACTS.items():
        getattr(panel.form, name)(heard(act), panel.reading, shown, **turns, **EACH)
    panel.form.viewed(viewed, panel.reading, None, **turns, **EACH)
    page.unload(end)
    page.load(come_back, remembered, [pages, *shown], **turns)
    panel.export.click(write, [panel.kind, panel.reading], panel.file, **quiet)


@dataclass(frozen=True)
class Step:
    """Where the page is now. `paused` shows neither question nor study."""

    reading: Reading
    stand: Standing
    paused: bool = False


def _begun(desk: Desk, study: str | None, reader: str) -> Step:
    stand = begin(desk.records.writing, study or "", reader or "")
    open_place = len(stand.order) if stand.first_open is None else stand.first_open
    place = 0 if stand.revealed else open_place
    return Step(Reading(stand.study.name, stand.reader, place), stand)


def _answered(desk: Desk, reading: Reading, event: Any) -> Step:
    answer = ReaderAnswer(
        event.option, event.answerable, event.relevant, event.confidence,
        tuple(event.sequences), str(event.comment),
    )  # fmt: skip
    writing = desk.records.writing
    given = save_answer(
        writing, reading.study, reading.reader, int(event.item), answer, event.seconds
    )
    return _at(desk, reading, _stand(desk, reading).order.index(given.item) + 1)


def _moved(desk: Desk, reading: Reading, event: Any) -> Step:
    _note_seen(desk, reading, event)
    return _at(desk, reading, reading.place + int(event.by))


def _paused(desk: Desk, reading: Reading, event: Any) -> Step:
    _note(desk, reading, "paused", event)
    return Step(reading, _stand(desk, reading), paused=True)


def _resumed(desk: Desk, reading: Reading, event: Any) -> Step:
    note(desk.records.writing, reading.study, reading.reader, "resumed")
    return _at(desk, reading, reading.place)


def _revealed(desk: Desk, reading: Reading, event: Any) -> Step:
    if not _stand(desk, reading).revealed:
        _note(desk, reading, "revealed", event)
    return _at(desk, reading, 0)


def _left(desk: Desk, reading: Reading, event: Any) -> Step | None:
    """Only from the reveal: before it the other tabs stay away."""
    return None if _stand(desk, reading).revealed else _at(desk, reading, reading.place)


ACTS: dict[str, Callable[[Desk, Reading, Any], Step | None]] = {
    "answer": _answered,
    "move": _moved,
    "pause": _paused,
    "resume": _resumed,
    "reveal": _revealed,
    "leave": _left,
}
"""What the form sends -> what follows; None closes the study."""


def _at(desk: Desk, reading: Reading, place: int) -> Step:
    """That place, or the nearest that may be seen; one past the end is "all answered"."""
    stand = _stand(desk, reading)
    furthest = len(stand.order) - 1
    if not stand.revealed:
        furthest = len(stand.order) if stand.first_open is None else stand.last_place
    return Step(
        Reading(reading.study, reading.reader, max(0, min(place, furthest)), reading.on_panes),
        stand,
    )


def _stand(desk: Desk, reading: Reading) -> Standing:
    return standing(desk.records.engine, reading.study, reading.reader)


def _note_seen(desk: Desk, reading: Reading, event: Any) -> None:
    if event.item is not None and not _stand(desk, reading).revealed:
        _note(desk, reading, "viewed", event)


def _note(desk: Desk, reading: Reading, kind: Any, event: Any) -> None:
    item = None if event.item is None else int(event.item)
    seconds = None if item is None else max(0.0, float(event.seconds))
    note(desk.records.writing, reading.study, reading.reader, kind, item, seconds)


def _page(desk: Desk, act: Callable[[], Step | None]) -> tuple[Any, ...]:
    """The outputs after `act`; what it refuses is said, and nothing else changes."""
    try:
        step = act()
    except UserError as error:
        problem = f'<p class="note problem" role="alert">{escape(str(error))}</p>'
        return gr.skip(), gr.skip(), problem, *(gr.skip() for _ in range(5))
    if step is None:
        closed = gr.Column(visible=True), gr.Row(visible=False)
        return "", show_panes(None), "", "", None, *closed, None
    over = step.stand.revealed
    form = _form(desk, step)
    panes, on_panes = _panes(desk, step)
    now = Reading(step.reading.study, step.reading.reader, step.reading.place, on_panes)
    figures = figures_html(desk.records.engine, now.study) if over else ""
    opened = gr.Column(visible=False), gr.Row(visible=over)
    return form, panes, "", figures, now, *opened, None if over else [now.study, now.reader]


def _form(desk: Desk, step: Step) -> str:
    stand, place = step.stand, step.reading.place
    if stand.revealed:
        return revealed_html(desk.records.engine, stand, place)
    if step.paused:
        return paused_html(stand)
    if place >= len(stand.order):
        return finished_html(stand)
    try:
        study = desk.catalogue.study(stand.study.items[stand.order[place]].case)
    except UserError as error:
        return question_html(stand, place, (), str(error))
    names = in_reading_order([sequence.name for sequence in study.sequences])
    return question_html(stand, place, names)


def _panes(desk: Desk, step: Step) -> tuple[Any, tuple[str, bool] | None]:
    """The study at hand, masks only after the reveal; left alone where it is shown already."""
    stand, place = step.stand, step.reading.place
    if step.paused or place >= len(stand.order):
        return show_panes(None), None
    wanted = stand.study.items[stand.order[place]].case, stand.revealed
    if wanted == step.reading.on_panes:
        return gr.skip(), wanted
    try:
        study = desk.catalogue.study(wanted[0])
    except UserError:
        return show_panes(None), None
    overlays = overlays_of(study, desk.predicted(study)) if stand.revealed else ()
    return show_panes(pane_spec(study, overlays)), wanted


def _choices(desk: Desk, chosen: str | None) -> list[Any]:
    """What can be chosen now; the reader study that is chosen already stays so."""
    names = study_names(desk.records.engine)
    first = {} if chosen in names else {"value": names[0] if names else None}
    categories = sorted({category_of(q.category, q.stem) for q in desk.questions.questions})
    return [
        gr.Dropdown(choices=names, **first),
        gr.Dropdown(choices=[study.id for study in desk.catalogue.studies]),
        gr.Dropdown(choices=categories),
        gr.Dropdown(choices=values_of(desk.records.engine, "model")),
        gr.Dropdown(choices=values_of(desk.records.engine, "score")),
    ]


def _made(desk: Desk, values: Sequence[Any]) -> tuple[str, Any]:
    name, seed, most, cases, categories, models, scores, text = values
    chosen = QuestionFilter(
        tuple(cases or ()),
        tuple(categories or ()),
        tuple(models or ()),
        tuple(scores or ()),
        text or "",
    )
    try:
        questions = chosen_questions(desk, chosen)
        study = make_study(
            desk.records.writing, name or "", questions, int(seed or 0), int(most or 0)
        )
    except UserError as error:
        return f'<p class="note problem" role="alert">{escape(str(error))}</p>', gr.skip()
    said = f"{escape(study.name)}: {len(study.items)} questions, seed {study.seed}"
    names = study_names(desk.records.engine)
    return f'<p class="note" role="status">{said}</p>', gr.Dropdown(choices=names, value=study.name)


def _written(desk: Desk, kind: str, reading: Reading) -> Path | None:
    """A file of the study for a reader who has seen the truth; None for anybody else."""
    if kind not in FORMATS or not _stand(desk, reading).revealed:
        return None
    engine = desk.records.engine
    return served_file("readers", kind, lambda path: export_readers(engine, path, [reading.study]))
