"""A record as a slim row of what is counted and filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inference.records import Record
from viewer.printable import whole_characters

WORD_ENDS = " .!\"'"
WITH_MASKS = " with masks"
AT_OWN_SLICES = " at own slices"

WITHOUT_PICTURE = ("blank", "text-only")
"""Representations that show nothing of the study."""


def row_of(record: Record) -> dict[str, Any]:
    """The row of `tables.RECORDS`; its `number` is given by the database."""
    row = {
        "id": record.id,
        "key": record.key,
        "time": record.time,
        "case": record.case,
        "question_id": record.question_id,
        "stem": record.stem,
        "category": record.category,
        "model": record.model,
        "revision": record.revision,
        "representation": counted_as(record),
        "ordering": ordering_of(record),
        "ablation": record.ablation,
        "truth": None if record.truth is None else record.options[record.truth],
        "answer": record.answer.text,
        "yes_no": is_yes_no(record.options),
        "status": record.answer.status,
        "score": record.score,
        "substring_grade": record.substring_grade,
        "finish": record.finish,
        "seconds": record.seconds,
    }
    return {name: storable(value) for name, value in row.items()}


def counted_as(record: Record) -> str:
    """The representation, told apart where another question was asked with it.

    Not of an ablation, whose name says what its pictures carried.
    """
    name = record.representation
    if record.ablation is not None:
        return name
    return counted_name(name, carries_masks(record.pictures), at_own_slices(name, record.slices))


def counted_name(representation: str, masks: bool, own_slices: bool) -> str:
    """Its pictures carried masks, or were of slices that a user chose."""
    return representation + WITH_MASKS * masks + AT_OWN_SLICES * own_slices


def at_own_slices(representation: str, slices: Mapping[str, Any]) -> bool:
    """Whether pictures were of slices that a user chose; `slices` as the record holds them."""
    return representation not in WITHOUT_PICTURE and slices.get("source") == "user"


def carries_masks(pictures: Sequence[Mapping[str, Any]]) -> bool:
    """Whether any of a record's pictures shows a mask."""
    return any(picture.get("includes_mask") for picture in pictures)


def storable(value: Any) -> Any:
    """A text without the signs that no database holds; the document keeps them as JSON does."""
    if not isinstance(value, str):
        return value
    return whole_characters(value).replace("\0", "\N{REPLACEMENT CHARACTER}")


def ordering_of(record: Record) -> str:
    """What the order is called; "original" or "by hand" where it was given no name."""
    if record.ordering:
        return record.ordering
    return "original" if list(record.order) == sorted(record.order) else "by hand"


def is_yes_no(options: Sequence[str]) -> bool:
    """Whether both Yes and No are among the options."""
    return {"yes", "no"} <= {plain_word(option) for option in options}


def plain_word(option: str) -> str:
    """An option without its case and the signs around it."""
    return option.strip(WORD_ENDS).casefold()
