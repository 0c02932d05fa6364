"""Regions stay nested; crumbs go, holes are filled."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from segmentation.cleaning import above, clean, without_crumbs
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


def doubtful() -> np.ndarray:
    """A sure lump, and far from it a smaller one that is barely above one half."""
    probability = np.where(lump(), 0.95, 0.0).astype(np.float32)
    probability[3:7, 3:7, 3:7] = 0.6
    return probability


def regions_of(probability: np.ndarray) -> dict[str, np.ndarray]:
    return dict.fromkeys(("WT", "TC", "ET"), probability)


def test_a_separate_part_that_is_doubtful_goes_and_a_sure_one_stays() -> None:
    inside = np.ones(lump().shape, bool)
    for kept in above(regions_of(doubtful()), inside, 0.5, 0.8).values():
        np.testing.assert_array_equal(kept, lump())
    for kept in above(regions_of(doubtful()), inside, 0.5, 0.0).values():
        assert np.count_nonzero(kept) == np.count_nonzero(lump()) + 64


def test_a_faint_tumor_is_better_shown_than_lost() -> None:
    faint = np.where(lump(), 0.6, 0.0).astype(np.float32)
    inside = np.ones(lump().shape, bool)
    for kept in above(regions_of(faint), inside, 0.5, 0.8).values():
        np.testing.assert_array_equal(kept, lump())


def test_a_doubtful_rim_in_a_sure_tumor_stays() -> None:
    sure = np.where(lump(), 0.95, 0.0).astype(np.float32)
    rim = np.where(lump(), 0.55, 0.0).astype(np.float32)
    kept = above({"WT": sure, "TC": sure, "ET": rim}, np.ones(lump().shape, bool), 0.5, 0.8)
    np.testing.assert_array_equal(kept["ET"], lump())


def test_nothing_is_kept_outside_the_brain() -> None:
    inside = np.zeros(lump().shape, bool)
    assert not any(mask.any() for mask in above(regions_of(doubtful()), inside, 0.5, 0.8).values())
