"""The Compare page: layout only. `inference.panel_compare_run.wire` brings it to life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gradio as gr

from inference.panel import representation_entries
from inference.panel_choice import build_choice
from inference.panel_sets import SetsPanel, build_sets
from inference.representations import REPRESENTATIONS

ORDERS = [
    ("every cyclic order", "cyclic"),
    ("as in the file", "original"),
    ("as in the file, and the file's shuffle", "file"),
]

ON_LOAD = """
element.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-cell]");
  if (cell && !cell.disabled) trigger("pick", { cell: Number(cell.dataset.cell) });
});
"""


@dataclass(frozen=True)
class GridPanel:
    """Models, representations and orders; the grid; two of its cells."""

    models: gr.Dropdown
    representations: gr.HTML
    orders: gr.Radio
    run: gr.Button
    cancel: gr.Button
    grid: gr.HTML
    pair: gr.HTML


@dataclass(frozen=True)
class AblationPanel:
    """The table of ablations, the verdicts and the evidence."""

    orders: gr.Radio
    run: gr.Button
    cancel: gr.Button
    table: gr.HTML
    verdicts: gr.HTML
    evidence: gr.HTML


@dataclass(frozen=True)
class ComparePanel:
    """What is compared, whether the truth is shown, and the three ways of comparing."""

    about: gr.HTML
    truth: gr.Checkbox
    grid: GridPanel
    ablations: AblationPanel
    sets: SetsPanel


def build_compare(models: Sequence[str], model: str) -> ComparePanel:
    """Lay the page out."""
    about = gr.HTML(elem_id="compare-about")
    truth = gr.Checkbox(
        label="Show the truth", value=True, elem_id="compare-truth", container=False
    )
    with gr.Tabs(elem_id="compare-pages"):
        with gr.Tab("Grid", id="compare-grid-page"):
            grid = _grid_panel(models, model)
        with gr.Tab("Ablations and evidence", id="ablations-page"):
            ablations = _ablation_panel()
        sets = build_sets(models, model)
    return ComparePanel(about, truth, grid, ablations, sets)


def _grid_panel(models: Sequence[str], model: str) -> GridPanel:
    with gr.Row(elem_classes="compare-controls"):
        chosen = gr.Dropdown(
            choices=list(models),
            value=[model],
            multiselect=True,
            allow_custom_value=True,
            label="Models",
            elem_id="compare-models",
        )
        orders = _orders("compare-orders")
    representations = build_choice(
        representation_entries(),
        list(REPRESENTATIONS),
        "Input representations",
        "compare-representations",
    )
    run, cancel = _buttons("Compare", "compare")
    grid = gr.HTML(elem_id="compare-grid", js_on_load=ON_LOAD)
    pair = gr.HTML(elem_id="compare-pair")
    return GridPanel(chosen, representations, orders, run, cancel, grid, pair)


def _ablation_panel() -> AblationPanel:
    orders = _orders("ablation-orders")
    run, cancel = _buttons("Run the ablations", "ablations")
    table = gr.HTML(elem_id="ablation-table")
    with gr.Row():
        verdicts = gr.HTML(elem_id="verdicts")
        evidence = gr.HTML(elem_id="evidence")
    return AblationPanel(orders, run, cancel, table, verdicts, evidence)


def _orders(name: str) -> gr.Radio:
    return gr.Radio(ORDERS, value="cyclic", label="Orders of the options", elem_id=name)


def _buttons(label: str, name: str) -> tuple[gr.Button, gr.Button]:
    with gr.Row(elem_classes="compare-buttons"):
        run = gr.Button(label, variant="primary", elem_id=f"{name}-run", scale=0)
        cancel = gr.Button("Cancel", elem_id=f"{name}-cancel", interactive=False, scale=0)
    return run, cancel
