"""Whether a record from a file is one: fields of the right kind that agree with each other.

Pages and exports count on what is checked here; a record is never shown, and a
picture never looked up, by what did not pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from inference.prompts import MARKS

if TYPE_CHECKING:
    from inference.records import Record

SHA256 = re.compile(r"[0-9a-f]{64}")
ID = re.compile(r"[\w.-]{1,64}")
LONGEST_NUMBER = 1e12


def faults(record: Record) -> list[str]:
    """What is wrong with it, in a few words each."""
    return [sentence for holds, sentence in CHECKS if not _is_true(holds, record)]


def _is_true(holds: Callable[[Record], bool], record: Record) -> bool:
    """A value of another type than the field's fails its check, it does not break it."""
    try:
        return holds(record)
    except (TypeError, AttributeError, KeyError, ValueError, OverflowError):
        return False


def _text(*values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _text_or_none(*values: Any) -> bool:
    return all(value is None or isinstance(value, str) for value in values)


def _number(value: Any, *, whole: bool = False) -> bool:
    kinds = int if whole else (int, float)
    fits = isinstance(value, kinds) and not isinstance(value, bool)
    return fits and isfinite(value) and abs(value) < LONGEST_NUMBER


def _place(value: Any, count: int) -> bool:
    return value is None or (_number(value, whole=True) and 0 <= value < count)


def _shares(values: Any, count: int) -> bool:
    return values is None or (
        len(values) == count and all(_number(v) and 0 <= v <= 1.000001 for v in values)
    )


def _picture(picture: Mapping[str, Any]) -> bool:
    return (
        SHA256.fullmatch(picture["sha256"]) is not None
        and _text(picture["sequence"], picture["plane"])
        and _text_or_none(picture["caption"])
        and _number(picture["width"], whole=True)
        and _number(picture["height"], whole=True)
        and isinstance(picture["tiles"], list)
    )


CHECKS: tuple[tuple[Callable[[Record], bool], str], ...] = (
    (lambda r: ID.fullmatch(r.id) is not None, "an id of letters and digits"),
    (
        lambda r: _text(
            r.time,
            r.case,
            r.question_id,
            r.stem,
            r.ordering,
            r.representation,
            r.prompt,
            r.model,
            r.raw,
            r.finish,
            r.score,
            r.answer.status,
            r.answer.rule,
        ),
        "texts where texts stand",
    ),
    (
        lambda r: _text_or_none(
            r.category, r.mask, r.revision, r.dtype, r.thinking, r.error, r.ablation, r.answer.text
        ),
        "texts or null where those stand",
    ),
    (
        lambda r: (
            _text(*r.options, *r.notes, *r.letters) and 1 < len(r.options) <= len(MARKS["letters"])
        ),
        "2 to 26 options",
    ),
    (
        lambda r: (
            sorted(r.order) == list(range(len(r.options))) == list(range(len(r.letters)))
            and all(_number(place, whole=True) for place in r.order)
        ),
        "an order of all its options, with a letter each",
    ),
    (
        lambda r: (
            _place(r.truth, len(r.options))
            and _place(r.answer.index, len(r.options))
            and _place(r.answer.marker_index, len(r.options))
        ),
        "truth and answer among its options",
    ),
    (
        lambda r: (
            r.scores is None
            or (
                _shares(r.scores.probabilities, len(r.options))
                and _shares(r.scores.word_probabilities, len(r.options))
                and _number(r.scores.letter_mass)
            )
        ),
        "a probability for each option",
    ),
    (
        lambda r: _number(r.seconds) and _number(r.tokens, whole=True),
        "seconds and tokens as numbers",
    ),
    (lambda r: r.substring_grade in (None, True, False), "a grade that is true, false or null"),
    (
        lambda r: (
            isinstance(r.slices, Mapping)
            and (r.generation is None or isinstance(r.generation, Mapping))
        ),
        "slices and settings as objects",
    ),
    (lambda r: all(_picture(picture) for picture in r.pictures), "pictures named by their sha256"),
)
