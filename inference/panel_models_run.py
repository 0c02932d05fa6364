"""The Models page at work: the table, the memory, and the user's changes to conventions."""

from __future__ import annotations

import threading
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
from inference.model_options import OPTIONS
from inference.model_rows import models_table
from inference.models.machine import this_machine
from inference.models.table import MODELS, model_entry
from inference.panel import AskPanel
from inference.panel_models import ModelsPanel
from inference.residents import residents_html, with_what_can_be_freed
from viewer.errors import UserError
from viewer.live import Done, watch
from viewer.panel_turns import EACH, LATEST, ONCE, heard

Changes = tuple[Conventions, ...]


def wire(panel: ModelsPanel, desk: Callable[[], Desk], tab: gr.Tab, ask: AskPanel) -> None:
    """Connect the page; the changes go where the asks take them from (`ask.conventions`)."""
    inputs, quiet = list(panel.options), {"show_progress": "hidden"}
    now = [ask.conventions, panel.model]
    memory = [panel.residents, panel.table]

    def told(changes: Changes, model: str) -> tuple[str, str]:
        return _memory(desk(), changes, model)

    def show(changes: Changes, model: str) -> tuple[Any, ...]:
        return _shown(changes, model)

    def keep(changes: Changes, model: str, *values: Any) -> tuple[Any, ...]:
        try:
            new = changed(changes, checked(model_entry(model), values))
        except UserError as error:
            return changes, gr.skip(), problem_card(str(error))
        return new, _table(desk(), new, model), _line(f"{model} is asked so from now on.")

    def reset(changes: Changes, model: str) -> tuple[Any, ...]:
        new = without(changes, model)
        return new, _table(desk(), new, model), *_shown(new, model)

    def load(changes: Changes, model: str) -> Iterator[tuple[Any, ...]]:
        yield from _loading(desk(), changes, model)

    def free(changes: Changes, model: str) -> tuple[str, ...]:
        desk().host.free()
        return _line("The memory is free."), *_memory(desk(), changes, model)

    def let_go(event: gr.EventData, changes: Changes, model: str) -> tuple[str, ...]:
        desk().host.free(str(event.name))
        return _line(f"The memory of {event.name} is free."), *_memory(desk(), changes, model)

    tab.select(told, now, memory, **quiet, **LATEST)
    heard(panel.model.change)(show, now, [panel.status, *inputs], **quiet, **LATEST)
    heard(panel.model.change)(told, now, memory, **quiet, **LATEST)
    panel.keep.click(keep, [*now, *inputs], [ask.conventions, panel.table, panel.status], **quiet)
    panel.reset.click(reset, now, [ask.conventions, panel.table, panel.status, *inputs], **quiet)
    changing = [panel.status, *memory]
    panel.load.click(load, now, changing, concurrency_limit=4, **quiet, **ONCE)
    panel.free.click(free, now, changing, concurrency_limit=4, **quiet)
    panel.residents.let_go(let_go, now, changing, concurrency_limit=4, **quiet, **EACH)


def _memory(desk: Desk, changes: Changes, model: str) -> tuple[str, str]:
    return residents_html(desk.host.status()), _table(desk, changes, model)


def _table(desk: Desk, changes: Changes, model: str) -> str:
    entries = dict(MODELS)
    try:
        entry = model_entry(model)
        entries.setdefault(entry.name, entry)
    except UserError:
        pass
    residents = desk.host.status().residents
    machine = with_what_can_be_freed(this_machine(), residents)
    return models_table(entries.values(), machine, changes, [each.name for each in residents])


def _shown(changes: Changes, model: str) -> tuple[Any, ...]:
    """The status line, and the inputs with that model's values; those without meaning are gone."""
    try:
        entry = with_conventions(model_entry(model), changes)
    except UserError as error:
        return problem_card(str(error)), *(gr.skip() for _ in OPTIONS)
    values = conventions_of(entry).values()
    return "", *(
        gr.update(value=value, visible=option.means_for(entry))
        for option, value in zip(OPTIONS, values, strict=True)
    )


def _loading(desk: Desk, changes: Changes, model: str) -> Iterator[tuple[Any, ...]]:
    """How far the load is, then what is in memory, or the sentence that says why it is not."""

    def work(say: Callable[[tuple[float, str]], None], stop: Callable[[], bool]) -> str:
        return desk.host.load(model, lambda share, text: say((share, text))).dtype_reason

    text, share = "waiting for its turn", 0.0
    try:
        for step in watch(work, threading.Event()):
            if isinstance(step, Done):
                told = f"{model} is in memory. {step.result}"
                yield _line(told), *_memory(desk, changes, model)
                return
            if step.news:
                share, text = step.news[-1]
            yield _line(f"{text} · {step.seconds:.0f} s", share), gr.skip(), gr.skip()
    except UserError as error:
        yield problem_card(str(error)), *_memory(desk, changes, model)


def _line(text: str, share: float | None = None) -> str:
    return render_html("models_status.html", text=text, share=share)
