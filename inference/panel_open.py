"""From an answer anywhere on the page to its study and question on the Read page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from inference.desk import Desk
from inference.panel_own import wish_for
from viewer.errors import UserError
from viewer.panel_studies import StudyPicker
from viewer.panel_turns import EACH


def wire_open(
    panes: gr.HTML,
    pages: gr.Tabs,
    picker: StudyPicker,
    wanted: gr.State,
    desk: Callable[[], Desk],
) -> None:
    """Hear the panes' `open_study`; they go to the slices themselves once it is open."""

    def open_study(event: gr.EventData) -> tuple[Any, ...]:
        study_id, question_id = str(event.study), str(event.question)
        try:
            study = desk().study(study_id)
        except UserError:  # gone since the answer was made: nothing to open
            return gr.skip(), gr.skip(), gr.skip()
        wish = wish_for(study.id, question_id)
        return gr.Tabs(selected="read"), gr.HTML(value=study.id), wish

    panes.open_study(
        open_study, None, [pages, picker.choice, wanted], show_progress="hidden", **EACH
    )
