"""What every model can do, whatever runs behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from inference.prompts import Prompt
from inference.replies import OptionScores, Reply

OnText = Callable[[str], None]
"""Called with each new piece of text, in order; the pieces together are the reply."""

Cancelled = Callable[[], bool]
"""Asked before every token; once it says True no further token is made."""

Progress = Callable[[float, str], None]
"""Share done (0..1) and what is being done."""


@dataclass(frozen=True)
class GenerationSettings:
    """How a free reply is made.

    `temperature` 0 is greedy, repeatable to the bit; above 0 the reply is
    sampled, from `seed`. `max_tokens` counts new tokens only. `thinking` tells
    the model's template to let it think first, or not; None where the template
    has no such switch.
    """

    temperature: float = 0.0
    max_tokens: int = 256
    seed: int = 0
    thinking: bool | None = None


class Model(Protocol):
    """A loaded model. Not safe for two threads at once; `ModelHost` queues them.

    `revision` is the hub commit, or a hash of the weights of a folder; `card`
    says where the model's terms and figures are written; `dtype_reason` is the
    sentence that says why it computes in `dtype`.
    """

    @property
    def name(self) -> str:
        """The name it was asked for by."""

    @property
    def revision(self) -> str | None:
        """Which weights exactly."""

    @property
    def dtype(self) -> str | None:
        """Number format it computes in, e.g. "float32"."""

    @property
    def dtype_reason(self) -> str:
        """Why that format."""

    @property
    def card(self) -> str:
        """Where its card is."""

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        """Option probabilities from the point where the answer starts.

        With `words`, the options' own words are scored too. None where the
        model gives no probabilities; they are never made up.
        """

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """A free reply. `Reply.scores` is None: scoring is a call of its own."""

    def close(self) -> None:
        """Let go of the weights; the model cannot be asked afterwards."""


@runtime_checkable
class ManyScorer(Protocol):
    """A model that scores many prompts faster together than one by one.

    Prompts about the same pictures share what was encoded of them.
    """

    def score_many(
        self, prompts: Sequence[Prompt], *, words: bool = False
    ) -> list[OptionScores | None]:
        """What `score_options` gives for each, within 1e-3 in float32.

        Raises what `score_options` raises for any one of them.
        """


def score_together(
    model: Model, prompts: Sequence[Prompt], *, words: bool = False
) -> list[OptionScores | None]:
    """Option probabilities of every prompt: at once where the model can, else one by one."""
    if isinstance(model, ManyScorer):
        return model.score_many(prompts, words=words)
    return [model.score_options(prompt, words=words) for prompt in prompts]
