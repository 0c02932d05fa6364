"""The Sets page: layout only. `inference.panel_sets_run.wire` brings it to life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gradio as gr

from inference.ablations import ROWS
from inference.panel import representation_entries
from inference.panel_choice import build_choice
from inference.patterns import PATTERNS
from viewer.study import SEQUENCE_ORDER

ORDERS = {
    "as in the file": ("original",),
    "the file's shuffle": ("shuffled",),
    "both": ("original", "shuffled"),
    "four cyclic orders": ("original", "cyclic-1", "cyclic-2", "cyclic-3"),
}


NOT_OFFERED = {"blank", "text-only", "reshuffled", "without", "alone"}
"""The first three are representations and orders here; the last two are done to a sequence."""

SET_ABLATIONS = (
    *(row.name for row in ROWS if row.name not in NOT_OFFERED),
    *(f"{name}:{sequence}" for name in ("without", "alone") for sequence in SEQUENCE_ORDER[:4]),
)

READ_FROM = {"option probabilities": False, "free replies": True}
"""What answers are read from: whether the model writes."""


@dataclass(frozen=True)
class SetsPanel:
    """What is selected, the run over it, and what is shown of its records."""

    tab: gr.Tab
    studies: gr.Dropdown
    categories: gr.Dropdown
    models: gr.Dropdown
    representations: gr.HTML
    orders: gr.Radio
    read_from: gr.Radio
    ablations: gr.Dropdown
    run: gr.Button
    cancel: gr.Button
    refresh: gr.Button
    progress: gr.HTML
    first: gr.Dropdown
    second: gr.Dropdown
    pattern: gr.Dropdown
    accuracy: gr.HTML
    accuracy_chart: gr.Plot
    calibration_chart: gr.Plot
    difference: gr.HTML
    behaviour: gr.HTML
    found: gr.HTML


def build_sets(models: Sequence[str], model: str) -> SetsPanel:
    """Lay the page out, as a tab of its own."""
    with gr.Tab("Sets of questions", id="sets-page") as tab:
        with gr.Row(elem_classes="compare-controls"):
            studies = _several("Studies (none chosen: all)", "sets-studies")
            categories = _several("Categories shown (none chosen: all)", "sets-categories")
            chosen = _several("Models", "sets-models", list(models), [model])
        with gr.Row(elem_classes="compare-controls"):
            representations = build_choice(
                representation_entries(),
                ["single-slice", "multi-slice", "montage", "blank", "text-only"],
                "Input representations",
                "sets-representations",
            )
            orders = gr.Radio(
                list(ORDERS), value="both", label="Orders of the options", elem_id="sets-orders"
            )
            read_from = gr.Radio(
                list(READ_FROM), value=next(iter(READ_FROM)), label="Answers read from",
                elem_id="sets-read-from",
            )  # fmt: skip
            ablations = _several("Ablations besides", "sets-ablations", SET_ABLATIONS)
        with gr.Row(elem_classes="compare-buttons"):
            run = gr.Button("Run what is missing", variant="primary", elem_id="sets-run", scale=0)
            cancel = gr.Button("Cancel", elem_id="sets-cancel", interactive=False, scale=0)
            refresh = gr.Button("Show what is recorded", elem_id="sets-refresh", scale=0)
        progress = gr.HTML(elem_id="sets-progress")
        accuracy = gr.HTML(elem_id="sets-accuracy")
        with gr.Row():
            first = gr.Dropdown(choices=[], label="A", elem_id="sets-first")
            second = gr.Dropdown(choices=[], label="B", elem_id="sets-second")
            pattern = gr.Dropdown(
                choices=list(PATTERNS), value=next(iter(PATTERNS)), label="Pattern",
                elem_id="sets-pattern",
            )  # fmt: skip
        difference = gr.HTML(elem_id="sets-difference")
        with gr.Row(elem_id="sets-charts"):
            accuracy_chart = _chart("Accuracy", "sets-accuracy-chart")
            calibration_chart = _chart("Calibration", "sets-calibration-chart")
        behaviour = gr.HTML(elem_id="sets-behaviour")
        found = gr.HTML(elem_id="sets-found")
    return SetsPanel(
        tab, studies, categories, chosen, representations, orders, read_from, ablations,
        run, cancel, refresh, progress,
        first, second, pattern, accuracy, accuracy_chart, calibration_chart, difference,
        behaviour, found,
    )  # fmt: skip


def _chart(label: str, name: str) -> gr.Plot:
    return gr.Plot(label=label, show_label=False, elem_id=name)


def _several(
    label: str, name: str, choices: Sequence[str] = (), value: Sequence[str] = ()
) -> gr.Dropdown:
    return gr.Dropdown(
        choices=list(choices),
        value=list(value),
        multiselect=True,
        allow_custom_value=name == "sets-models",
        label=label,
        elem_id=name,
    )
