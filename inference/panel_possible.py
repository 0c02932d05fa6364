"""Representations that a model cannot take are greyed out, with the reason beside each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from inference.desk import Desk
from inference.panel import representation_entries
from inference.panel_choice import show_entries
from inference.possible import reasons
from viewer.live import Newest
from viewer.panel_turns import LATEST, STAMPED, a_moment, heard, in_turn


def wire_possible(
    shown: gr.HTML,
    desk: Callable[[], Desk],
    study: gr.HTML,
    models: gr.Dropdown,
    conventions: gr.State,
) -> None:
    """Keep the entries of `shown` to what some chosen model can take of the open study.

    `models` holds one name or several.
    """
    latest = Newest()

    def mark(
        request: gr.Request, study_id: str | None, chosen: Any, changes: Any, at: float
    ) -> Any:
        if not latest.take(request.session_hash or "", at):
            return gr.skip()
        names = [chosen] if isinstance(chosen, str) else list(chosen or ())
        told = reasons(desk().study, study_id, names, changes or ())
        return show_entries(representation_entries(told))

    by = [study, models, conventions]
    for component in by:
        heard(component.change)(
            mark, [*by, a_moment()], shown, show_progress="hidden", **LATEST, **STAMPED,
            **in_turn(f"possible-{shown.elem_id}"),
        )  # fmt: skip
