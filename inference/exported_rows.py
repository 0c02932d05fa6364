"""What a row of a table exported from here says beyond the question and the reply."""

from __future__ import annotations

from dataclasses import dataclass

from inference.errors import BadOrder
from inference.option_answers import RULE as BY_PROBABILITIES
from inference.orders import Order
from inference.parsing import Answer
from inference.question_rows import Row
from inference.questions import Question
from inference.replies import Finish

SHOWN_ORDER = "shown_order"
"""The column with the options' numbers, counted from 1, in the order that was shown: "2 1 4 3"."""

KEY = "key"
"""The column with the ask's name, which a repeat of the ask shares."""

OWN_SLICES = "own_slices"
"""The column that says that the slices were the user's own choice."""

RULE = "rule"
"""The column with the rule that read the answer."""

FINISHES: dict[str, Finish] = {"error": "error", "unfinished": "length"}
"""How a reply of that status ended; else it stopped by itself."""


@dataclass(frozen=True)
class Exported:
    """How the question was asked, and the answer of an ask without a free reply.

    `key` is empty and `order` None where a table written before there were such
    columns does not hold them. `scored` says that no reply was made, `answer` is then the
    option of the highest probability, None where there was none.
    """

    key: str
    order: Order | None
    ablation: str | None
    masks: bool
    own_slices: bool
    finish: Finish
    scored: bool
    answer: str | None


NOT_EXPORTED = Exported("", None, None, False, False, "stop", False, None)
"""Of a row from elsewhere."""


def exported_of(row: Row) -> Exported:
    """The cells of the row; `BadOrder` where the order is none of numbers."""
    return Exported(
        key=str(row.get(KEY) or ""),
        order=_order(str(row.get(SHOWN_ORDER) or "")),
        ablation=str(row.get("ablation") or "") or None,
        masks=_is_true(row.get("masks")),
        own_slices=_is_true(row.get(OWN_SLICES)),
        finish=FINISHES.get(str(row.get("status")), "stop"),
        scored=row.get(RULE) == BY_PROBABILITIES,
        answer=str(row.get("answer") or "") or None,
    )


def order_shown(exported: Exported, question: Question) -> Order | None:
    """The order that the row holds; `BadOrder` where it does not fit the question's options."""
    order, count = exported.order, len(question.options)
    if order is not None and sorted(order) != list(range(count)):
        raise BadOrder(
            f"Expected under {SHOWN_ORDER} each of {count} options once, got "
            f"{order_cell(order)!r}; export the table anew."
        )
    return order


def order_cell(order: Order) -> str:
    """The order as its cell."""
    return " ".join(str(index + 1) for index in order)


def most_probable_of(exported: Exported, question: Question) -> Answer:
    """The answer of an ask without a free reply, as the table states it."""
    if exported.answer in question.options:
        index = question.options.index(exported.answer)
        return Answer(index, exported.answer, "answered", BY_PROBABILITIES)
    return Answer(None, None, "no answer", BY_PROBABILITIES)


def _is_true(cell: object) -> bool:
    return str(cell).casefold() == "true"


def _order(cell: str) -> Order | None:
    numbers = cell.split()
    if not all(number.isdecimal() for number in numbers):
        raise BadOrder(
            f"Expected numbers under {SHOWN_ORDER}, got {cell!r}; export the table anew."
        )
    return tuple(int(number) - 1 for number in numbers) or None
