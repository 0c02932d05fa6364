"""The page's link: what it asks for is chosen once, and it follows what the user chooses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import gradio as gr

from inference.desk import Desk
from inference.links import linkable, read_link
from inference.panel import AskPanel

TELL = """
(question, representation, model) => {
  const listed = MODELS;
  window.pageLink = { question, representation, model: listed.includes(model) ? model : null };
  document.dispatchEvent(new CustomEvent("page-link", { detail: window.pageLink }));
}
"""
"""Tells the panes, which write the address, what else is chosen. No request is made."""


def build_link_problems() -> gr.HTML:
    """Where the page says what a link got wrong; empty without a link."""
    return gr.HTML(elem_id="link-problems")


def wire_link(
    page: gr.Blocks,
    problems: gr.HTML,
    panel: AskPanel,
    desk: Callable[[], Desk],
    models: Sequence[str],
) -> None:
    """Choose what the link names; `models` are those that the page lists."""
    known = linkable(models)

    def choose(request: gr.Request) -> tuple[Any, Any, str]:
        found = desk()
        studies = [study.id for study in found.catalogue.studies]
        asked = dict(request.query_params)
        link = read_link(asked, studies, found.questions.questions, known)
        return (
            link.representation or gr.skip(),
            link.model or gr.skip(),
            _sentences(link.problems),
        )

    page.load(
        choose, None, [panel.representation, panel.model, problems], show_progress="hidden",
        concurrency_limit=8,
    )  # fmt: skip
    chosen = [panel.question, panel.representation, panel.model]
    for component in chosen:
        component.change(None, chosen, None, js=TELL.replace("MODELS", json.dumps(known)))


def _sentences(problems: Sequence[str]) -> str:
    if not problems:
        return ""
    return f'<p class="note problem link" role="status">{escape(" ".join(problems))}</p>'
