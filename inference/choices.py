"""What a user chose for one ask, and what follows from it.

The page and the command line both end here, so that they ask the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from inference.errors import BadOrder, UnusableQuestion
from inference.models.table import ModelEntry, model_entry
from inference.orders import Order, original_order, shuffled_order
from inference.pictures import PictureSettings
from inference.questions import Question
from inference.slices import Point, SliceChoice
from viewer.planes import Convention


@dataclass(frozen=True)
class Choices:
    """One ask before it is made. `order` is "original", "shuffled" or a seed as text.

    `at_mm` is the world point (x, y, z) of the user's own slices, for `slice_from` "user".
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

    def entry(self) -> ModelEntry:
        """The model's row; `UnknownName` where there is none."""
        return model_entry(self.model)

    def settings(self) -> PictureSettings:
        """The model's own picture settings with the user's changes."""
        settings = replace(self.entry().pictures, include_masks=self.include_masks)
        if self.convention is None:
            return settings
        return replace(settings, convention=self.convention)


def order_of(question: Question, order: str) -> Order:
    """The order that `order` names: "original", "shuffled" (the file's own), or a seed."""
    count = len(question.options)
    if count < 2:
        raise UnusableQuestion(
            f"Expected a question with options, but question {question.id} has {count}; "
            "correct its row in the question file."
        )
    if order == "original":
        return original_order(count)
    if order == "shuffled":
        return question.shuffled or shuffled_order(count, 0, question.id)
    try:
        return shuffled_order(count, int(order), question.id)
    except ValueError:
        raise BadOrder(
            f"Expected the order original, shuffled or a whole number as seed, got {order!r}; "
            "give one of these."
        ) from None
