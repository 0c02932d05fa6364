"""One name for one ask: equal keys, equal question, input, model and settings.

So an ask that was made before is found again, and a run resumes by what is
recorded. The time, the truth and the outcome are no part of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from inference.orders import Order


@dataclass(frozen=True)
class Asked:
    """What was wanted of the model: option scores, a free reply, the words' scores too.

    `answer_start` is how a reply begins before the mark that scores are read at.
    """

    score: bool
    generate: bool
    words: bool
    answer_start: str


@dataclass(frozen=True)
class AskIdentity:
    """Everything that decides a reply.

    `pictures` are hashes in the order sent, `model` is name, revision and
    number format, `generation` the settings of a free reply or None. `ordering`
    is the order's name: a shuffle that happens to leave a question as it was is
    an ask of its own, so that every named order is recorded for every question.
    """

    case: str
    question_id: str
    prompt: str
    pictures: Sequence[str]
    representation: str
    letters: tuple[str, ...]
    order: Order
    ordering: str
    model: tuple[str, str | None, str | None]
    generation: Mapping[str, Any] | None
    asked: Asked

    @property
    def key(self) -> str:
        """sha256 over the identity as canonical JSON."""
        plain = {**vars(self), "asked": vars(self.asked)}
        return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
