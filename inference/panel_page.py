"""The whole page: studies on the left, panes and masks in the middle, questions on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import gradio as gr

from inference.answered import answers_by_study
from inference.desk import Desk
from inference.matching import counts_about
from inference.models.table import MODELS
from inference.opening import Opening
from inference.panel import AskPanel, build_ask_panel
from inference.panel_ask import wire as wire_ask
from inference.panel_compare import build_compare
from inference.panel_compare_run import wire as wire_compare
from inference.panel_link import build_link_problems, wire_link
from inference.panel_models import build_models
from inference.panel_models_run import wire as wire_models
from inference.panel_open import wire_open
from inference.panel_own import wish_for
from inference.panel_readers import build_readers
from inference.panel_readers_run import wire as wire_readers
from inference.panel_results import build_results
from inference.panel_results import wire as wire_results
from inference.panel_review import build_review, wire_examples
from inference.panel_review import wire as wire_review
from segmentation.panel import MaskDesk, MaskPanel, build_mask_panel
from segmentation.panel import wire as wire_masks
from viewer.errors import UserError
from viewer.live import Cancels
from viewer.panel import build_panes
from viewer.panel_sessions import MOST, forget_closed
from viewer.panel_studies import StudyPicker, about_html, build_study_picker, listed
from viewer.panel_turns import LATEST, heard
from viewer.routes import STATIC
from viewer.study_rows import rows_json, study_rows

TITLE = "MRI VQA Viewer"
MASTHEAD = f"""
<div id="masthead"><h1>{TITLE}</h1>
<span class="warning" role="note">Research use only, not for diagnosis</span>
<label class="look">Look <select id="look"><option value="dark">dark</option>
<option value="light">light</option><option value="system">as the system</option></select></label>
</div>
"""

THEME = gr.themes.Base(
    primary_hue="blue",
    neutral_hue="slate",
    spacing_size="sm",
    text_size="sm",
    # Fonts of the reader's own machine: no request may leave for another host.
    font=["system-ui", "Segoe UI", "sans-serif"],
    font_mono=["ui-monospace", "monospace"],
).set(
    body_background_fill_dark="#0b0e12",
    background_fill_primary_dark="#0b0e12",
    background_fill_secondary_dark="#11161d",
    block_background_fill_dark="#11161d",
    block_border_color_dark="#1d2530",
    border_color_primary_dark="#1d2530",
    input_background_fill_dark="#0e1319",
    input_border_color_dark="#2a3441",
    checkbox_label_background_fill_dark="#11161d",
    checkbox_label_background_fill_selected_dark="#17364a",
    checkbox_label_background_fill_hover_dark="#18202a",
    button_secondary_background_fill_dark="#1a222c",
    button_primary_background_fill="#1d5fc2",
    button_primary_background_fill_dark="#2166d1",
    block_padding="8px 10px",
)
PAGE_CSS = STATIC / "page.css"
AT_START = ("look.js", "events.js")
"""Each holds a function that the page calls before anything else."""


def page_script() -> str:
    """The function that Gradio calls when the page opens."""
    calls = (f"({(STATIC / name).read_text(encoding='utf-8')})();" for name in AT_START)
    return "() => {\n" + "\n".join(calls) + "\n}"


def build_page(opening: Opening, model: str) -> gr.Blocks:
    """The page. It may be opened while the studies are still being made."""
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as page:
        page.state_session_capacity = MOST
        gr.HTML(MASTHEAD)
        preparing = gr.HTML(elem_id="preparing")
        wanted = gr.State(None)
        with gr.Tabs(elem_id="pages") as pages:
            with gr.Tab("Read", id="read"):
                picker, panes, mask_panel, ask_panel, link_problems = _read_tab(model)
            with gr.Tab("Compare", id="compare"):
                compare = build_compare(list(MODELS), model)
            with gr.Tab("Models", id="models") as models_tab:
                models = build_models(list(MODELS), model)
            with gr.Tab("Results", id="results") as results_tab:
                results = build_results()
            with gr.Tab("Review", id="review") as review_tab:
                review = build_review()
            with gr.Tab("Reader study", id="readers") as readers_tab:
                readers = build_readers()
        cancels = Cancels()
        _wire_list(page, opening, picker, preparing, wanted)
        wire_link(page, link_problems, ask_panel, opening.desk, [*MODELS, model])
        wire_open(panes, pages, picker, wanted, opening.desk)
        wire_masks(mask_panel, _mask_desk(opening.desk), picker.choice, panes)
        wire_ask(ask_panel, opening.desk, picker.choice, wanted, panes, cancels)
        wire_compare(compare, opening.desk, picker.choice, ask_panel)
        wire_results(results, opening.desk, results_tab, page)
        wire_review(review, opening.desk, review_tab)
        wire_readers(readers, opening.desk, readers_tab, page, pages)
        wire_examples(results.tables, review, opening.desk, pages)
        wire_models(models, opening.desk, models_tab, ask_panel)
    return page


def _read_tab(model: str) -> tuple[StudyPicker, gr.HTML, MaskPanel, AskPanel, gr.HTML]:
    with gr.Row(elem_id="columns"):
        with gr.Column(elem_id="left-column"):
            picker = build_study_picker()
        with gr.Column(elem_id="centre-column"):
            link_problems = build_link_problems()
            panes = build_panes()
            mask_panel = build_mask_panel()
        with gr.Column(elem_id="right-column"):
            ask_panel = build_ask_panel(list(MODELS), model)
    return picker, panes, mask_panel, ask_panel, link_problems


def _mask_desk(desk: Callable[[], Desk]) -> MaskDesk:
    return MaskDesk(
        study=lambda study_id: desk().study(study_id),
        masks=lambda: desk().masks,
    )


def _wire_list(
    page: gr.Blocks, opening: Opening, picker: StudyPicker, preparing: gr.HTML, wanted: gr.State
) -> None:
    quiet = {"show_progress": "hidden"}

    def open_list(request: gr.Request) -> Iterator[Any]:
        for share, text in opening.watch():
            yield _progress_html(share, text), gr.skip(), gr.skip()
        desk, asked = opening.desk(), dict(request.query_params)
        chosen, question = _study_of_link(desk, asked.get("study")), asked.get("question")
        yield (
            _notice(desk, asked.get("study")),
            listed(_rows(desk, _place_for_files(desk, request)), chosen),
            wish_for(chosen, question) if chosen and question else None,
        )

    def about(study_id: str | None) -> str:
        return about_html(opening.desk().study(study_id)) if study_id else ""

    def leave(request: gr.Request) -> None:
        files = opening.desk().session_files
        if files is not None:
            files.end(request.session_hash or "")
        forget_closed(page.state_holder)

    page.unload(leave)
    page.load(open_list, None, [preparing, picker.choice, wanted], **quiet)
    heard(picker.choice.change)(about, picker.choice, picker.about, **quiet, **LATEST)


def _place_for_files(desk: Desk, request: gr.Request) -> str | None:
    """The token with which this page may bring files of its own."""
    return desk.session_files.begin(request.session_hash or "") if desk.session_files else None


def _rows(desk: Desk, place: str | None) -> str:
    """The list of studies, with what is known about each, and where the page's files go."""
    studies = desk.catalogue.studies
    questions = counts_about((study.id for study in studies), desk.questions.questions)
    return rows_json(study_rows(studies, questions, _answers(desk)), upload=place)


