"""The start of the application, watched: a page may be open before the studies are ready."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future

from inference.desk import Desk

Say = Callable[[float, str], None]

TICK_S = 0.25


class Opening:
    """Runs `open_desk` once in a thread of its own and tells how far it is."""

    def __init__(self, open_desk: Callable[[Say], Desk]) -> None:
        self._open = open_desk
        self._desk: Future[Desk] = Future()
        self._said = (0.0, "Reading the studies.")
        threading.Thread(target=self._run, daemon=True).start()

    def desk(self) -> Desk:
        """The desk; waits for it, and raises what opening it raised."""
        return self._desk.result()

    def opened(self) -> Desk | None:
        """The desk, None as long as it is being opened; raises what opening it raised."""
        return self._desk.result() if self._desk.done() else None

    def watch(self) -> Iterator[tuple[float, str]]:
        """How far it is (share, sentence), until it is ready."""
        while not self._desk.done():
            yield self._said
            time.sleep(TICK_S)

    def _run(self) -> None:
        try:
            self._desk.set_result(self._open(self._say))
        except BaseException as error:
            self._desk.set_exception(error)

    def _say(self, share: float, text: str) -> None:
        self._said = (share, text)
