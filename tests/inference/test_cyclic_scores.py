"""The mean over the cyclic orders, its spread, and where ways of answering part."""

from __future__ import annotations

from typing import Any

import pytest

from inference.cyclic_scores import cyclic_card, cyclic_scores
from inference.disagreement import disagreement_lines

FIRST_PLACE = ((0.6, 0.2, 0.2), (0.2, 0.2, 0.6), (0.2, 0.6, 0.2))
"""What a model gives that always likes the letter A, by option in the original order."""


def test_position_alone_leaves_nothing_in_the_mean() -> None:
    found = cyclic_scores(FIRST_PLACE)
    assert found is not None
    assert found.mean == pytest.approx((1 / 3,) * 3)
    assert found.spread == pytest.approx((0.4,) * 3)
    assert found.firsts == 3


def test_a_steady_model_has_no_spread() -> None:
    found = cyclic_scores([(0.7, 0.2, 0.1)] * 3)
    assert found is not None
    assert (found.spread, found.firsts) == ((0.0, 0.0, 0.0), 1)


def test_one_order_without_probabilities_leaves_no_mean() -> None:
    assert cyclic_scores([(0.7, 0.3), None]) is None
    assert cyclic_scores([]) is None


def record(**changes: Any) -> dict[str, Any]:
    values = {
        "options": ["Right <b>", "Left", "Both"],
        "answer": {"index": 0},
        "generation": {"seed": 0},
        "probabilities": (0.6, 0.2, 0.2),
        "word_probabilities": None,
    }
    return values | changes


def test_the_card_names_the_mean_the_spread_and_escapes() -> None:
    html = cyclic_card([record(probabilities=row) for row in FIRST_PLACE])
    assert "Mean of 3 cyclic orders" in html and "33.3 %" in html and "40.0 points" in html
    assert "3 different options come first, by the order alone" in html
    assert "<b>" not in html
    assert "not available" in cyclic_card([record(probabilities=None)])
    assert cyclic_card([]) == ""


def test_ways_that_agree_say_nothing() -> None:
    assert disagreement_lines(record(word_probabilities=(0.5, 0.3, 0.2))) == []
    assert disagreement_lines(record(answer={"index": None})) == []
    assert disagreement_lines(record(probabilities=None)) == []


def test_each_way_that_parts_is_a_sentence() -> None:
    lines = disagreement_lines(
        record(probabilities=(0.3, 0.6, 0.1), word_probabilities=(0.2, 0.1, 0.7))
    )
    assert len(lines) == 2
    assert "letters' probabilities rank “Left” first (60%), the reply says" in lines[0]
    assert "own words rank “Both” first (70%)" in lines[1]
    scored = disagreement_lines(record(generation=None, word_probabilities=(0.2, 0.1, 0.7)))
    assert "the answer is" in scored[0]
