"""One name for one ask: equal keys, equal question, input, model and settings.

So an ask that was made before is found again, and a run resumes by what is
recorded. The time, the truth and the outcome are no part of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any


@dataclass(frozen=True)
class Asked:
    """What was wanted of the model: option scores, a free reply, the words' scores too.

    `answer_start` is how a reply begins before the mark that scores are read at.
    """

    score: bool
    generate: bool
    words: bool
    answer_start: str


def ask_key(identity: Mapping[str, Any]) -> str:
    """sha256 over everything that decides the reply, as canonical JSON."""
    return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
