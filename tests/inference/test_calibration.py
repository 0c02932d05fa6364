from __future__ import annotations

import pytest

from inference.baselines import chance, histogram, majority
from inference.calibration import calibration
from inference.categories import category_of
from inference.proportions import proportion


def test_the_error_by_hand() -> None:
    # Two bins: 0.9 sure and 3 of 4 right, 0.6 sure and 1 of 2 right.
    found = calibration([0.9] * 4 + [0.6] * 2, [True, True, True, False, True, False])
    assert found is not None
    assert [(b.count, b.right) for b in found.bins] == [(2, 0.5), (4, 0.75)]
    assert found.error == pytest.approx((2 * 0.1 + 4 * 0.15) / 6)


def test_the_ends_have_bins_too() -> None:
    found = calibration([0.0, 1.0, 0.1], [False, True, False])
    assert found is not None
    assert [(b.low, b.high, b.count) for b in found.bins] == [
        (0.0, pytest.approx(0.1), 2),
        (pytest.approx(0.9), 1.0, 1),
    ]
    assert calibration([], []) is None


def test_baselines() -> None:
    assert chance([4, 4, 2, 2]) == pytest.approx(0.375)
    assert majority([0, 0, 0, 2]) == 0.75
    assert chance([]) is None and majority([]) is None
    assert histogram([0, 0, 2, 3], "ABCD") == {"A": 0.5, "B": 0.0, "C": 0.25, "D": 0.25}
    assert histogram([], "AB") == {"A": 0.0, "B": 0.0}


def test_a_share_has_its_wilson_interval() -> None:
    found = proportion(8, 10)
    assert found is not None
    assert (found.share, found.low, found.high) == (0.8, pytest.approx(0.4902, abs=1e-4),
                                                    pytest.approx(0.9433, abs=1e-4))  # fmt: skip
    assert proportion(0, 0) is None


@pytest.mark.parametrize(
    ("named", "stem", "expected"),
    [
        ("own", "How large?", "own"),
        (None, "What is the DIMENSION of the tumor?", "size"),
        (None, "Is the midline shifted, and to which side?", "midline"),
        (None, "In which hemisphere does most of the tumor lie?", "location"),
        (None, "How does it enhance?", "enhancement"),
        (None, "What is the most likely diagnosis?", "diagnosis"),
        (None, "Anything else?", "other"),
    ],
)
def test_categories_by_rule(named: str | None, stem: str, expected: str) -> None:
    assert category_of(named, stem) == expected
