"""What a server sends back: one line of a stream, and the probabilities of one token."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inference.models.option_scoring import softmax
from inference.replies import OptionScores

DATA = "data:"
BLANKS = ("", " ", "\u2581", "\u0120")
"""How tokenizers write the blank before a letter, and none."""

UNSEEN = 0.01
"""A letter outside the listed tokens counts as 0 only where it can hold no more than this."""


@dataclass(frozen=True)
class Piece:
    """What one line of a stream adds. `finish` is the server's word for why the reply ended."""

    text: str = ""
    thinking: str = ""
    finish: str | None = None
    tokens: int | None = None
    error: str | None = None
    done: bool = False


def piece_of(line: str) -> Piece | None:
    """What the line says; None for a blank line, a comment and what is no JSON object."""
    if not line.startswith(DATA):
        return None
    body = line.removeprefix(DATA).strip()
    if body == "[DONE]":
        return Piece(done=True)
    try:
        event = json.loads(body)
    except ValueError:
        return None
    if not isinstance(event, dict):
        return None
    if event.get("error"):
        return Piece(error=error_text(event))
    choice = _first(event.get("choices"))
    delta = choice.get("delta") or {}
    return Piece(
        text=delta.get("content") or "",
        thinking=delta.get("reasoning_content") or delta.get("reasoning") or "",
        finish=choice.get("finish_reason"),
        tokens=(event.get("usage") or {}).get("completion_tokens"),
    )


def error_text(body: Any) -> str:
    """The server's own sentence, in whichever of the usual places it stands."""
    if isinstance(body, dict):
        for name in ("error", "message", "detail"):
            if body.get(name):
                return error_text(body[name])
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def scores_of(body: Any, letters: Sequence[str]) -> OptionScores | None:
    """Option probabilities from the listed tokens of a one-token reply.

    None where the server sent none, where no letter is among them, or where one
    that is missing might hold more than `UNSEEN`: nothing is made up.
    """
    listed = _listed(body)
    if not listed:
        return None
    shares = [
        sum(math.exp(each["logprob"]) for each in listed if each["token"] in _spellings(letter))
        for letter in letters
    ]
    unseen = math.exp(min(each["logprob"] for each in listed))
    if not any(shares) or (not all(shares) and unseen > UNSEEN):
        return None
    floor = math.log(1e-30)
    return OptionScores(
        probabilities=softmax([math.log(share) if share else floor for share in shares]),
        letter_mass=min(1.0, sum(shares)),
    )


def _spellings(letter: str) -> set[str]:
    return {blank + letter for blank in BLANKS}


def _listed(body: Any) -> list[dict[str, Any]]:
    choice = _first(body.get("choices")) if isinstance(body, dict) else {}
    content = (choice.get("logprobs") or {}).get("content")
    listed = _first(content).get("top_logprobs") or []
    return [
        each
        for each in listed
        if isinstance(each, dict)
        and isinstance(each.get("token"), str)
        and isinstance(each.get("logprob"), int | float)
    ]


def _first(items: Any) -> dict[str, Any]:
    return items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}
