"""What becomes of something that the user does while the same thing is still under way.

Gradio's own rule is to drop it, for every event but `change`. That is right for
a button that starts long work, and wrong for a click, a key or a choice that
means something by itself.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class Turns(TypedDict):
    """An argument of Gradio's event listeners."""

    trigger_mode: Literal["once", "multiple", "always_last"]


EACH: Turns = {"trigger_mode": "multiple"}
"""Each counts, one after the other: it carries what it is about (a `gr.EventData`), or steps."""
LATEST: Turns = {"trigger_mode": "always_last"}
"""It stands for the page as it is: once more at the end is enough."""
ONCE: Turns = {"trigger_mode": "once"}
"""A second press while the work is under way means nothing."""
