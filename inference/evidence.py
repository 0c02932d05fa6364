"""Evidence sensitivity: how far the posterior moves when one piece of evidence is withheld.

The definition is that of MEDSYN (arXiv 2602.21950): the sensitivity to an
evidence type is how far the posterior over the options moves without it, and
the discrepancy is the spread of the sensitivities across types. Here a type is
one sequence, the distance is the total variation, and it is averaged over the
orders asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inference.posteriors import (
    distances,
    log_probability,
    mean_posterior,
    pairs_by_order,
    posterior,
    total_variation,
)
from inference.records import Record

DEFINITION = (
    "Evidence sensitivity (after MEDSYN, arXiv 2602.21950): total variation distance between the "
    "option probabilities with all sequences and with one left out, averaged over the orders "
    "asked. Beside it the change of the truth's log-probability when the sequence is left out: "
    "below zero, the sequence spoke for the truth. Discrepancy: the largest sensitivity minus "
    "the smallest."
)
GAP_DEFINITION = (
    "Gap between a finding as text and as picture: the truth's mean probability with the mask's "
    "measures written before the question and no picture, minus that with the pictures and no "
    "such words."
)


@dataclass(frozen=True)
class Sensitivity:
    """One evidence type. `truth_change` is in nats, None where the truth is not known."""

    evidence: str
    distance: float
    truth_change: float | None
    orders: int


@dataclass(frozen=True)
class Gap:
    """Mean probabilities of the truth, and how far the two posteriors lie apart."""

    as_picture: float
    as_text: float
    distance: float

    @property
    def difference(self) -> float:
        """Above zero: words helped more than pictures."""
        return self.as_text - self.as_picture


def sensitivities(
    whole: Sequence[Record], withheld: Mapping[str, Sequence[Record]]
) -> tuple[Sensitivity, ...]:
    """One a key of `withheld` (what was left out), the largest first.

    A type whose asks failed or gave no probabilities is left out.
    """
    found = [_sensitivity(name, whole, without) for name, without in withheld.items()]
    known = [each for each in found if each is not None]
    return tuple(sorted(known, key=lambda each: -each.distance))


def discrepancy(found: Sequence[Sensitivity]) -> float | None:
    """Largest minus smallest sensitivity; None under two types."""
    if len(found) < 2:
        return None
    far = [each.distance for each in found]
    return max(far) - min(far)


def modality_gap(as_picture: Sequence[Record], as_text: Sequence[Record]) -> Gap | None:
    """None where either is missing, the model gives no probabilities, or no truth is known."""
    pairs = pairs_by_order(as_picture, as_text)
    pictures = mean_posterior([a for a, _ in pairs])
    text = mean_posterior([b for _, b in pairs])
    truth = pairs[0][0].truth if pairs else None
    if pictures is None or text is None or truth is None:
        return None
    return Gap(pictures[truth], text[truth], total_variation(pictures, text))


def _sensitivity(
    name: str, whole: Sequence[Record], without: Sequence[Record]
) -> Sensitivity | None:
    pairs = pairs_by_order(whole, without)
    far = distances(pairs)
    if not pairs or far is None:
        return None
    return Sensitivity(name, sum(far) / len(far), _truth_change(pairs), len(far))


def _truth_change(pairs: Sequence[tuple[Record, Record]]) -> float | None:
    changes = []
    for whole, without in pairs:
        before, after = posterior(whole), posterior(without)
        if whole.truth is None or before is None or after is None:
            return None
        changes.append(log_probability(after, whole.truth) - log_probability(before, whole.truth))
    return sum(changes) / len(changes)
