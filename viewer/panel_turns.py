"""What becomes of something that the user does while the same thing is still under way.

Gradio's own rule is to drop it, for every event but `change`. That is right for
a button that starts long work, and wrong for a click, a key or a choice that
means something by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypedDict

import gradio as gr


class Turns(TypedDict):
    """An argument of Gradio's event listeners."""

    trigger_mode: Literal["once", "multiple", "always_last"]


EACH: Turns = {"trigger_mode": "multiple"}
"""Each counts, one after the other: it carries what it is about (a `gr.EventData`), or steps."""
LATEST: Turns = {"trigger_mode": "always_last"}
"""It stands for the page as it is: once more at the end is enough."""
ONCE: Turns = {"trigger_mode": "once"}
"""A second press while the work is under way means nothing."""


class InTurn(TypedDict):
    """Arguments of Gradio's event listeners."""

    concurrency_id: str
    concurrency_limit: int


def in_turn(name: str) -> InTurn:
    """For handlers that are worked off one after the other, in the order in which they came."""
    return {"concurrency_id": name, "concurrency_limit": 1}


def heard(event: Callable[..., Any]) -> Callable[..., Any]:
    """A listener of the event that runs beside all others: `heard(component.change)(handler, …)`.

    Gradio runs an event's own handlers one after the other, and where one of them
    was `LATEST` and still under way, it runs all of them once more: two changes in
    quick succession can so go round after each other for ever.
    """
    then: Callable[..., Any] = event(None, None, None, js="() => []", show_progress="hidden").then
    return then


class Stamped(TypedDict):
    """Arguments of Gradio's event listeners, for a handler whose last input is `a_moment`."""

    js: str
    preprocess: bool


STAMPED: Stamped = {
    "js": "(...given) => [...given.slice(0, -1), performance.now()]",
    "preprocess": False,
}
"""The last input becomes the page's own time at which the event was sent.

Events reach the server, and are worked off there, in any order; only the page
knows which came first.
"""


def a_moment() -> gr.Number:
    """A place for the time that `STAMPED` puts in; it is not shown."""
    return gr.Number(0, visible=False)
