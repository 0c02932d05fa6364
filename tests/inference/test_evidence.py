"""Sensitivities by hand: distances, the truth's change, their spread, the gap."""

from __future__ import annotations

from math import log

import pytest

from inference.evidence import discrepancy, modality_gap, sensitivities
from inference.posteriors import mean_posterior, total_variation
from tests.inference.stated_records import in_every_order

WHOLE = (0.1, 0.7, 0.1, 0.1)


def test_total_variation_by_hand() -> None:
    assert total_variation((1.0, 0.0), (0.0, 1.0)) == 1.0
    assert total_variation((0.5, 0.3, 0.2), (0.2, 0.3, 0.5)) == pytest.approx(0.3)


def test_the_largest_comes_first_with_the_truths_change() -> None:
    withheld = {
        "T1": in_every_order((0.1, 0.7, 0.1, 0.1)),
        "FLAIR": in_every_order((0.3, 0.5, 0.1, 0.1)),
        "T2": in_every_order(None),
    }
    found = sensitivities(in_every_order(WHOLE), withheld)
    assert [each.evidence for each in found] == ["FLAIR", "T1"]
    assert found[0].distance == pytest.approx(0.2)
    assert found[0].truth_change == pytest.approx(log(0.5 / 0.7))
    assert (found[1].distance, found[1].truth_change, found[1].orders) == (0.0, 0.0, 4)
    assert discrepancy(found) == pytest.approx(0.2)
    assert discrepancy(found[:1]) is None


def test_a_truth_that_is_unknown_or_impossible_breaks_nothing() -> None:
    unknown = in_every_order(WHOLE, truth=None)
    assert sensitivities(unknown, {"T1": unknown})[0].truth_change is None
    never = in_every_order((1.0, 0.0, 0.0, 0.0))
    change = sensitivities(in_every_order(WHOLE), {"T1": never})[0].truth_change
    assert change is not None and change < -20


def test_the_gap_between_words_and_pictures() -> None:
    gap = modality_gap(in_every_order(WHOLE), in_every_order((0.0, 1.0, 0.0, 0.0)))
    assert gap is not None
    assert (gap.difference, gap.distance) == (pytest.approx(0.3), pytest.approx(0.3))
    assert modality_gap([], []) is None
    assert modality_gap(in_every_order(WHOLE), in_every_order(None)) is None


def test_averages_want_probabilities_everywhere() -> None:
    assert mean_posterior([*in_every_order(WHOLE), *in_every_order(None)]) is None
    assert mean_posterior(in_every_order(WHOLE)) == pytest.approx(WHOLE)
