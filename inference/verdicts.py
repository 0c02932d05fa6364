"""Verdicts about one question and one model, each with its definition and its evidence.

A verdict is reached from pairs of asks in the same order of options, or from
one ask in several orders; never from one cell alone. It says how many it
rests on, and under `FEW` it calls them few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from inference.posteriors import Pair, answered, distances
from inference.records import Record
from inference.sides import mirrored_options

SAME = 0.05
"""Total variation under which two posteriors count as the same."""

LEAST = 2
"""Pairs or orders that a verdict needs."""

FEW = 10
"""Under this many pairs or orders a verdict is called one of small numbers."""

DEFINITIONS: dict[str, str] = {
    "image-blind": (
        "With the picture and with a black one the answer is the same, and the total variation "
        f"distance between the two posteriors is under {SAME}, in every order asked."
    ),
    "picture-driven": (
        "In more than half of the orders asked, the answer with the picture is another one than "
        f"with a black one, and the mean total variation distance is at least {SAME}."
    ),
    "position-biased": (
        "The answer changes with the order in which the options are shown; the shares say at "
        "which position the answers stood."
    ),
    "laterality-flipped": (
        "A question about sides whose answer does not turn to the other side with the mirrored "
        "picture, in more than half of the orders asked."
    ),
}


@dataclass(frozen=True)
class Verdict:
    """`holds` is None where it cannot be told; `why` says what was seen in `count` asks."""

    name: str
    holds: bool | None
    why: str
    count: int = 0

    @property
    def definition(self) -> str:
        """What the name means."""
        return DEFINITIONS[self.name]

    @property
    def small(self) -> bool:
        """Whether it rests on few asks."""
        return self.holds is not None and self.count < FEW


def picture_verdicts(pairs: Sequence[Pair]) -> tuple[Verdict, Verdict]:
    """Image-blind and picture-driven, from (with the picture, with a black one) pairs."""
    names = ("image-blind", "picture-driven")
    if len(pairs) < LEAST:
        why = f"{len(pairs)} of at least {LEAST} orders asked with the picture and with a black one"
        return Verdict(names[0], None, why, len(pairs)), Verdict(names[1], None, why, len(pairs))
    same = sum(a.answer.index == b.answer.index for a, b in pairs)
    far = distances(pairs)
    if far is None:
        why = "the model gives no option probabilities"
        return Verdict(names[0], None, why, len(pairs)), Verdict(names[1], None, why, len(pairs))
    count, mean = len(pairs), sum(far) / len(far)
    why = f"same answer in {same} of {count} orders, total variation {mean:.3f} (mean)"
    blind = same == count and max(far) < SAME
    driven = count - same > count / 2 and mean >= SAME
    return Verdict(names[0], blind, why, count), Verdict(names[1], driven, why, count)


def position_verdict(records: Sequence[Record]) -> Verdict:
    """From one ask in several orders."""
    told = {record.order: record for record in records if answered(record)}
    name, count = "position-biased", len(told)
    if count < LEAST:
        return Verdict(name, None, f"asked in {count} of at least {LEAST} orders", count)
    answers = {record.answer.index for record in told.values()}
    return Verdict(
        name,
        len(answers) > 1,
        f"{len(answers)} different answers in {count} orders; "
        f"answers stood at {shares_text(position_shares(list(told.values())))}",
        count,
    )


def position_shares(records: Sequence[Record]) -> dict[str, float]:
    """Share of the answers that stood at each mark, in the order of the marks."""
    told = [record for record in records if answered(record)]
    marks = max((record.letters for record in told), key=len, default=())
    stood = Counter(record.letters[_place(record)] for record in told)
    return {mark: stood[mark] / len(told) for mark in marks}


def shares_text(shares: dict[str, float]) -> str:
    """The shares in words, e.g. "A 75 %, B 25 %"."""
    return ", ".join(f"{mark} {share:.0%}".replace("%", " %") for mark, share in shares.items())


def laterality_verdict(pairs: Sequence[Pair]) -> Verdict:
    """From (as it is, mirrored) pairs of a question about sides."""
    name = "laterality-flipped"
    turned = mirrored_options(pairs[0][0].options) if pairs else None
    if pairs and turned is None:
        return Verdict(name, None, "the question is not about sides")
    sided = [(a, b) for a, b in pairs if turned and _names_side(a, turned)]
    if turned is None or len(sided) < LEAST:
        why = f"{len(sided)} of at least {LEAST} orders with an answer that names a side"
        return Verdict(name, None, why, len(sided))
    followed = sum(b.answer.index == turned[_index(a)] for a, b in sided)
    why = f"the answer turned with the picture in {followed} of {len(sided)} orders"
    return Verdict(name, len(sided) - followed > len(sided) / 2, why, len(sided))


def _names_side(record: Record, turned: Sequence[int]) -> bool:
    return turned[_index(record)] != _index(record)


def _index(record: Record) -> int:
    assert record.answer.index is not None
    return record.answer.index


def _place(record: Record) -> int:
    return record.order.index(_index(record))
