"""A model of the host whose asks wait for their turn."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Literal, Protocol

from inference.models.described import About, Described
from inference.models.errors import ModelUnavailable
from inference.models.protocol import (
    Cancelled,
    GenerationSettings,
    Model,
    OnText,
    score_together,
)
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply


class Host(Protocol):
    """Who keeps the model: `inference.host.ModelHost`."""

    def turn(
        self, state: Literal["asked"], model: Model | None = None
    ) -> AbstractContextManager[None]:
        """A stretch of time in which the host works for one caller."""

    def is_resident(self, model: Model) -> bool:
        """True while it is kept."""

    def free(self, name: str | None = None) -> None:
        """Let go of it."""


@dataclass(eq=False)
class QueuedModel(Described):
    """A resident model; once it was freed it says so instead of answering.

    `waits` is False for one that computes elsewhere: many may ask it at once.
    """

    host: Host
    model: Model
    waits: bool = True
    about: About = field(init=False)

    def __post_init__(self) -> None:
        model = self.model
        self.about = About(model.name, model.revision, model.dtype, model.dtype_reason, model.card)

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        """As the model does it, when it is its turn."""
        with self._turn():
            return self._present().score_options(prompt, words=words)

    def score_many(
        self, prompts: Sequence[Prompt], *, words: bool = False
    ) -> list[OptionScores | None]:
        """As the model does it, when it is its turn."""
        with self._turn():
            return score_together(self._present(), prompts, words=words)

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """As the model does it, when it is its turn."""
        with self._turn():
            return self._present().generate(prompt, settings, on_text, cancelled)

    def close(self) -> None:
        """Free it, where it was not freed before."""
        if self.host.is_resident(self.model):
            self.host.free(self.name)

    def _turn(self) -> AbstractContextManager[None]:
        return self.host.turn("asked", self.model) if self.waits else nullcontext()

    def _present(self) -> Model:
        if not self.host.is_resident(self.model):
            raise ModelUnavailable(
                f"Expected {self.name} to be loaded, but it was freed or another model took its "
                "place; load it again."
            )
        return self.model
