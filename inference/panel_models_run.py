"""The Models page at work: the table, the memory, and the user's changes to conventions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr

from inference.cards import problem_card
from inference.conventions import (
    Conventions,
    changed,
    checked,
    conventions_of,
    with_conventions,
    without,
)
from inference.desk import Desk
from inference.html import render_html
from inference.model_rows import models_table
from inference.models.machine import this_machine
from inference.models.table import MODELS, model_entry
from inference.panel import AskPanel
from inference.panel_models import ModelsPanel
from inference.representations import REPRESENTATIONS
from inference.takes import takes
from viewer.errors import UserError
from viewer.live import Done, watch

Changes = tuple[Conventions, ...]


def wire(
    panel: ModelsPanel,
    desk: Callable[[], Desk],
    tab: gr.Tab,
    ask: AskPanel,
    study: gr.Radio,
) -> None:
    """Connect the page; the changes go where the asks take them from (`ask.conventions`)."""
    inputs, quiet = panel.conventions.all(), {"show_progress": "hidden"}

    def table(changes: Changes, model: str) -> str:
        return _table(desk(), changes, model)

    def show(changes: Changes, model: str) -> tuple[Any, ...]:
        return _shown(changes, model)

    def keep(changes: Changes, model: str, *values: Any) -> tuple[Any, ...]:
        try:
            new = changed(changes, checked(model_entry(model).name, *values))
        except UserError as error:
            return changes, gr.skip(), problem_card(str(error))
        return new, _table(desk(), new, model), ""

    def reset(changes: Changes, model: str) -> tuple[Any, ...]:
        new = without(changes, model)
        return new, _table(desk(), new, model), *_shown(new, model)

    def load(changes: Changes, model: str) -> Iterator[tuple[str, Any]]:
        yield from _loading(desk(), changes, model)

    def free(changes: Changes, model: str) -> tuple[str, str]:
        desk().host.free()
        return _line("The memory is free."), _table(desk(), changes, model)

    now = [ask.conventions, panel.model]
    tab.select(table, now, panel.table, **quiet)
    tab.select(show, now, [panel.status, *inputs], **quiet)
    panel.model.change(show, now, [panel.status, *inputs], **quiet)
    panel.model.change(table, now, panel.table, **quiet)
    panel.keep.click(keep, [*now, *inputs], [ask.conventions, panel.table, panel.status], **quiet)
    panel.reset.click(reset, now, [ask.conventions, panel.table, panel.status, *inputs], **quiet)
    panel.load.click(
        load, now, [panel.status, panel.table], concurrency_limit=4, trigger_mode="once", **quiet
    )
    panel.free.click(free, now, [panel.status, panel.table], concurrency_limit=4, **quiet)
    _wire_representations(desk, ask, study)


def _wire_representations(desk: Callable[[], Desk], ask: AskPanel, study: gr.Radio) -> None:
    """What the chosen model cannot take says so in the list, with the reason."""

    def mark(study_id: str | None, model: str, changes: Changes) -> Any:
        return gr.Dropdown(choices=representation_choices(desk(), study_id, model, changes))

    chosen = [study, ask.model, ask.conventions]
    for component in chosen:
        component.change(
            mark, chosen, ask.representation, show_progress="hidden", trigger_mode="always_last"
        )


def representation_choices(
    desk: Desk, study_id: str | None, model: str, changes: Changes
) -> list[tuple[str, str]]:
    """(label, name) of every representation; the label tells why one cannot be taken."""
    rows = [(row.name, f"{row.name}: {row.about}") for row in REPRESENTATIONS.values()]
    try:
        entry = with_conventions(model_entry(model), changes)
        found = desk.catalogue.study(study_id) if study_id else None
    except UserError:
        return [(label, name) for name, label in rows]
    reasons = {name: takes(entry, name, found) if found else None for name, _ in rows}
    return [
        (f"{name} \u2298 not possible: {reasons[name]}" if reasons[name] else label, name)
        for name, label in rows
    ]


def _table(desk: Desk, changes: Changes, model: str) -> str:
    entries = dict(MODELS)
    try:
        entry = model_entry(model)
        entries.setdefault(entry.name, entry)
    except UserError:
        pass
    return models_table(entries.values(), this_machine(), changes, desk.host.status().name)


def _shown(changes: Changes, model: str) -> tuple[Any, ...]:
    """The status line and the inputs' values for that model."""
    try:
        told = conventions_of(with_conventions(model_entry(model), changes))
    except UserError as error:
        return problem_card(str(error)), *(gr.skip() for _ in range(6))
    return (
        "",
        told.window_rule,
        told.crop,
        told.size or 0,
        told.volume_pictures,
        told.max_pictures,
        told.caption_place,
    )


def _loading(desk: Desk, changes: Changes, model: str) -> Iterator[tuple[str, Any]]:
    """How far the load is, then what is in memory, or the sentence that says why nothing is."""
    import threading

    def work(say: Callable[[tuple[float, str]], None], stop: Callable[[], bool]) -> str:
        desk.host.load(model, lambda share, text: say((share, text)))
        return desk.host.status().dtype_reason or ""

    text, share = "waiting for its turn", 0.0
    try:
        for step in watch(work, threading.Event()):
            if isinstance(step, Done):
                told = f"{model} is in memory. {step.result}"
                yield _line(told), _table(desk, changes, model)
                return
            if step.news:
                share, text = step.news[-1]
            yield _line(f"{text} · {step.seconds:.0f} s", share), gr.skip()
    except UserError as error:
        yield problem_card(str(error)), _table(desk, changes, model)


def _line(text: str, share: float | None = None) -> str:
    return render_html("models_status.html", text=text, share=share)
