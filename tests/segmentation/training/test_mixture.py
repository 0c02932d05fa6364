"""The stream of patches: repeatable, finite, never empty."""

from __future__ import annotations

import numpy as np
import pytest

from segmentation.training.mixture import ingredients, stream
from segmentation.training.synthetic import SyntheticBrains
from tests.segmentation.training.brains import specimen

SIDES = (16, 16, 16)


def test_the_stream_is_the_same_for_a_seed() -> None:
    table = ingredients([specimen("a"), specimen("b")], None)
    streams = [stream(table, SIDES, np.random.default_rng(5)) for _ in range(2)]
    for _ in range(3):
        one, other = (next(patch) for patch in streams)
        np.testing.assert_array_equal(one.image, other.image)


def test_brains_that_are_not_finite_are_left_out() -> None:
    spoiled = specimen()
    spoiled.image[:, 15, 17, 14] = np.nan
    table = ingredients([], lambda rng: spoiled if rng.random() < 0.5 else specimen())
    source = stream(table, SIDES, np.random.default_rng(0))
    assert all(np.isfinite(next(source).image).all() for _ in range(5))


def test_a_mixture_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="real specimens or a synthetic maker"):
        ingredients([], None)


def test_synthetic_brains_follow_the_seed_and_fill_their_box() -> None:
    make = SyntheticBrains(4.0)
    one, same, other = (make(np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.image, same.image)
    assert one.name != other.name
    assert one.image.shape == (4, *one.shape) and np.isfinite(one.image).all()
    for axis in range(3):
        filled = one.brain.any(axis=tuple(other for other in range(3) if other != axis))
        assert filled[0] and filled[-1]
