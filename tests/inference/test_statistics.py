from __future__ import annotations

import pytest

from inference.statistics import wilson


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


def test_wilson_holds_the_share_itself_whatever_is_rounded() -> None:
    for asked in range(1, 400):
        for right in (0, asked):
            low, high = wilson(right, asked)
            assert low <= right / asked <= high
