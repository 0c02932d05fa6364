"""Picture sets that are asked about at the same time, each by one thread from first to last."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from inference.models.protocol import Model


class Askers:
    """So many sheets asked at the same time, each from its first to its last by one thread.

    With room for one there is no thread: the caller asks. The first error of
    any ends all and is raised.
    """

    def __init__(self, room: int, failed: threading.Event) -> None:
        self._room, self._failed = room, failed
        self._pool = ThreadPoolExecutor(room) if room > 1 else None
        self._under_way: set[Future[None]] = set()
        self._model: Model | None = None

    def __enter__(self) -> Askers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            self._failed.set()
        try:
            while self._under_way and kind is None:
                self._finish_one()
        finally:
            if self._pool is not None:
                self._pool.shutdown(cancel_futures=True)

    def model(self, load: Callable[[], Model]) -> Model:
        """The model, loaded when the first sheet wants it."""
        if self._model is None:
            self._model = load()
        return self._model

    def start(self, work: Callable[..., None], *arguments: Any) -> None:
        """Ask it now, or as soon as there is room."""
        if self._pool is None:
            work(*arguments)
            return
        while len(self._under_way) >= self._room:
            self._finish_one()
        self._under_way.add(self._pool.submit(work, *arguments))

    def _finish_one(self) -> None:
        done, self._under_way = wait(self._under_way, return_when=FIRST_COMPLETED)
        for future in done:
            try:
                future.result()
            except BaseException:
                self._failed.set()
                raise
