"""Work in a thread, watched from a page: its news as they come, its result, and Cancel."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Generic, TypeVar

News = TypeVar("News")
Result = TypeVar("Result")
Kept = TypeVar("Kept")
Work = Callable[[Callable[[News], None], Callable[[], bool]], Result]
"""Takes `say(news)` and `cancelled()`, returns the result."""

TICK_S = 0.15
"""The page is told of news at most this often."""


@dataclass(frozen=True)
class Soon(Generic[News]):
    """Not done yet: what was said since the last time, and the seconds since the start."""

    news: tuple[News, ...]
    seconds: float


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The result of the work."""

    result: Result


About = tuple[str | None, ...]
"""What work is about: for an ask, the ids of study and question."""

REMEMBERED = 1000
"""Sessions whose latest work is remembered; a `forget` that comes late comes within seconds."""


@dataclass
class _Latest:
    """A session's latest work, and where its page went last: each with the page's own time."""

    about: About | None = None
    began: float = 0.0
    place: About | None = None
    moved: float = 0.0


class Cancels:
    """Who may stop what: one running piece of work for each session.

    Made once by the application for each kind of work. What a page does reaches
    the server in any order; `at`, the page's own time, says what came first.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, threading.Event] = {}
        self._latest: dict[str, _Latest] = {}

    def begin(self, session: str, about: About = (), at: float = 0.0) -> threading.Event:
        """New work of that session; earlier work of the same session is stopped.

        It is over before it begins, set and not current, where the page has since
        gone to something else or begun something later, and where work about the
        same is under way: a second press means nothing.
        """
        event = threading.Event()
        with self._lock:
            latest = self._latest_of(session)
            earlier = self._running.get(session)
            again = earlier is not None and not earlier.is_set() and about == latest.about != ()
            gone = latest.moved > at and latest.place != about
            if again or gone or latest.began > at:
                event.set()
                return event
            self._running[session] = event
            latest.about, latest.began = about, at
        if earlier is not None:
            earlier.set()
        return event

    def end(self, session: str, event: threading.Event) -> None:
        """The work is over."""
        with self._lock:
            if self._running.get(session) is event:
                del self._running[session]

    def is_current(self, session: str, event: threading.Event) -> bool:
        """False once the work is over, or other work of the session took its place."""
        with self._lock:
            return self._running.get(session) is event

    def forget(self, session: str, now: About = (), at: float = 0.0) -> bool:
        """Stop the session's work, which nobody waits for now that the page is about `now`.

        False, and nothing stops, where that is what the latest work is about, or
        where that work began later: a page that moved on can ask again before it
        is heard that it moved.
        """
        with self._lock:
            latest = self._latest_of(session)
            if at >= latest.moved:
                latest.place, latest.moved = now, at
            if (now and latest.about == now) or latest.began > at:
                return False
            event = self._running.pop(session, None)
            latest.about = None
        if event is not None:
            event.set()
        return True

    def _latest_of(self, session: str) -> _Latest:
        latest = self._latest.pop(session, None) or _Latest()
        _remember(self._latest, session, latest)
        return latest

    def cancel(self, session: str) -> bool:
        """Stop the session's work; False where none runs."""
        with self._lock:
            event = self._running.get(session)
        if event is not None:
            event.set()
        return event is not None


class Newest:
    """What pages asked for last of one thing that they show: an older answer is not shown.

    Made once by the application for each such thing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at: dict[str, float] = {}

    def take(self, session: str, at: float) -> bool:
        """False where the session's page asked again after `at`, its own time, and was heard."""
        with self._lock:
            last = self._at.pop(session, 0.0)
            _remember(self._at, session, max(last, at))
        return at >= last


def _remember(known: dict[str, Kept], session: str, value: Kept) -> None:
    """Of the sessions, the one that was heard of longest ago makes room."""
    known[session] = value
    if len(known) > REMEMBERED:
        del known[next(iter(known))]


def watch(
    work: Work[News, Result], cancelled: threading.Event
) -> Iterator[Soon[News] | Done[Result]]:
    """Run `work` in a thread of its own and yield its news, then `Done`.

    An error of the work is raised here. A watcher that goes away stops the work.
    """
    said: Queue[News] = Queue()
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work(said.put, cancelled.is_set))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    started = time.monotonic()
    thread.start()
    try:
        alive = True
        while alive:
            thread.join(TICK_S)
            alive = thread.is_alive()  # asked before the news are taken: none is left behind
            yield Soon(tuple(_drained(said)), time.monotonic() - started)
    except GeneratorExit:
        cancelled.set()
        raise
    if failure:
        raise failure[0]
    yield Done(outcome[0])


def _drained(said: Queue[News]) -> Iterator[News]:
    while True:
        try:
            yield said.get_nowait()
        except Empty:
            return
