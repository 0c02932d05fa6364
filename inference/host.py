"""The one place where models live: one resident, asked by one user at a time.

`app.py` makes one host and hands it on. Whoever loads a model gets it behind a
queue: two sessions that ask at once are answered one after the other, and a
model that was freed in between says so instead of answering.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from threading import Lock, RLock
from typing import Literal

from inference.models.errors import ModelUnavailable
from inference.models.loading import load_model
from inference.models.protocol import (
    Cancelled,
    GenerationSettings,
    Model,
    OnText,
    Progress,
    score_together,
)
from inference.models.table import model_entry
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply

State = Literal["empty", "loading", "ready", "asked"]


@dataclass(frozen=True)
class HostStatus:
    """What the host is doing. `waiting` counts asks and loads that stand in the queue."""

    state: State
    name: str | None = None
    revision: str | None = None
    dtype: str | None = None
    dtype_reason: str | None = None
    card: str | None = None
    waiting: int = 0


class ModelHost:
    """Loads, keeps and frees models; every method may be called from any thread.

    `trusted` names the models whose repositories' own code may run: none but
    those that the user named for it.
    """

    def __init__(self, trusted: Collection[str] = ()) -> None:
        self._trusted = frozenset(trusted)
        self._turn = RLock()
        self._counting = Lock()
        self._waiting = 0
        self._resident: Model | None = None
        self._doing: State = "empty"

    def load(self, name: str, progress: Progress = lambda share, text: None) -> Model:
        """The model of that name, resident from now on; the one before it is freed first.

        Waits for its turn. `UnknownName` for a name that no table, folder or
        hub id fits, `ModelUnavailable` where it cannot be loaded: the host is
        empty then.
        """
        entry = model_entry(name)
        if entry.name in self._trusted:
            entry = replace(entry, remote_code=True)
        with self._queue("loading"):
            if self._resident is None or self._resident.name != entry.name:
                self._drop()
                self._resident = load_model(entry, progress)
            return _QueuedModel(self, self._resident)

    def free(self) -> None:
        """Empty the host once whoever is being answered has the answer."""
        with self._queue("loading"):
            self._drop()

    def status(self) -> HostStatus:
        """Answers at once, also while a model is loaded or asked."""
        model, doing, waiting = self._resident, self._doing, self._waiting
        if model is None:
            return HostStatus("loading" if doing == "loading" else "empty", waiting=waiting)
        return HostStatus(
            "ready" if doing == "empty" else doing,
            model.name,
            model.revision,
            model.dtype,
            model.dtype_reason,
            model.card,
            waiting,
        )

    def is_resident(self, model: Model) -> bool:
        """True while `model` is the one that the host keeps."""
        return model is self._resident

    def _queue(self, state: State) -> _Turn:
        return _Turn(self, state)

    def _drop(self) -> None:
        model, self._resident = self._resident, None
        if model is not None:
            model.close()

    def enter(self, state: State) -> State:
        """Wait for the turn and say what it is used for; returns what went on before."""
        with self._counting:
            self._waiting += 1
        self._turn.acquire()
        with self._counting:
            self._waiting -= 1
        before, self._doing = self._doing, state
        return before

    def leave(self, before: State) -> None:
        """Pass the turn on."""
        self._doing = before
        self._turn.release()


@dataclass
class _Turn:
    """A stretch of time in which the host works for one caller."""

    host: ModelHost
    state: State
    before: State = "empty"

    def __enter__(self) -> None:
        self.before = self.host.enter(self.state)

    def __exit__(self, *error: object) -> None:
        self.host.leave(self.before)


@dataclass(frozen=True, eq=False)
class _QueuedModel:
    """A resident model whose asks wait for their turn."""

    host: ModelHost
    model: Model

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def revision(self) -> str | None:
        return self.model.revision

    @property
    def dtype(self) -> str | None:
        return self.model.dtype

    @property
    def dtype_reason(self) -> str:
        return self.model.dtype_reason

    @property
    def card(self) -> str:
        return self.model.card

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        with _Turn(self.host, "asked"):
            return self._present().score_options(prompt, words=words)

    def score_many(
        self, prompts: Sequence[Prompt], *, words: bool = False
    ) -> list[OptionScores | None]:
        with _Turn(self.host, "asked"):
            return score_together(self._present(), prompts, words=words)

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        with _Turn(self.host, "asked"):
            return self._present().generate(prompt, settings, on_text, cancelled)

    def close(self) -> None:
        if self.host.is_resident(self.model):
            self.host.free()

    def _present(self) -> Model:
        if not self.host.is_resident(self.model):
            raise ModelUnavailable(
                f"Expected {self.name} to be loaded, but it was freed or another model took its "
                "place; load it again."
            )
        return self.model
