from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from viewer.panel_streams import OPEN, keep_streams_open

QUIET = 0.05


def pages() -> Any:
    """What is used of a page: its queue, with the two tables that Gradio keeps of its sessions."""
    queue = SimpleNamespace(pending_event_ids_session={}, pending_messages_per_session={})
    return SimpleNamespace(_queue=queue)


def test_a_stream_closes_only_after_a_time_without_events() -> None:
    async def life() -> None:
        page = pages()
        keep_streams_open(page, QUIET)
        known, messages = page._queue.pending_event_ids_session, asyncio.Queue[Any]()
        page._queue.pending_messages_per_session["one"] = messages
        known["one"] = set()
        known["one"].add("a")
        known["one"].remove("a")
        assert len(known["one"]) == 1  # Gradio closes at 0
        known["one"].add("b")
        await asyncio.sleep(3 * QUIET)
        assert messages.empty()  # b is not answered yet
        known["one"].remove("b")
        closing = await asyncio.wait_for(messages.get(), 5)
        known["one"].remove(closing.event_id)
        assert (closing.event_id, len(known["one"])) == (OPEN, 0)
        known["one"].add("c")
        known["one"] -= {"c"}
        assert known["one"] == {OPEN}

    asyncio.run(life())


def test_nothing_is_kept_of_a_page_that_is_gone() -> None:
    async def life() -> None:
        page = pages()
        keep_streams_open(page, QUIET)
        known = page._queue.pending_event_ids_session
        known["one"] = set()
        known["one"].add("a")
        await asyncio.sleep(3 * QUIET)
        assert known == {}

    asyncio.run(life())
