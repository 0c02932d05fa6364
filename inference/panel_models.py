"""The Models page: layout only. `inference.panel_models_run.wire` brings it to life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gradio as gr

from viewer.windows import RULES

CROPS = [("whole slice", "full"), ("200 mm around the brain", "brain-200mm")]
CAPTIONS = [("after its picture", "after"), ("before it", "before"), ("none", "none")]
ABOUT = (
    "What each model can be asked with, and whether it loads on this machine. A folder, a hub id "
    "(owner/name), `server:NAME` or a name with `@4bit` or `@8bit` may be typed too."
)


@dataclass(frozen=True)
class ConventionInputs:
    """What the user may change of a model's conventions, in the order of `Conventions`."""

    window_rule: gr.Dropdown
    crop: gr.Dropdown
    size: gr.Number
    volume_pictures: gr.Number
    max_pictures: gr.Number
    caption_place: gr.Dropdown

    def all(self) -> list[gr.components.Component]:
        """The components in order."""
        return [
            self.window_rule,
            self.crop,
            self.size,
            self.volume_pictures,
            self.max_pictures,
            self.caption_place,
        ]


@dataclass(frozen=True)
class ModelsPanel:
    """The table, the model that is looked at, its memory and its conventions."""

    table: gr.HTML
    model: gr.Dropdown
    load: gr.Button
    free: gr.Button
    status: gr.HTML
    conventions: ConventionInputs
    keep: gr.Button
    reset: gr.Button


def build_models(models: Sequence[str], model: str) -> ModelsPanel:
    """Lay the page out."""
    gr.Markdown(ABOUT)
    table = gr.HTML(elem_id="models-table")
    with gr.Row():
        chosen = gr.Dropdown(
            choices=list(models),
            value=model,
            label="Model (a name, a folder or a hub id)",
            allow_custom_value=True,
            elem_id="models-model",
        )
        load = gr.Button("Load it now", elem_id="models-load")
        free = gr.Button("Free the memory", elem_id="models-free")
    status = gr.HTML(elem_id="models-status")
    with gr.Accordion("How this model is shown a study", open=True, elem_id="models-conventions"):
        conventions = _convention_inputs()
        with gr.Row():
            keep = gr.Button("Use these", elem_id="models-keep")
            reset = gr.Button("Back to its card", elem_id="models-reset")
    return ModelsPanel(table, chosen, load, free, status, conventions, keep, reset)


def _convention_inputs() -> ConventionInputs:
    with gr.Row():
        window_rule = gr.Dropdown(list(RULES), label="Intensities", elem_id="models-window")
        crop = gr.Dropdown(CROPS, label="Field of view", elem_id="models-crop")
        caption_place = gr.Dropdown(CAPTIONS, label="Caption", elem_id="models-caption")
    with gr.Row():
        size = gr.Number(precision=0, label="Side in pixels (0: as stored)", elem_id="models-size")
        volume = gr.Number(precision=0, label="Slices of a volume", elem_id="models-volume")
        most = gr.Number(precision=0, label="Most pictures of one ask", elem_id="models-most")
    return ConventionInputs(window_rule, crop, size, volume, most, caption_place)
