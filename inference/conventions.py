"""What a model's card asks of its pictures, words and replies, as the user may change it.

A change belongs to one model and to one session; the record holds what was
sent in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from inference.errors import BadConventions
from inference.model_options import OPTIONS, Value
from inference.models.entries import ModelEntry
from inference.pictures import Crop
from viewer.planes import Convention

CaptionPlace = Literal["after", "before", "none"]


@dataclass(frozen=True)
class Conventions:
    """How one model is shown a study and asked; the fields after `model` are those of `OPTIONS`.

    `size` 0 keeps the file's own resolution.
    """

    model: str
    window_rule: str
    crop: Crop
    convention: Convention
    caption_place: CaptionPlace
    size: int
    volume_pictures: int
    max_pictures: int
    temperature: float
    seed: int
    max_tokens: int
    thinking: bool
    words: bool

    def values(self) -> tuple[Value, ...]:
        """What the page's inputs show, in the order of `OPTIONS`."""
        told = asdict(self)
        return tuple(told[option.name] for option in OPTIONS)


def conventions_of(entry: ModelEntry) -> Conventions:
    """What its card asks for."""
    pictures, generation = entry.pictures, entry.generation
    return Conventions(
        model=entry.name,
        window_rule=pictures.window_rule,
        crop=pictures.crop,
        convention=pictures.convention,
        caption_place=entry.style.caption_place,
        size=pictures.size or 0,
        volume_pictures=pictures.volume_pictures,
        max_pictures=entry.max_pictures,
        temperature=generation.temperature,
        seed=generation.seed,
        max_tokens=generation.max_tokens,
        thinking=bool(generation.thinking),
        words=entry.scores_words,
    )


def checked(entry: ModelEntry, values: Sequence[Value]) -> Conventions:
    """From a form's values in the order of `OPTIONS`; what means nothing for the model stays.

    `BadConventions` where one is out of its range, and where a model would
    think greedily: its makers warn of endless repetitions.
    """
    told: dict[str, Any] = {
        option.name: option.checked(value)
        for option, value in zip(OPTIONS, values, strict=True)
        if option.means_for(entry)
    }
    if told.get("thinking") and not told["temperature"]:
        raise BadConventions(
            "Expected a temperature above 0 with thinking on, got 0: a thinking model repeats "
            "itself when greedy; give 0.6, or switch thinking off."
        )
    return replace(conventions_of(entry), **told)


def with_conventions(entry: ModelEntry, changes: Sequence[Conventions]) -> ModelEntry:
    """The row with the change that was made for it, if one was."""
    change = next((each for each in changes if each.model == entry.name), None)
    if change is None:
        return entry
    pictures = replace(
        entry.pictures,
        window_rule=change.window_rule,
        crop=change.crop,
        convention=change.convention,
        size=change.size or None,
        volume_pictures=change.volume_pictures,
    )
    generation = replace(
        entry.generation,
        temperature=change.temperature,
        seed=change.seed,
        max_tokens=change.max_tokens,
        thinking=None if entry.generation.thinking is None else change.thinking,
    )
    return replace(
        entry,
        pictures=pictures,
        style=replace(entry.style, caption_place=change.caption_place),
        generation=generation,
        max_pictures=change.max_pictures,
        scores_words=change.words,
    )


def changed(changes: Sequence[Conventions], change: Conventions) -> tuple[Conventions, ...]:
    """`changes` with this one in the place of an earlier one for the same model."""
    return (*without(changes, change.model), change)


def without(changes: Sequence[Conventions], model: str) -> tuple[Conventions, ...]:
    """`changes` but for that model's, which is back at what its card asks for."""
    return tuple(each for each in changes if each.model != model)


def in_words(entry: ModelEntry) -> str:
    """One line for the table."""
    told = conventions_of(entry)
    if not entry.max_pictures:
        return f"question last, {_reply_in_words(told)}"
    size = f"{told.size}×{told.size}" if told.size else "the file's own size"
    crop = "200 mm around the brain" if told.crop == "brain-200mm" else "whole slice"
    captions = {"after": "caption after", "before": "caption before", "none": "no caption"}
    right = "left" if told.convention == "radiological" else "right"
    return (
        f"{told.window_rule} intensities, {crop}, {size}, right on the {right}, "
        f"{captions[told.caption_place]} each picture, question last, {_reply_in_words(told)}"
    )


def _reply_in_words(told: Conventions) -> str:
    how = f"temperature {told.temperature:g}, seed {told.seed}" if told.temperature else "greedy"
    return f"{how}{', thinking' if told.thinking else ''}"
