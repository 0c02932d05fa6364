"""The stream on which a page hears the answers to its events stays open for a while.

Gradio (6.31) closes it in the moment in which nothing of the page is under way.
An event that the page sends in that moment, before it has heard that the stream
is closed, is answered where nobody listens: the page waits for it for ever, and
for everything like it. Events come in chains, each sent as soon as the one
before is answered, so the moment comes often.

Here a stream is closed only after some seconds without any event. It is not
kept for good: a page whose computer slept would take a dead stream for an open one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

import gradio as gr
from gradio.queueing import Queue
from gradio.server_messages import ProcessCompletedMessage

QUIET_SECONDS = 30.0
OPEN = "the stream stays open"
"""Stands among the ids of a session's events like one that has not been answered."""


def keep_streams_open(page: gr.Blocks, quiet: float = QUIET_SECONDS) -> None:
    """Close a page's stream after `quiet` seconds without an event instead of at once.

    To be called once, before anybody visits the page.
    """
    page._queue.pending_event_ids_session = _Sessions(page._queue, quiet)


class _Ids(set[str]):
    """The ids of a session's events that are not answered yet, and `OPEN`."""

    def __init__(self, ids: Iterable[str], wait: Callable[[], None]) -> None:
        super().__init__(ids)
        self._wait = wait

    def add(self, element: str) -> None:
        """A new event: it begins the waiting anew."""
        self.update((element, OPEN))
        self._wait()


class _Sessions(dict[str, set[str]]):
    """By session; Gradio puts a plain set in where a session is new."""

    def __init__(self, queue: Queue, quiet: float) -> None:
        super().__init__()
        self._queue = queue
        self._quiet = quiet
        self._waits: dict[str, asyncio.TimerHandle] = {}

    def __setitem__(self, session: str, ids: set[str]) -> None:
        super().__setitem__(session, _Ids(ids, partial(self._wait, session)))

    def _wait(self, session: str) -> None:
        if session in self._waits:
            self._waits[session].cancel()
        loop = asyncio.get_running_loop()
        self._waits[session] = loop.call_later(self._quiet, self._close, session)

    def _close(self, session: str) -> None:
        del self._waits[session]
        messages = self._queue.pending_messages_per_session.get(session)
        if messages is None:  # the page is gone
            self.pop(session, None)
        elif self.get(session, set()) - {OPEN}:
            self._wait(session)
        else:
            messages.put_nowait(ProcessCompletedMessage(event_id=OPEN, output={}, success=True))
