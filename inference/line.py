"""A fair line: whoever came first is served first, knows their place, and may leave it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from inference.errors import LeftTheLine

LOOK_S = 0.1
"""How soon somebody who waits notices that they cancelled."""


class Line:
    """One place to be served at, taken in the order of coming.

    A thread that is being served may enter again (a model that is asked may
    load); it does not wait for itself.
    """

    def __init__(self) -> None:
        self._moved = threading.Condition()
        self._tickets: deque[object] = deque()
        self._served: int | None = None

    @property
    def waiting(self) -> int:
        """How many stand in the line, whoever is being served not counted."""
        with self._moved:
            return max(0, len(self._tickets) - 1)

    @contextmanager
    def turn(
        self,
        tell: Callable[[int], None] = lambda ahead: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[None]:
        """Wait for the turn and hold it for the length of the block.

        `tell(ahead)` is called whenever the number of those who come before
        changes; it runs while nobody is held up by it. `LeftTheLine` where
        `cancelled()` became true before the turn came.
        """
        me = threading.get_ident()
        if self._served == me:
            yield
            return
        ticket = object()
        with self._moved:
            self._tickets.append(ticket)
        try:
            self._wait(ticket, tell, cancelled)
            self._served = me
            yield
        finally:
            with self._moved:
                if self._served == me:
                    self._served = None
                self._tickets.remove(ticket)
                self._moved.notify_all()

    def _wait(
        self, ticket: object, tell: Callable[[int], None], cancelled: Callable[[], bool]
    ) -> None:
        told: int | None = None
        while True:
            with self._moved:
                ahead = self._tickets.index(ticket)
                if ahead and ahead == told:
                    self._moved.wait(LOOK_S)
                    ahead = self._tickets.index(ticket)
            if not ahead:
                return
            if cancelled():
                raise LeftTheLine("Cancelled while waiting in the queue; nothing was asked.")
            if ahead != told:
                told = ahead
                tell(ahead)
