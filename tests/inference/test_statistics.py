from __future__ import annotations

import pytest

from inference.statistics import cohen_kappa, fleiss_kappa, spearman, wilson


@pytest.mark.parametrize(
    ("right", "asked", "low", "high"),
    [
        # Newcombe, Stat Med 1998; 17:857-872, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(
    right: int, asked: int, low: float, high: float
) -> None:
    assert wilson(right, asked) == pytest.approx((low, high), abs=5e-5)


def test_wilson_stays_inside_and_knows_nothing_of_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(29, 29)
    assert 0.8 < low < high == 1.0


def test_cohen_gives_the_textbook_value() -> None:
    # 50 proposals: both yes 20, only the first 5, only the second 10, both no 15
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(first, first) == 1.0
    assert cohen_kappa([], []) is cohen_kappa(["a"], ["a"]) is None


FLEISS_1971 = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_fleiss_gives_the_textbook_value() -> None:
    judged = [[label for label, n in enumerate(row) for _ in range(n)] for row in FLEISS_1971]
    assert fleiss_kappa(judged) == pytest.approx(0.210, abs=5e-4)
    assert fleiss_kappa([]) is fleiss_kappa([["a"]]) is fleiss_kappa([["a", "a"]]) is None
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa([["a", "b"], ["a"]])


def test_spearman_ranks_ties_and_refuses_flat_rankings() -> None:
    assert spearman([1, 2, 3], [10, 20, 21]) == pytest.approx(1.0)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert spearman([1, 1, 2, 3], [1, 2, 3, 4]) == pytest.approx(0.9487, abs=1e-4)
    assert spearman([1, 1], [1, 2]) is spearman([1], [1]) is None
