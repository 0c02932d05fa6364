"""From an answer anywhere on the page to its study and question on the Read page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from inference.desk import Desk
from viewer.errors import UserError
from viewer.panel_studies import StudyPicker
from viewer.panel_turns import EACH


def wire_open(
    panes: gr.HTML,
    pages: gr.Tabs,
    picker: StudyPicker,
    wanted: gr.State,
    question: gr.Dropdown,
    desk: Callable[[], Desk],
) -> None:
    """Hear the panes' `open_study`; they go to the slices themselves once it is open."""

    def open_study(event: gr.EventData, chosen: str | None) -> tuple[Any, ...]:
        study_id, question_id = str(event.study), str(event.question)
        try:
            study = desk().study(study_id)
        except UserError:  # gone since the answer was made: nothing to open
            return gr.skip(), gr.skip(), gr.skip(), gr.skip()
        page = gr.Tabs(selected="read")
        if study.id != chosen:
            return page, gr.HTML(value=study.id), question_id, gr.skip()
        about = {each.id for each in desk().questions_about(study.id)}
        asked = gr.Dropdown(value=question_id) if question_id in about else gr.skip()
        return page, gr.skip(), question_id, asked

    panes.open_study(
        open_study,
        picker.choice,
        [pages, picker.choice, wanted, question],
        show_progress="hidden",
        **EACH,
    )
