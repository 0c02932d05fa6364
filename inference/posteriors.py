"""Option probabilities compared: distances, averages over orders, pairs of records.

A posterior is a record's option probabilities in the original order, so that
records of different shown orders can be compared option by option.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from inference.orders import Order
from inference.records import Record

Posterior = tuple[float, ...]
Pair = tuple[Record, Record]

LEAST = 1e-12
"""A probability below this is taken as this: its logarithm stays finite."""


def posterior(record: Record) -> Posterior | None:
    """The record's option probabilities; None where the model gave none."""
    return record.scores.probabilities if record.scores else None


def probability_of_answer(record: Record) -> float | None:
    """How probable the answer given is; a free reply need not name the most probable option."""
    p, index = posterior(record), record.answer.index
    return None if p is None or index is None else p[index]


def total_variation(p: Posterior, q: Posterior) -> float:
    """Half the sum of absolute differences: 0 for equal posteriors, 1 for disjoint ones."""
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def log_probability(p: Posterior, option: int) -> float:
    """Natural logarithm of one option's probability."""
    return log(max(p[option], LEAST))


def mean_posterior(records: Sequence[Record]) -> Posterior | None:
    """Averaged over the records, e.g. over orders; None where one has no probabilities."""
    found = [p for p in map(posterior, records) if p is not None]
    if not found or len(found) < len(records):
        return None
    return tuple(sum(column) / len(found) for column in zip(*found, strict=True))


def pairs_by_order(one: Sequence[Record], other: Sequence[Record]) -> tuple[Pair, ...]:
    """Records of both sides that showed the options in the same order, failed ones left out.

    An order counts once, also where two names mean it (a file's shuffle may be its original).
    """
    mine, theirs = _by_order(one), _by_order(other)
    return tuple((record, theirs[order]) for order, record in mine.items() if order in theirs)


def _by_order(records: Sequence[Record]) -> dict[Order, Record]:
    return {record.order: record for record in records if answered(record)}


def distances(pairs: Sequence[Pair]) -> tuple[float, ...] | None:
    """Total variation of each pair; None where one of them has no probabilities."""
    found = [(posterior(a), posterior(b)) for a, b in pairs]
    known = [(a, b) for a, b in found if a is not None and b is not None]
    return tuple(total_variation(a, b) for a, b in known) if len(known) == len(pairs) else None


def answered(record: Record) -> bool:
    """Whether an option was named."""
    return record.answer.index is not None
