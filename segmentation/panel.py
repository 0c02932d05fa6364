"""Below the panes: make a predicted mask, and read both masks as numbers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from segmentation.overlays import findings_url, overlays_of
from segmentation.store import MaskStore
from segmentation.tables import mask_numbers, mask_table, problem_html, progress_html
from segmentation.weights import EMBEDDED, find_weights, weights_names
from viewer.arrays import LabelMap
from viewer.errors import UserError
from viewer.live import Cancels, Newest, Soon, watch
from viewer.panel import show_panes
from viewer.panel_turns import LATEST, ONCE, STAMPED, a_moment, heard
from viewer.panes import pane_spec
from viewer.study import Study, shown_name


@dataclass(frozen=True)
class MaskPanel:
    """The components, for whoever wires them."""

    weights: gr.Dropdown
    run: gr.Button
    cancel: gr.Button
    progress: gr.HTML
    table: gr.HTML


@dataclass(frozen=True)
class MaskDesk:
    """What the handlers need: studies by id, arrays, and the masks that were made."""

    study: Callable[[str], Study]
    masks: Callable[[], MaskStore]


def build_mask_panel() -> MaskPanel:
    """Lay it out; `wire` brings it to life."""
    with gr.Row(elem_id="mask-row"):
        with gr.Column():
            progress = gr.HTML(elem_id="mask-progress")
            table = gr.HTML(elem_id="mask-table")
        with gr.Column(elem_id="mask-controls", min_width=180, scale=0):
            weights = gr.Dropdown(
                choices=list(weights_names()),
                value=EMBEDDED,
                label="Weights: name or path",
                elem_id="weights",
                allow_custom_value=True,
            )
            run = gr.Button("Segment", elem_id="segment")
            cancel = gr.Button("Cancel", elem_id="cancel-segment", visible=False)
    return MaskPanel(weights, run, cancel, progress, table)


def wire(panel: MaskPanel, desk: MaskDesk, study: gr.HTML, panes: gr.HTML) -> None:
    """Show a study's masks when it is chosen, and its predicted one when it is made.

    A mask takes a while, in which the user may go to other studies: the run tells
    of itself in a place of its own, and what it made is shown where its study still is.
    """
    runs, shown_last = Cancels(), Newest()

    def choose(request: gr.Request, study_id: str | None, at: float) -> Any:
        if not shown_last.take(request.session_hash or "", at):
            return gr.skip(), gr.skip()
        if not study_id:
            return show_panes(None), ""
        return _shown(desk, desk.study(study_id))

    def segment(study_id: str | None, name: str, request: gr.Request) -> Iterator[Any]:
        if not study_id:
            yield "Choose a study first.", *_idle()
            return
        cancelled = runs.begin(request.session_hash or "")
        yield from _segmenting(desk, desk.study(study_id), name, cancelled)
        runs.end(request.session_hash or "", cancelled)

    def cancel(request: gr.Request) -> None:
        runs.cancel(request.session_hash or "")

    outputs = [panes, panel.table]
    moment = a_moment()
    heard(study.change)(
        choose, [study, moment], outputs, show_progress="hidden", **LATEST, **STAMPED
    )
    panel.run.click(
        segment,
        [study, panel.weights],
        [panel.progress, panel.run, panel.cancel],
        show_progress="hidden",
        concurrency_limit=4,
        **ONCE,
    ).then(choose, [study, moment], outputs, show_progress="hidden", **LATEST, **STAMPED)
    panel.cancel.click(cancel, None, None, show_progress="hidden", concurrency_limit=None)


def _segmenting(
    desk: MaskDesk, study: Study, name: str, cancelled: threading.Event
) -> Iterator[Any]:
    """A progress bar until the mask is there, or the sentence why it is not."""

    def work(say: Callable[[tuple[float, str]], None], stop: Callable[[], bool]) -> LabelMap:
        weights = find_weights(name or EMBEDDED)
        return desk.masks().segment(study, weights, lambda share, text: say((share, text)), stop)

    about = shown_name(study.id)
    try:
        share, text = 0.0, "Reading the sequences"
        for step in watch(work, cancelled):
            if isinstance(step, Soon):
                share, text = step.news[-1] if step.news else (share, text)
                yield progress_html(share, f"{about}: {text}"), *_busy()
    except UserError as error:
        yield problem_html(f"{about}: {error}"), *_idle()
        return
    yield "", *_idle()


def _shown(desk: MaskDesk, study: Study) -> tuple[str, str]:
    """The panes' value and the table of a study."""
    masks = desk.masks()
    predicted = masks.predicted(study)
    overlays = overlays_of(study, predicted)
    spec = pane_spec(study, overlays, findings=findings_url(study.id) if overlays else "")
    try:
        numbers = mask_numbers(masks.expert(study), predicted)
    except UserError as error:
        return show_panes(replace(spec, overlays=())), problem_html(str(error))
    return show_panes(spec), mask_table(numbers)


def _busy() -> tuple[Any, Any]:
    return gr.Button(interactive=False), gr.Button(visible=True)


def _idle() -> tuple[Any, Any]:
    return gr.Button(interactive=True), gr.Button(visible=False)
