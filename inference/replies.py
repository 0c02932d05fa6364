"""What a model gave back, before anybody reads an answer into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Finish = Literal["stop", "length", "cancelled", "error"]


@dataclass(frozen=True)
class OptionScores:
    """How one forward pass ranks the options.

    `probabilities[p]` belongs to the option shown at position `p` and they sum
    to one over the options; `letter_mass` is the share of the whole vocabulary
    that the letters held together (under 0.5 the ranking means little).
    `word_probabilities` ranks the options' own words, length-normalised, by
    shown position too; None where it was not asked for.
    """

    probabilities: tuple[float, ...]
    letter_mass: float
    word_probabilities: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Reply:
    """One reply, raw.

    `text` is every token that the model wrote, thinking included, never
    edited; `thinking` is a copy of the part before the answer where the model
    marks one. `finish` says why it ended, `error` is one sentence where it is
    "error".
    """

    text: str
    thinking: str | None
    scores: OptionScores | None
    tokens: int
    seconds: float
    model: str
    revision: str | None
    dtype: str | None
    finish: Finish
    error: str | None = None
