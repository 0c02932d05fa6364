"""What a user chose for one ask, and what follows from it.

The page and the command line both end here, so that they ask the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from inference.conventions import Conventions, with_conventions
from inference.errors import BadOrder, UnusableQuestion
from inference.models.protocol import GenerationSettings
from inference.models.table import ModelEntry, model_entry
from inference.orders import Order, cyclic_orders, original_order, shuffled_order
from inference.pictures import PictureSettings
from inference.preparation import AskSettings
from inference.prompts import MARKS
from inference.questions import Question
from inference.slices import Point, SliceChoice
from viewer.planes import Convention


@dataclass(frozen=True)
class Choices:
    """One ask before it is made. `order` is a name that `order_of` knows.

    `at_mm` is the world point (x, y, z) of the user's own slices, for `slice_from` "user".
    `conventions` are the user's changes to what models' cards ask for.
    `score` and `generate` say what is wanted of the model. `convention`, `temperature` and
    `seed` (the free reply's) are the model's own where they are None.
    """

    study_id: str
    question_id: str
    representation: str
    model: str
    order: str = "original"
    slice_from: SliceChoice = "auto"
    include_masks: bool = False
    convention: Convention | None = None
    at_mm: Point | None = None
    conventions: tuple[Conventions, ...] = ()
    score: bool = True
    generate: bool = True
    temperature: float | None = None
    seed: int | None = None

    @property
    def extras(self) -> tuple[str, ...]:
        """What is unusual about the pictures, in words."""
        unusual = {
            "masks included": self.include_masks,
            f"slices by {self.slice_from}": self.slice_from != "auto",
        }
        return tuple(words for words, holds in unusual.items() if holds)

    def entry(self) -> ModelEntry:
        """The model's row with the user's changes; `UnknownName` where there is none."""
        return with_conventions(model_entry(self.model), self.conventions)

    def settings(self) -> PictureSettings:
        """The model's own picture settings with the user's changes."""
        entry = self.entry()
        settings = replace(
            entry.pictures,
            include_masks=self.include_masks,
            # So that the record alone says how many slices were drawn.
            volume_pictures=max(1, min(entry.pictures.volume_pictures, entry.max_pictures)),
        )
        if self.convention is None:
            return settings
        return replace(settings, convention=self.convention)

    def _generation(self, own: GenerationSettings) -> GenerationSettings:
        return replace(
            own,
            temperature=own.temperature if self.temperature is None else self.temperature,
            seed=own.seed if self.seed is None else self.seed,
        )

    def ask_settings(self) -> AskSettings:
        """How to draw, how to word and how to ask, by the model's own conventions."""
        entry = self.entry()
        return AskSettings(
            pictures=self.settings(),
            style=entry.style,
            generation=self._generation(entry.generation),
            score=self.score,
            generate=self.generate,
            words=self.score and entry.scores_words,
            slices=self.slice_from,
        )


def order_of(question: Question, order: str) -> Order:
    """The order that `order` names.

    "original", "shuffled" (the file's own), "cyclic-1" (the original turned by
    one place) and so on, or a whole number as seed.
    """
    count = len(question.options)
    if count < 2:
        raise UnusableQuestion(
            f"Expected a question with options, but question {question.id} has {count}; "
            "correct its row in the question file."
        )
    if count > len(MARKS["letters"]):
        raise UnusableQuestion(
            f"Expected at most {len(MARKS['letters'])} options, one a letter, but question "
            f"{question.id} has {count}; split the question."
        )
    if order == "original":
        return original_order(count)
    if order == "shuffled":
        return question.shuffled or shuffled_order(count, 0, question.id)
    if order in cyclic_names(count):
        return cyclic_orders(count)[cyclic_names(count).index(order)]
    try:
        return shuffled_order(count, int(order), question.id)
    except ValueError:
        raise BadOrder(
            f"Expected the order original, shuffled, cyclic-1 to cyclic-{count - 1} or a whole "
            f"number as seed, got {order!r}; give one of these."
        ) from None


def cyclic_names(count: int) -> tuple[str, ...]:
    """What the `count` rotations of a question's options are called, the original first."""
    return ("original", *(f"cyclic-{turn}" for turn in range(1, count)))
