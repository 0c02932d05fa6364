"""Sessions of pages that were closed: Gradio keeps what they showed, pictures and all.

It lets go of a session only when thousands of younger ones have come, so a
server that is used all day would grow by about 0.4 MiB a visit
(`python -m tests.benchmarks.soak`), to gigabytes.
"""

from __future__ import annotations

from gradio.state_holder import StateHolder

KEPT = 50
"""The youngest closed sessions stay: a page that lost its connection may come back."""
MOST = 200
"""Sessions at all; a program that never says that it is gone leaves open ones behind."""


def forget_closed(holder: StateHolder, keep: int = KEPT) -> int:
    """Drop all closed sessions but the `keep` used last; gives how many went.

    Gradio orders its sessions by when they were used. Open ones are never dropped.
    """
    closed = [name for name, session in list(holder.session_data.items()) if session.is_closed]
    gone = closed[: max(0, len(closed) - keep)]
    for name in gone:
        holder.delete_state(name)
        with holder.lock:
            holder.session_data.pop(name, None)
            holder.time_last_used.pop(name, None)
    return len(gone)
