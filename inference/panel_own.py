"""A question of the user's own: where it is typed, and how it comes into the list."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from inference.cards import problem_card
from inference.desk import Desk
from inference.own_questions import MOST_OPTIONS, own_question
from viewer.errors import UserError

UNKNOWN = "not known"

Typed = tuple[tuple[str, str], ...]
"""Ids of study and question, in the order of typing."""

Wanted = tuple[str, str, int]
"""Ids of a study and of the question about it that is to be chosen, and a number of its own:
who asks for the same again asks anew."""


def wish_for(study_id: str, question_id: str) -> Wanted:
    """What a handler gives out so that the question is chosen where its study is open."""
    return study_id, question_id, time.monotonic_ns()


@dataclass(frozen=True)
class OwnPanel:
    """The components; `typed` is what the session has typed so far: (study, question) ids."""

    stem: gr.Textbox
    options: gr.Textbox
    right: gr.Dropdown
    use: gr.Button
    problem: gr.HTML
    typed: gr.State


def build_own() -> OwnPanel:
    """Lay it out, closed."""
    with gr.Accordion("Ask a question of your own", open=False, elem_id="own-question"):
        stem = gr.Textbox(label="Question", lines=2, elem_id="own-stem")
        options = gr.Textbox(
            label="Options, one a line", lines=4, elem_id="own-options", placeholder="Yes\nNo"
        )
        with gr.Row():
            right = gr.Dropdown(
                [UNKNOWN, *(str(n) for n in range(1, MOST_OPTIONS + 1))],
                value=UNKNOWN,
                label="Right option (its line)",
                elem_id="own-right",
            )
            use = gr.Button("Use this question", elem_id="own-use")
        problem = gr.HTML(elem_id="own-problem")
    return OwnPanel(stem, options, right, use, problem, gr.State(()))


def wire_own(own: OwnPanel, wanted: gr.State, study: gr.HTML, desk: Callable[[], Desk]) -> None:
    """Keep what was typed, and want it chosen."""

    def use(
        study_id: str | None,
        stem: str,
        options: str,
        right: str,
        typed: Typed,
    ) -> tuple[Any, str, Any]:
        try:
            about = desk().study(study_id or "").id
            made = own_question(about, stem, options, None if right == UNKNOWN else int(right))
        except UserError as error:
            return gr.skip(), problem_card(str(error)), gr.skip()
        desk().own.add(made)
        kept = (*(each for each in typed if each != (about, made.id)), (about, made.id))
        return wish_for(about, made.id), "", kept

    own.use.click(
        use,
        [study, own.stem, own.options, own.right, own.typed],
        [wanted, own.problem, own.typed],
        show_progress="hidden",
    )


def question_choices(desk: Desk, study_id: str, typed: Typed) -> list[tuple[str, str]]:
    """What can be asked about the study: the files' questions, then those typed in this session."""
    own = (desk.own.find(study_id, name) for about, name in typed if about == study_id)
    listed = [(f"{each.id} · {each.stem}", each.id) for each in desk.questions_about(study_id)]
    return listed + [(f"your own · {each.stem}", each.id) for each in own if each is not None]
