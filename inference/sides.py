"""Questions about sides: which option is the mirror image of which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inference.questions import Question

OTHER = {"left": "right", "right": "left"}
SIDE = re.compile(r"\b(left|right)(?=(?:wards?|sided|most)?\b)", re.IGNORECASE)
"""A side, whatever it is joined to: left, leftward(s), left-sided, leftsided, leftmost."""

LETTERS = {"l": "r", "r": "l"}
"""Sides only where both of them are whole options: an R alone may be a mark like any other."""


def mirrored_options(options: Sequence[str]) -> tuple[int, ...] | None:
    """For each option the index of its mirror image, itself where it names no side.

    None where the question is not about sides: no option names one, or an
    option's mirror image is not among the options.
    """
    plain, turned = _both_ways(options)
    if turned == plain or any(text not in plain for text in turned):
        return None
    return tuple(plain.index(text) for text in turned)


def mirrored_question(question: Question) -> Question:
    """The question with the option that is right once left and right have changed places.

    An answer that names no side stays. None is right (`answer` None) where the
    mirror image of the answer is not among the options, and where the stem
    itself names one side: what it asks about is no longer there.
    """
    if question.answer is None or _names_one_side(question.stem):
        return replace(question, answer=None)
    plain, turned = _both_ways(question.options)
    image = turned[question.answer]
    if image == plain[question.answer]:
        return question
    return replace(question, answer=plain.index(image) if image in plain else None)


def _both_ways(options: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options without case, and each with left and right exchanged."""
    plain = [option.strip().casefold() for option in options]
    letters = LETTERS if LETTERS.keys() <= set(plain) else {}
    return plain, [letters.get(text) or _turned(text) for text in plain]


def _names_one_side(text: str) -> bool:
    return len({match[0].lower() for match in SIDE.finditer(text)}) == 1


def _turned(text: str) -> str:
    return SIDE.sub(lambda match: OTHER[match[0].lower()], text)
