"""Regions stay nested; crumbs go, holes are filled."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from segmentation.cleaning import clean, without_crumbs
from tests.segmentation.studies import lump

MM = (1.0, 1.0, 1.0)
some_mask = arrays(np.bool_, (6, 5, 4), elements=st.booleans())


@given(some_mask, some_mask, some_mask, st.floats(0, 0.03))
def test_the_result_is_nested_whatever_comes_in(
    core: np.ndarray, whole: np.ndarray, enhancing: np.ndarray, smallest: float
) -> None:
    masks = clean({"TC": core, "WT": whole, "ET": enhancing}, MM, smallest)
    assert not (masks["ET"] & ~masks["TC"]).any()
    assert not (masks["TC"] & ~masks["WT"]).any()


def test_a_crumb_goes_and_a_lump_stays() -> None:
    crumb = np.zeros_like(lump())
    crumb[2, 2, 2:5] = True
    np.testing.assert_array_equal(without_crumbs(lump() | crumb, MM, 0.1), lump())


def test_two_parts_that_touch_at_a_corner_are_one() -> None:
    mask = np.zeros((4, 4, 4), bool)
    mask[0, 0, 0] = mask[1, 1, 1] = True
    np.testing.assert_array_equal(without_crumbs(mask, MM, 0.002), mask)


def test_a_hole_in_the_whole_tumor_is_filled() -> None:
    hollow = lump().copy()
    hollow[25, 26, 21] = False
    nothing = np.zeros_like(hollow)
    masks = clean({"TC": nothing, "WT": hollow, "ET": nothing}, MM, 0.1)
    np.testing.assert_array_equal(masks["WT"], lump())
