"""Records with stated probabilities, made without a model."""

from __future__ import annotations

from dataclasses import replace

from inference.orders import Order, cyclic_orders
from inference.preparation import AskSettings
from inference.recording import recorded
from inference.records import Record
from inference.replies import OptionScores, Reply
from tests.inference.test_ask import QUESTION, prepared


def made(
    probabilities: tuple[float, ...] | None,
    order: Order = (0, 1, 2, 3),
    options: tuple[str, ...] = QUESTION.options,
    truth: int | None = 1,
    **changes: object,
) -> Record:
    """A record of option probabilities in the original order."""
    sent = prepared("text-only", order, AskSettings(generate=False))
    sent = replace(sent, question=replace(QUESTION, options=options, answer=truth))
    shown = probabilities and OptionScores(tuple(probabilities[i] for i in order), 1.0)
    record = recorded(sent, Reply("", None, None, 0, 0.0, "m", None, None, "stop"), shown, 0.0)
    return replace(record, **changes)  # type: ignore[arg-type]


def in_every_order(probabilities: tuple[float, ...] | None, **changes: object) -> list[Record]:
    """The same posterior in the four cyclic orders."""
    return [made(probabilities, order, **changes) for order in cyclic_orders(4)]  # type: ignore[arg-type]


def always_first() -> list[Record]:
    """A model that takes the first option shown, in the four cyclic orders."""
    return [
        made(tuple(0.97 if index == order[0] else 0.01 for index in range(4)), order)
        for order in cyclic_orders(4)
    ]