def _answers(desk: Desk) -> dict[str, int] | None:
    """Answers on record by study; None, not counted, where the database cannot be read."""
    try:
        return answers_by_study(desk.records.engine)
    except (UserError, OSError):
        return None


def _study_of_link(desk: Desk, study_id: str | None) -> str | None:
    """The study that a link names, else the first one."""
    ids = [study.id for study in desk.catalogue.studies]
    return study_id if study_id in ids else next(iter(ids), None)


def _notice(desk: Desk, study_id: str | None) -> str:
    """What keeps the page from showing what was asked for; empty where nothing does."""
    if not desk.catalogue.studies:
        return _nothing_html(desk)
    if study_id is None or study_id in {study.id for study in desk.catalogue.studies}:
        return ""
    return f'<p class="note problem">The link names study {escape(study_id)}, not listed here.</p>'


def _progress_html(share: float, text: str) -> str:
    return (
        f'<div class="preparing"><p>{escape(text)}</p>'
        f'<progress max="1" value="{share:.3f}" aria-label="Preparing the studies"></progress>'
        "</div>"
    )


def _nothing_html(desk: Desk) -> str:
    reasons = "".join(
        f"<li>{escape(p.file)}: {escape(p.reason)}</li>" for p in desk.catalogue.problems[:20]
    )
    return (
        '<div class="preparing"><p>Expected studies below the folders given with --data, found '
        f"none; the README lists the layouts that are read.</p><ul>{reasons}</ul></div>"
    )
