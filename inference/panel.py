"""The right-hand column: question, input, model, answer. Layout only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import gradio as gr

from inference.panel_choice import Entry, build_choice
from inference.panel_own import OwnPanel, build_own
from inference.representations import REPRESENTATIONS

ORDERS = [
    ("as in the file", "original"),
    ("file's shuffle", "shuffled"),
    ("by seed", "seed"),
]
SLICE_SOURCES = [
    ("expert mask, else predicted, else brain's centre", "auto"),
    ("expert mask", "expert"),
    ("predicted mask", "predicted"),
    ("brain's centre", "centre"),
    ("the slice sent by Use this slice", "user"),
]

UNCHECKED = {"preprocess": False}
"""For every event that takes `AskPanel.inputs`.

When studies change quickly the page may still send the question of the one
before. Gradio would refuse it, since its own list has moved on, with an error
over the page; our handlers know what such a question means.
"""

TELL_INPUT = """
const tell = () => {
  const found = element.querySelector("[data-slices]");
  window.modelInput = found ? { ...found.dataset } : null;
  document.dispatchEvent(new CustomEvent("model-input", { detail: window.modelInput }));
};
new MutationObserver(tell).observe(element, {
  childList: true, subtree: true, attributes: true, attributeFilter: ["data-study", "data-slices"],
});
tell();
"""
"""Tells the panes which slices the model input shows, so that they can mark them.

Gradio may change what is there in place instead of putting new elements.
"""


@dataclass(frozen=True)
class AskPanel:
    """The components, in the order that `inputs` hands to a handler."""

    question: gr.Dropdown
    order: gr.Radio
    seed: gr.Number
    representation: gr.HTML
    slice_from: gr.Dropdown
    include_masks: gr.Checkbox
    convention: gr.Radio
    model: gr.Dropdown
    at_mm: gr.State
    conventions: gr.State
    without: gr.Checkbox
    every_order: gr.Checkbox
    truth: gr.Checkbox
    ask: gr.Button
    cancel: gr.Button
    card: gr.HTML
    answer: gr.HTML
    ablation: gr.HTML
    pictures: gr.HTML
    own: OwnPanel

    def inputs(self) -> list[gr.components.Component]:
        """What the user chose, as the fields of `inference.choices.Choices` after the study."""
        names = [field.name for field in fields(self)]
        return [getattr(self, name) for name in names[: names.index("without")]]


def build_ask_panel(models: Sequence[str], model: str) -> AskPanel:
    """Lay the column out; `inference.panel_ask.wire` brings it to life."""
    question = gr.Dropdown(
        choices=[], label="Question", elem_id="question", filterable=True, interactive=True
    )
    own = build_own()
    card = gr.HTML(elem_id="question-card")
    representation, model_choice = _input_row(models, model)
    order, seed, slice_from, include_masks, convention = _more_settings()
    with gr.Row(elem_id="ask-row"):
        ask = gr.Button("Ask", variant="primary", elem_id="ask", scale=2)
        cancel = gr.Button("Cancel", elem_id="cancel", interactive=False, scale=1)
    with gr.Row():
        truth = gr.Checkbox(label="Show the truth", elem_id="truth", value=False)
        without = gr.Checkbox(label="Also without picture", elem_id="without", value=True)
        every_order = gr.Checkbox(label="Also in every order", elem_id="every-order", value=False)
    at_mm, conventions = gr.State(None), gr.State(())
    answer = gr.HTML(elem_id="answer")
    ablation = gr.HTML(elem_id="ablation")
    pictures = gr.HTML(elem_id="model-input", js_on_load=TELL_INPUT)
    return AskPanel(
        question, order, seed, representation, slice_from, include_masks, convention,
        model_choice, at_mm, conventions, without, every_order, truth, ask, cancel, card, answer,
        ablation, pictures, own,
    )  # fmt: skip


def representation_entries(reasons: Mapping[str, str | None] | None = None) -> list[Entry]:
    """Every representation; those with a reason cannot be chosen."""
    told = reasons or {}
    return [Entry(row.name, row.about, told.get(row.name)) for row in REPRESENTATIONS.values()]


def _input_row(models: Sequence[str], model: str) -> tuple[gr.HTML, gr.Dropdown]:
    representation = build_choice(
        representation_entries(), "multi-slice", "Input representation", "representation"
    )
    model_choice = gr.Dropdown(
        choices=list(models),
        value=model,
        label="Model (a name, a folder or a hub id)",
        elem_id="model",
        allow_custom_value=True,
    )
    return representation, model_choice


def _more_settings() -> tuple[gr.Radio, gr.Number, gr.Dropdown, gr.Checkbox, gr.Radio]:
    with gr.Accordion("Order, slice, masks, sides", open=False, elem_id="more-settings"):
        with gr.Row():
            order = gr.Radio(
                ORDERS, value="original", label="Order of the options", elem_id="order"
            )
            seed = gr.Number(value=0, precision=0, label="Seed", elem_id="seed", min_width=80)
        slice_from = gr.Dropdown(
            SLICE_SOURCES, value="auto", label="What picks the slice", elem_id="slice-from"
        )
        include_masks = gr.Checkbox(
            label="Include masks in the pictures", value=False, elem_id="include-masks"
        )
        convention = gr.Radio(
            [("as the model's row says", ""),
             ("right on the left (radiological)", "radiological"),
             ("right on the right (neurological)", "neurological")],
            value="", label="Sides in the model's pictures", elem_id="model-sides",
        )  # fmt: skip
    return order, seed, slice_from, include_masks, convention
