"""Work in a thread, watched from a page: its text as it comes, its result, and Cancel."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Generic, TypeVar

from inference.models.protocol import Cancelled, OnText

Result = TypeVar("Result")
Work = Callable[[OnText, Cancelled], Result]

TICK_S = 0.15
"""The page is told of new text at most this often."""


@dataclass(frozen=True)
class Soon:
    """Not done yet: all the text so far and the seconds since the start."""

    text: str
    seconds: float


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The result of the work."""

    result: Result


class Cancels:
    """Who may stop what: one running ask for each session. Made once by the application."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, threading.Event] = {}

    def begin(self, session: str) -> threading.Event:
        """A new ask of that session; an earlier one of the same session is stopped."""
        event = threading.Event()
        with self._lock:
            earlier = self._running.get(session)
            self._running[session] = event
        if earlier is not None:
            earlier.set()
        return event

    def end(self, session: str, event: threading.Event) -> None:
        """The ask is over."""
        with self._lock:
            if self._running.get(session) is event:
                del self._running[session]

    def cancel(self, session: str) -> bool:
        """Stop the session's ask; False where none runs."""
        with self._lock:
            event = self._running.get(session)
        if event is not None:
            event.set()
        return event is not None


def watch(work: Work[Result], cancelled: threading.Event) -> Iterator[Soon | Done[Result]]:
    """Run `work` in a thread of its own and yield what there is to show, then `Done`.

    An error of the work is raised here. A watcher that goes away stops the work.
    """
    pieces: Queue[str] = Queue()
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work(pieces.put, cancelled.is_set))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    started, text = time.monotonic(), ""
    thread.start()
    try:
        while thread.is_alive():
            thread.join(TICK_S)
            text += _drained(pieces)
            yield Soon(text, time.monotonic() - started)
    except GeneratorExit:
        cancelled.set()
        raise
    if failure:
        raise failure[0]
    yield Done(outcome[0])


def _drained(pieces: Queue[str]) -> str:
    text = ""
    while True:
        try:
            text += pieces.get_nowait()
        except Empty:
            return text
