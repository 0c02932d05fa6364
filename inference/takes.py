"""Which representations a model can take, said before anything is drawn or loaded."""

from __future__ import annotations

from collections.abc import Callable

from inference.models.entries import ModelEntry
from viewer.study import Study

Count = Callable[[Study | None, ModelEntry], int]

WORDS_ONLY = {"text-only"}
OF_ONE_SEQUENCE = {"single-slice", "volume", "blank"}
"""Representations that draw the sequence that the settings name."""

COUNTS: dict[str, Count] = {
    "single-slice": lambda study, entry: 1,
    "blank": lambda study, entry: 1,
    "montage": lambda study, entry: 1,
    "multi-montage": lambda study, entry: 3,
    "multi-slice": lambda study, entry: len(study.sequences) if study else 1,
    "volume": lambda study, entry: 2,  # it draws as many slices as the model takes, if several
    "text-only": lambda study, entry: 0,
}
"""Fewest pictures that a representation of that study, or of any (None), is sent as."""


def takes(entry: ModelEntry, representation: str, study: Study | None) -> str | None:
    """None where the model can be asked so about that study, else why it cannot.

    The reason goes on after the model's name ("takes one picture"). Without a study,
    what would be so for every one.
    """
    count = COUNTS[representation](study, entry) if representation in COUNTS else 1
    if entry.kind == "imported":
        return "is no model to ask: its answers are read from a file"
    if entry.only and representation not in entry.only:
        return f"takes {', '.join(entry.only)} only"
    if count == 0 and not entry.takes_text_only:
        return "needs a picture: it only ranks texts beside one"
    if count > entry.max_pictures == 0:
        return "takes words only, no pictures"
    if count > entry.max_pictures:
        return f"takes {_pictures(entry.max_pictures)}; this has {count} or more"
    sequence = entry.pictures.sequence
    if study and representation in OF_ONE_SEQUENCE and study.sequence(sequence) is None:
        return f"is shown {sequence} in {representation}, which this study has not"
    return None


def _pictures(count: int) -> str:
    return "one picture" if count == 1 else f"at most {count} pictures"
