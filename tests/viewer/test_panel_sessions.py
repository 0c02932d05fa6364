"""What Gradio keeps of pages that were closed is bounded; open pages keep everything."""

from __future__ import annotations

import datetime
from types import SimpleNamespace
from typing import Any

from gradio.state_holder import StateHolder

from viewer.panel_sessions import forget_closed


def session(closed: bool) -> Any:
    """As much of Gradio's session as is looked at."""
    return SimpleNamespace(is_closed=closed, state_components=[])


def test_only_the_oldest_closed_sessions_go() -> None:
    holder = StateHolder()
    for name in "abcdef":
        holder.session_data[name] = session(closed=name in "abce")
        holder.time_last_used[name] = datetime.datetime.now()
    holder.session_data.move_to_end("a")  # used again, so it is the youngest now
    assert forget_closed(holder, keep=2) == 2
    assert list(holder.session_data) == ["d", "e", "f", "a"]
    assert set(holder.time_last_used) == set("adef")
    assert forget_closed(holder, keep=2) == 0
