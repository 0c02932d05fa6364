"""The one place where models live: as many as memory allows, asked by one user at a time.

`app.py` makes one host and hands it on. Whoever loads a model gets it behind a
line: two sessions that ask at once are answered one after the other, in the
order of coming, and a model that was freed in between says so instead of
answering. The same line keeps two loads from happening at once. Models that
compute elsewhere are asked without waiting: a server has a line of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from inference.line import Line
from inference.models.entries import WEIGHED, ModelEntry
from inference.models.errors import OutOfMemory
from inference.models.loading import fetch, load_model
from inference.models.machine import Machine, this_machine
from inference.models.protocol import Cancelled, Model, Progress
from inference.models.readiness import fits_beside, needed_bytes
from inference.models.table import model_entry
from inference.queued_model import QueuedModel

State = Literal["empty", "loading", "ready", "asked"]


@dataclass(frozen=True)
class Resident:
    """A model in memory. `bytes` is about what it takes there, None where nobody knows."""

    name: str
    revision: str | None
    dtype: str | None
    dtype_reason: str
    card: str
    bytes: float | None


@dataclass(frozen=True)
class HostStatus:
    """What the host is doing.

    `residents` begin with the one used last. `waiting` counts asks and loads
    that stand in the queue.
    """

    state: State
    residents: tuple[Resident, ...] = ()
    waiting: int = 0


@dataclass(frozen=True, eq=False)
class _Kept:
    model: Model
    bytes: float | None

    def told(self) -> Resident:
        m = self.model
        return Resident(m.name, m.revision, m.dtype, m.dtype_reason, m.card, self.bytes)


class ModelHost:
    """Loads, keeps and frees models; every method may be called from any thread.

    `trusted` names the models whose repositories' own code may run: none but
    those that the user named for it. `machine` measures what is free.
    """

    def __init__(
        self, trusted: Collection[str] = (), machine: Callable[[], Machine] = this_machine
    ) -> None:
        self._trusted = frozenset(trusted)
        self._machine = machine
        self._line = Line()
        self._kept: tuple[_Kept, ...] = ()  # the one used last stands first
        self._doing: State = "empty"

    def load(self, name: str, progress: Progress = lambda share, text: None) -> Model:
        """The model of that name, in memory from now on.

        Those used longest ago are freed first, as many as `fits_beside` wants,
        and all of them where loading runs out of memory all the same. Waits for
        its turn. `UnknownName` for a name that no table, folder or hub id fits,
        `ModelUnavailable` or `OutOfMemory` where it cannot be loaded.
        """
        entry = model_entry(name)
        if entry.name in self._trusted:
            entry = replace(entry, remote_code=True)
        known = self._find(entry.name)
        if known is not None and entry.kind not in WEIGHED:
            return QueuedModel(self, known.model, waits=False)
        with self.turn("loading"):
            known = self._find(entry.name)
            if known is None:
                fetch(entry, progress)  # a load that cannot be frees nothing
                needed = self._make_room(entry, progress)
                known = _Kept(self._loaded(entry, progress), needed)
            self._first(known)
            return QueuedModel(self, known.model, waits=entry.kind in WEIGHED)

    def free(self, name: str | None = None) -> None:
        """Let go of that model, or of all, once whoever is being answered has the answer."""
        with self.turn("loading"):
            for kept in self._kept:
                if name is None or kept.model.name == name:
                    self._drop(kept)

    def status(self) -> HostStatus:
        """Answers at once, also while a model is loaded or asked."""
        kept, doing, waiting = self._kept, self._doing, self._line.waiting
        if doing == "empty" and kept:
            doing = "ready"
        return HostStatus(doing, tuple(each.told() for each in kept), waiting)

    def is_resident(self, model: Model) -> bool:
        """True while `model` is one that the host keeps."""
        return any(each.model is model for each in self._kept)

    @contextmanager
    def serving(
        self,
        name: str,
        progress: Progress = lambda share, text: None,
        cancelled: Cancelled = lambda: False,
    ) -> Iterator[Model]:
        """The model of that name, for the caller alone until the block ends.

        Raises what `load` raises, and `LeftTheLine` where `cancelled()` became
        true before the turn came.
        """
        if model_entry(name).kind not in WEIGHED:
            yield self.load(name, progress)
            return

        def tell(ahead: int) -> None:
            progress(0.0, f"{ahead} before you" if ahead else "your turn")

        with self.turn("asked", tell=tell, cancelled=cancelled):
            yield self.load(name, progress)

    @contextmanager
    def turn(
        self,
        state: State,
        model: Model | None = None,
        tell: Callable[[int], None] = lambda ahead: None,
        cancelled: Cancelled = lambda: False,
    ) -> Iterator[None]:
        """Wait for the turn and say what it is used for; `model` is the one that is asked in it."""
        with self._line.turn(tell, cancelled):
            before, self._doing = self._doing, state
            try:
                for kept in self._kept:
                    if kept.model is model:
                        self._first(kept)
                yield
            finally:
                self._doing = before

    def _find(self, name: str) -> _Kept | None:
        return next((each for each in self._kept if each.model.name == name), None)

    def _first(self, kept: _Kept) -> None:
        self._kept = (kept, *(each for each in self._kept if each is not kept))

    def _drop(self, kept: _Kept) -> None:
        self._kept = tuple(each for each in self._kept if each is not kept)
        kept.model.close()

    def _make_room(self, entry: ModelEntry, progress: Progress) -> float | None:
        """Free what stands in the way; returns about what the new model will take."""
        machine = self._machine()
        needed = needed_bytes(entry, machine)
        while self._kept and not fits_beside(needed, machine):
            progress(0.0, f"Freeing {self._kept[-1].model.name} first")
            self._drop(self._kept[-1])
            machine = self._machine()
        return needed

    def _loaded(self, entry: ModelEntry, progress: Progress) -> Model:
        try:
            return load_model(entry, progress)
        except OutOfMemory:
            if not self._kept:
                raise
        self.free()
        progress(0.0, "Memory ran out beside the other models: they are freed, loading again")
        return load_model(entry, progress)
