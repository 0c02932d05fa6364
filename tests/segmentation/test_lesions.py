"""Lesions are connected parts, told where they lie in the world, the largest first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from segmentation.lesions import SMALLEST_ML, lesions_of
from tests.segmentation.studies import ORIGIN, SHAPE, affine, lump
from viewer.planes import PLANES

masks = arrays(np.bool_, (9, 8, 7), elements=st.booleans())


def two_lumps() -> np.ndarray:
    mask = lump()
    mask[4:10, 10:15, 5:10] = True
    return mask


def test_the_largest_comes_first_and_crumbs_are_none() -> None:
    mask = two_lumps()
    mask[1:3, 1:3, 1:3] = True
    found = lesions_of(mask, affine())
    assert [lesion.ml for lesion in found] == pytest.approx([0.384, 0.15])
    assert all(lesion.common_ml is None for lesion in found)


def test_a_lesion_lies_where_its_voxels_do() -> None:
    lesion = lesions_of(lump(), affine())[0]
    assert lesion.centre_mm == pytest.approx((ORIGIN[0] + 25.5, ORIGIN[1] + 26.5, ORIGIN[2] + 21.5))
    axial = lesion.reach["axial"]
    assert (axial.first, axial.last, axial.largest, axial.extent_mm) == (18, 25, 18, 8.0)
    coronal, sagittal = lesion.reach["coronal"], lesion.reach["sagittal"]
    assert (coronal.first, coronal.last, coronal.extent_mm) == (24, 29, 6.0)
    assert (sagittal.first, sagittal.last, sagittal.extent_mm) == (22, 29, 8.0)


def test_the_largest_slice_is_the_lesions_own() -> None:
    mask = np.zeros(SHAPE, bool)
    mask[5:9, 5:9, 5:9] = True
    mask[5:14, 5:14, 7] = True
    mask[20:36, 20:36, 30] = True
    small = lesions_of(mask, affine())[1]
    assert small.reach["axial"].largest == 7


def test_voxels_that_share_a_corner_are_one_lesion() -> None:
    mask = np.zeros(SHAPE, bool)
    mask[2:7, 2:7, 2:7] = True
    mask[7:12, 7:12, 7:12] = True
    assert len(lesions_of(mask, affine())) == 1


def test_millilitres_follow_the_voxel_size() -> None:
    assert lesions_of(lump(), affine(2.0))[0].ml == pytest.approx(8 * 0.384)
    assert lesions_of(lump(), affine(2.0))[0].reach["axial"].extent_mm == 16.0


def test_what_the_other_mask_marks_too_is_told_for_each_lesion() -> None:
    other = np.zeros(SHAPE, bool)
    other[22:30, 24:30, 18:22] = True
    first, second = lesions_of(two_lumps(), affine(), other)
    assert first.common_ml == pytest.approx(0.192)
    assert second.common_ml == 0.0


def test_an_empty_mask_has_no_lesions() -> None:
    assert lesions_of(np.zeros(SHAPE, bool), affine()) == []


@given(masks)
def test_lesions_never_hold_more_than_the_mask(mask: np.ndarray) -> None:
    found = lesions_of(mask, affine(3.0))
    assert sum(lesion.ml for lesion in found) <= mask.sum() * 0.027 + 1e-9
    assert all(lesion.ml >= SMALLEST_ML for lesion in found)
    assert [lesion.ml for lesion in found] == sorted((row.ml for row in found), reverse=True)
    for lesion in found:
        for name, row in lesion.reach.items():
            assert 0 <= row.first <= row.largest <= row.last < mask.shape[PLANES[name].through]
