"""Resampling keeps constants, centres and millilitres."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmentation.resampling import axis_weights, resample, resampled_shape

spacings = st.floats(0.3, 5.0)


@given(st.integers(1, 40), spacings, st.integers(1, 40), spacings)
def test_rows_add_up_to_one(n_in: int, in_mm: float, n_out: int, out_mm: float) -> None:
    weights = axis_weights(n_in, in_mm, n_out, out_mm)
    assert weights.shape == (n_out, n_in)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-5)


@given(st.integers(2, 30), spacings, spacings)
def test_a_reversed_axis_gives_the_reversed_result(n_in: int, in_mm: float, out_mm: float) -> None:
    n_out = max(1, round(n_in * in_mm / out_mm))
    if n_out * out_mm != pytest.approx(n_in * in_mm):
        out_mm = n_in * in_mm / n_out
    weights = axis_weights(n_in, in_mm, n_out, out_mm)
    np.testing.assert_allclose(weights, weights[::-1, ::-1], atol=1e-5)


def test_the_same_grid_changes_nothing() -> None:
    array = np.random.default_rng(0).random((2, 3, 4, 5), dtype=np.float32)
    same = (1.0, 2.0, 3.0)
    np.testing.assert_array_equal(resample(array, same, same, (3, 4, 5)), array)


def test_a_blob_keeps_its_place_and_volume() -> None:
    i, j, k = np.ogrid[:48, :40, :32]
    blob = np.exp(-(((i - 20) / 5) ** 2 + ((j - 21) / 6) ** 2 + ((k - 12) / 4) ** 2))
    blob = blob.astype(np.float32)
    one, two = (1.0, 1.0, 1.0), (2.0, 2.0, 2.0)
    shape = resampled_shape((48, 40, 32), one, two)
    assert shape == (24, 20, 16)
    small = resample(blob, one, two, shape)
    assert small.sum() * 8 == pytest.approx(blob.sum(), rel=0.01)
    back = resample(small, two, one, (48, 40, 32))
    centre = np.array([(back * axis).sum() for axis in (i, j, k)]) / back.sum()
    np.testing.assert_allclose(centre, (20, 21, 12), atol=0.05)


def test_odd_sizes_are_covered_whole() -> None:
    assert resampled_shape((71, 70, 3), (1.0, 1.0, 5.0), (2.0, 2.0, 2.0)) == (36, 35, 8)
