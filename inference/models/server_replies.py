"""What a server sends back: one line of a stream, and the probabilities of one token."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inference.models.option_scoring import softmax
from inference.replies import OptionScores
from viewer.outside_json import parsed

DATA = "data:"
BLANKS = ("", " ", "\u2581", "\u0120")
"""How tokenizers write the blank before a letter, and none."""

DEEPEST = 8
"""How deep inside each other the usual places of an error are looked for."""
MOST_TOKENS = 10**9
LOWEST = 1e6
ROUNDING = 1e-3
"""A log-probability outside of these is none; NaN is none either."""

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
        event = parsed(body)
    except ValueError:
        return None
    if not isinstance(event, dict):
        return None
    if event.get("error"):
        return Piece(error=error_text(event))
    choice = _first(event.get("choices"))
    delta, tokens = (
        _object(choice.get("delta")),
        _object(event.get("usage")).get("completion_tokens"),
    )
    return Piece(
        text=_text(delta.get("content")),
        thinking=_text(delta.get("reasoning_content")) or _text(delta.get("reasoning")),
        finish=_text(choice.get("finish_reason")) or None,
        tokens=tokens if isinstance(tokens, int) and 0 <= tokens < MOST_TOKENS else None,
    )


def error_text(body: Any) -> str:
    """The server's own sentence, in whichever of the usual places it stands."""
    for _ in range(DEEPEST):
        named = (name for name in ("error", "message", "detail") if _object(body).get(name))
        name = next(named, None)
        if name is None:
            break
        body = body[name]
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
    choice = _first(_object(body).get("choices"))
    listed = _first(_object(choice.get("logprobs")).get("content")).get("top_logprobs")
    return [
        each
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict)
        and isinstance(each.get("token"), str)
        and isinstance(each.get("logprob"), int | float)
        and -LOWEST <= each["logprob"] <= ROUNDING
    ]


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _first(items: Any) -> dict[str, Any]:
    return items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}
