"""From an answer anywhere on the page to its study and question on the Read page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from inference.desk import Desk
from viewer.panel_studies import StudyPicker, rows


def wire_open(
    panes: gr.HTML,
    pages: gr.Tabs,
    picker: StudyPicker,
    wanted: gr.State,
    question: gr.Dropdown,
    desk: Callable[[], Desk],
) -> None:
    """Hear the panes' `open_study`; they go to the slices themselves once it is open.

    A filter that hides the study is emptied.
    """

    def open_study(event: gr.EventData, chosen: str | None, text: str) -> tuple[Any, ...]:
        studies = desk().catalogue.studies
        study_id, question_id = str(event.study), str(event.question)
        if study_id not in {study.id for study in studies}:
            return gr.skip(), gr.skip(), gr.skip(), gr.skip(), gr.skip()
        page = gr.Tabs(selected="read")
        if study_id != chosen:
            shown = study_id in {row[1] for row in rows(studies, text)}
            listed = gr.skip() if shown else ""
            choices = {} if shown else {"choices": rows(studies)}
            return page, listed, gr.Radio(value=study_id, **choices), question_id, gr.skip()
        about = {each.id for each in desk().questions_about(study_id)}
        asked = gr.Dropdown(value=question_id) if question_id in about else gr.skip()
        return page, gr.skip(), gr.skip(), question_id, asked

    panes.open_study(
        open_study,
        [picker.choice, picker.filter],
        [pages, picker.filter, picker.choice, wanted, question],
        show_progress="hidden",
    )
