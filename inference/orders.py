"""Orders in which options are shown.

An order is a tuple: `order[p]` is the original (0-based) index of the option
shown at position `p`. Letters are bound to positions, answers to originals, so
nothing but the order that was sent can turn a letter into an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from inference.errors import BadOrder

Order = tuple[int, ...]


def original_order(n: int) -> Order:
    """The options as the file has them."""
    return tuple(range(n))


def shuffled_order(n: int, seed: int, key: str = "") -> Order:
    """A permutation that depends on `seed` and `key` alone, on any machine.

    `key` is the question's id: without it one seed would show every question
    in the same order, and an option that stands first in the file would stand
    at one place all over again. Sorting by a hash, not by a random generator,
    keeps old records true under newer libraries.
    """
    return tuple(sorted(range(n), key=lambda i: sha256(f"{seed}/{key}/{i}".encode()).digest()))


def cyclic_orders(n: int) -> tuple[Order, ...]:
    """The n rotations: each option stands once at every position."""
    return tuple(tuple((start + p) % n for p in range(n)) for start in range(n))


def order_of_texts(options: Sequence[str], shown: Sequence[str]) -> Order:
    """The order that shows `options` as `shown`; `BadOrder` where the texts differ.

    Equal texts are matched from left to right.
    """
    left = list(range(len(options)))
    order = []
    for text in shown:
        index = next((i for i in left if options[i] == text), None)
        if index is None:
            raise BadOrder(
                f"Expected a shuffled list of the same {len(options)} options, got "
                f"{text!r} which is not among them; use the original order or a seed."
            )
        left.remove(index)
        order.append(index)
    return check_order(tuple(order), len(options))


def check_order(order: Order, n: int) -> Order:
    """`order` itself, or `BadOrder` where it is no permutation of 0..n-1."""
    if sorted(order) != list(range(n)):
        raise BadOrder(
            f"Expected an order of {n} options (each of 0..{n - 1} once), got {order}; "
            "give original, shuffled or a seed."
        )
    return order
