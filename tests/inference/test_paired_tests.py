"""McNemar by hand and a bootstrap that repeats."""

from __future__ import annotations

import pytest

from inference.paired_tests import mcnemar, paired


def test_mcnemar_exact_by_hand() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(0, 5) == pytest.approx(2 / 2**5)
    assert mcnemar(1, 9) == pytest.approx(2 * (1 + 10) / 2**10)
    assert mcnemar(9, 1) == mcnemar(1, 9)


def test_the_four_counts_and_the_difference() -> None:
    first = [True] * 30 + [False] * 20
    second = [True] * 20 + [False] * 10 + [True] * 5 + [False] * 15
    found = paired(first, second)
    assert found is not None
    assert (found.both, found.only_first, found.only_second, found.neither) == (20, 10, 5, 15)
    assert found.of == 50
    assert found.difference == pytest.approx(0.1)
    assert found.low is not None and found.high is not None
    assert found.low < 0.1 < found.high
    assert paired(first, second) == found


def test_equal_answers_differ_by_nothing() -> None:
    found = paired([True, False, True], [True, False, True])
    assert found is not None
    assert (found.difference, found.low, found.high, found.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_too_little_to_tell() -> None:
    assert paired([], []) is None
    one = paired([True], [False])
    assert one is not None and one.low is None
    with pytest.raises(ValueError, match="pairs"):
        paired([True], [])


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    import numpy as np

    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(40):
        first, second = rng.random(80) < 0.7, rng.random(80) < 0.6
        found = paired(first.tolist(), second.tolist())
        assert found is not None and found.low is not None and found.high is not None
        inside += found.low <= 0.1 <= found.high
    assert inside >= 34
