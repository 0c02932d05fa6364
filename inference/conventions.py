"""What a model's card asks of its pictures and words, as the user may change it.

A change belongs to one model and to one session; the record holds what was
sent in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inference.errors import BadConventions
from inference.models.entries import ModelEntry
from inference.pictures import Crop

CaptionPlace = Literal["after", "before", "none"]

MOST_PICTURES = 400
LARGEST_SIDE = 2048
"""Pixels: no model of the table sees more."""


@dataclass(frozen=True)
class Conventions:
    """How one model is shown a study. `size` None keeps the file's own resolution."""

    model: str
    window_rule: str
    crop: Crop
    size: int | None
    volume_pictures: int
    max_pictures: int
    caption_place: CaptionPlace


def conventions_of(entry: ModelEntry) -> Conventions:
    """What its card asks for."""
    return Conventions(
        model=entry.name,
        window_rule=entry.pictures.window_rule,
        crop=entry.pictures.crop,
        size=entry.pictures.size,
        volume_pictures=entry.pictures.volume_pictures,
        max_pictures=entry.max_pictures,
        caption_place=entry.style.caption_place,
    )


def checked(
    model: str,
    window_rule: str,
    crop: Crop,
    size: float | None,
    volume_pictures: float | None,
    max_pictures: float | None,
    caption_place: CaptionPlace,
) -> Conventions:
    """From a form's values; `BadConventions` where a number is out of its range."""
    numbers = (
        ("side in pixels", size, 0, LARGEST_SIDE),
        ("slices of a volume", volume_pictures, 1, MOST_PICTURES),
        ("most pictures", max_pictures, 0, MOST_PICTURES),
    )
    for name, value, low, high in numbers:
        if value is None or not low <= value <= high:
            raise BadConventions(f"Expected {name} from {low} to {high}, got {value}; correct it.")
    return Conventions(
        model,
        window_rule,
        crop,
        int(size or 0) or None,
        int(volume_pictures or 0),
        int(max_pictures or 0),
        caption_place,
    )


def with_conventions(entry: ModelEntry, changes: Sequence[Conventions]) -> ModelEntry:
    """The row with the change that was made for it, if one was."""
    change = next((each for each in changes if each.model == entry.name), None)
    if change is None:
        return entry
    pictures = replace(
        entry.pictures,
        window_rule=change.window_rule,
        crop=change.crop,
        size=change.size,
        volume_pictures=change.volume_pictures,
    )
    style = replace(entry.style, caption_place=change.caption_place)
    return replace(entry, pictures=pictures, style=style, max_pictures=change.max_pictures)


def changed(changes: Sequence[Conventions], change: Conventions) -> tuple[Conventions, ...]:
    """`changes` with this one in the place of an earlier one for the same model."""
    return (*without(changes, change.model), change)


def without(changes: Sequence[Conventions], model: str) -> tuple[Conventions, ...]:
    """`changes` but for that model's, which is back at what its card asks for."""
    return tuple(each for each in changes if each.model != model)


def in_words(conventions: Conventions) -> str:
    """One line for the table."""
    size = f"{conventions.size}×{conventions.size}" if conventions.size else "the file's own size"
    crop = "200 mm around the brain" if conventions.crop == "brain-200mm" else "whole slice"
    captions = {"after": "caption after", "before": "caption before", "none": "no caption"}
    return (
        f"{conventions.window_rule} intensities, {crop}, {size}, "
        f"{captions[conventions.caption_place]} each picture, question last"
    )
