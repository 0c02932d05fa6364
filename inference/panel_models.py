"""The Models page: layout only. `inference.panel_models_run.wire` brings it to life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gradio as gr

from inference.model_options import OPTIONS, Option

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
        options = _option_inputs()
        with gr.Row():
            keep = gr.Button("Use these", elem_id="models-keep")
            reset = gr.Button("Back to its card", elem_id="models-reset")
    table = gr.HTML(elem_id="models-table")
    return ModelsPanel(table, chosen, load, free, status, residents, options, keep, reset)


def _option_inputs() -> tuple[gr.components.Component, ...]:
    inputs: list[gr.components.Component] = []
    for start in range(0, len(OPTIONS), A_ROW):
        with gr.Row():
            inputs += [_input(option) for option in OPTIONS[start : start + A_ROW]]
    return tuple(inputs)


def _input(option: Option) -> gr.components.Component:
    name = f"models-{option.name.replace('_', '-')}"
    if option.type == "choice":
        return gr.Dropdown(list(option.choices), label=option.label, elem_id=name)
    if option.type == "flag":
        return gr.Checkbox(label=option.label, elem_id=name)
    return gr.Number(label=option.label, precision=0 if option.whole else 2, elem_id=name)
