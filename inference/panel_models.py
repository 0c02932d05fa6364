"""The Models page: layout only. `inference.panel_models_run.wire` brings it to life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from inference.conventions import conventions_of
from inference.model_options import OPTIONS, Option
from inference.models.entries import ModelEntry
from inference.models.table import model_entry
from viewer.errors import UserError

ABOUT = (
    "What each model can be asked with, and whether it loads on this machine. A folder, a hub id "
    "(owner/name), `server:NAME`, `volume-server:NAME` or, with CUDA, a name with `@4bit` or "
    "`@8bit` may be typed too."
)
ON_LOAD = """
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-free]");
  if (button) trigger("let_go", { name: button.dataset.free });
});
"""
A_ROW = 4
"""Inputs side by side."""


@dataclass(frozen=True)
class ModelsPanel:
    """The table, the model looked at, the memory; `options` are in the order of `OPTIONS`."""

    table: gr.HTML
    model: gr.Dropdown
    load: gr.Button
    free: gr.Button
    status: gr.HTML
    residents: gr.HTML
    options: tuple[gr.components.Component, ...]
    keep: gr.Button
    reset: gr.Button


def build_models(models: Sequence[str], model: str) -> ModelsPanel:
    """Lay the page out."""
    gr.Markdown(ABOUT)
    with gr.Row():
        chosen = gr.Dropdown(
            choices=list(models),
            value=model,
            label="Model (a name, a folder or a hub id)",
            allow_custom_value=True,
            elem_id="models-model",
        )
        load = gr.Button("Load it now", elem_id="models-load")
        free = gr.Button("Free all memory", elem_id="models-free")
    status = gr.HTML(elem_id="models-status")
    residents = gr.HTML(elem_id="models-residents", js_on_load=ON_LOAD)
    with gr.Accordion(
        "How this model is shown a study and asked", open=True, elem_id="models-conventions"
    ):
        options = _option_inputs(model)
        with gr.Row():
            keep = gr.Button("Use these", elem_id="models-keep")
            reset = gr.Button("Back to its card", elem_id="models-reset")
    table = gr.HTML(elem_id="models-table")
    return ModelsPanel(table, chosen, load, free, status, residents, options, keep, reset)


def _option_inputs(model: str) -> tuple[gr.components.Component, ...]:
    """With the model's values from the start: what came later could undo what was typed."""
    entry = _entry(model)
    values = conventions_of(entry).values() if entry else [None] * len(OPTIONS)
    means = [entry is None or option.means_for(entry) for option in OPTIONS]
    told = list(zip(OPTIONS, values, means, strict=True))
    inputs: list[gr.components.Component] = []
    for start in range(0, len(told), A_ROW):
        with gr.Row():
            inputs += [_input(*each) for each in told[start : start + A_ROW]]
    return tuple(inputs)


def _entry(model: str) -> ModelEntry | None:
    try:
        return model_entry(model)
    except UserError:
        return None


def _input(option: Option, value: Any, visible: bool) -> gr.components.Component:
    name = f"models-{option.name.replace('_', '-')}"
    said = {"value": value, "label": option.label, "visible": visible, "elem_id": name}
    if option.type == "choice":
        return gr.Dropdown(list(option.choices), **said)
    if option.type == "flag":
        return gr.Checkbox(**said)
    return gr.Number(precision=0 if option.whole else 2, **said)
