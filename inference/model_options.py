"""What a user may change of how a model is shown a study and asked, one typed row an option.

The page renders the rows as they are; `conventions.py` puts the values where
pictures, prompts and replies are made from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inference.errors import BadConventions
from inference.models.entries import WEIGHED, Kind, ModelEntry
from viewer.windows import RULES

Type = Literal["choice", "number", "flag"]
Value = str | float | int | bool | None

WRITES: frozenset[Kind] = frozenset({"chat-vlm", "text-llm", "server", "volume-server"})
"""Kinds that write a reply of their own."""

SEES: frozenset[Kind] = frozenset({"chat-vlm", "embedding", "server", "volume-server", "fake"})
"""Kinds that are sent pictures."""

READS_CAPTIONS: frozenset[Kind] = frozenset({"chat-vlm", "server", "fake"})
"""Kinds whose prompt holds pictures and words in turn."""

MANY = READS_CAPTIONS
"""Kinds whose number of pictures is a convention; for others it is what they are."""

LARGEST_SIDE = 2048
"""Pixels: no model of the table sees more."""

MOST_PICTURES = 1000
MOST_TOKENS = 8192
HOTTEST = 2.0
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Option:
    """A row. `choices` are (words, value); `low` and `high` bound a number, both included.

    `kinds` are the models that it means anything for.
    """

    name: str
    label: str
    type: Type
    kinds: frozenset[Kind]
    choices: tuple[tuple[str, str], ...] = ()
    low: float = 0
    high: float = 0
    whole: bool = True

    def means_for(self, entry: ModelEntry) -> bool:
        """Whether it changes anything for that model."""
        if self.name == "thinking" and entry.generation.thinking is None:
            return False  # its template has no such switch
        return entry.kind in self.kinds

    def checked(self, value: Value) -> Value:
        """The value in its own type; `BadConventions` in one sentence where it is none."""
        if self.type == "flag":
            return bool(value)
        if self.type == "choice":
            names = [name for _, name in self.choices]
            if value not in names:
                raise BadConventions(
                    f"Expected {self.label.lower()} out of {', '.join(names)}, got {value!r}; "
                    "choose one of them."
                )
            return value
        return self._number(value)

    def _number(self, value: Value) -> Value:
        if not isinstance(value, int | float) or not self.low <= value <= self.high:
            raise BadConventions(
                f"Expected {self.label.lower()} from {self.low:g} to {self.high:g}, got {value}; "
                "correct it."
            )
        return int(value) if self.whole else float(value)


def _choice(name: str, label: str, kinds: frozenset[Kind], *choices: tuple[str, str]) -> Option:
    return Option(name, label, "choice", kinds, choices)


OPTIONS: tuple[Option, ...] = (
    _choice("window_rule", "Intensities", SEES, *((rule, rule) for rule in RULES)),
    _choice(
        "crop",
        "Field of view",
        SEES,
        ("whole slice", "full"),
        ("200 mm around the brain", "brain-200mm"),
    ),
    _choice(
        "convention",
        "Sides",
        SEES,
        ("right on the left (radiological)", "radiological"),
        ("right on the right (neurological)", "neurological"),
    ),
    _choice(
        "caption_place",
        "Caption",
        READS_CAPTIONS,
        ("after its picture", "after"),
        ("before it", "before"),
        ("none", "none"),
    ),
    Option("size", "Side in pixels (0: as stored)", "number", SEES, high=LARGEST_SIDE),
    Option("volume_pictures", "Slices of a volume", "number", SEES, low=1, high=MOST_PICTURES),
    Option("max_pictures", "Most pictures of one ask", "number", MANY, high=MOST_PICTURES),
    Option("temperature", "Temperature (0: greedy)", "number", WRITES, high=HOTTEST, whole=False),
    Option("seed", "Seed of the reply", "number", WRITES, high=LARGEST_SEED),
    Option("max_tokens", "Most tokens of a reply", "number", WRITES, low=1, high=MOST_TOKENS),
    Option("thinking", "Think before the reply", "flag", WRITES),
    Option("words", "Score the options' own words too", "flag", WRITES & WEIGHED),
)
"""In the order in which the page shows them."""
