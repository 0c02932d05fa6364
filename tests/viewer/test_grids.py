"""Grids meet in millimetres, never by shape or header codes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.viewer.images import SHAPE, affine
from viewer.arrays import LabelMap
from viewer.grids import mm_to_voxel, nearest_slice, resample_labels, same_grid, voxel_to_mm
from viewer.planes import PLANES


def oblique() -> np.ndarray:
    turn = np.eye(4)
    cosine, sine = np.cos(0.3), np.sin(0.3)
    turn[:2, :2] = [[cosine, -sine], [sine, cosine]]
    return turn @ affine()


def test_voxels_and_millimetres_are_inverse() -> None:
    ijk = np.array([[0, 0, 0], [6, 8, 10], [1.5, 2.5, 3.5]])
    np.testing.assert_allclose(mm_to_voxel(oblique(), voxel_to_mm(oblique(), ijk)), ijk)
    np.testing.assert_allclose(voxel_to_mm(affine(), (1, 1, 1)), (-2, -6, -12))


def test_single_precision_affines_are_one_grid() -> None:
    close = affine().astype(np.float32).astype(float) + 1e-6
    assert same_grid(affine(), SHAPE, close, list(SHAPE))


@pytest.mark.parametrize("change", [(0, 3, 0.1), (0, 0, 0.02), (0, 1, 0.01)])
def test_a_shift_a_scale_or_a_shear_is_another_grid(change: tuple[int, int, float]) -> None:
    row, column, amount = change
    other = affine()
    other[row, column] += amount
    assert not same_grid(affine(), SHAPE, other, SHAPE)


def test_an_equal_shape_is_not_enough() -> None:
    mirrored = affine() @ np.diag([-1.0, 1, 1, 1])
    assert not same_grid(affine(), SHAPE, mirrored, SHAPE)
    assert not same_grid(affine(), SHAPE, affine(), (7, 9, 12))


def test_labels_go_to_a_finer_grid_and_back() -> None:
    array = np.zeros(SHAPE, dtype=np.uint8)
    array[2:5, 3:6, 4:8] = 4
    array[3, 4, 5] = 1
    labels = LabelMap(array, affine(), "brats-2021", "seg.nii")
    finer = affine() @ np.diag([0.5, 0.5, 0.5, 1])
    finer[:3, 3] = voxel_to_mm(affine(), (-0.25, -0.25, -0.25))
    fine = resample_labels(labels, finer, tuple(2 * size for size in SHAPE))
    assert set(np.unique(fine.array)) == {0, 1, 4}
    assert (fine.array == 1).sum() == 8
    assert fine.scheme == "brats-2021" and "resampled to another grid" in fine.notes
    np.testing.assert_array_equal(resample_labels(fine, affine(), SHAPE).array, array)


def test_labels_off_their_grid_are_background() -> None:
    labels = LabelMap(np.ones(SHAPE, np.uint8), affine(), "s", "f")
    away = affine()
    away[0, 3] += 100
    assert not resample_labels(labels, away, SHAPE).array.any()


def test_labels_on_the_same_grid_are_not_copied() -> None:
    labels = LabelMap(np.ones(SHAPE, np.uint8), affine(), "s", "f")
    assert resample_labels(labels, affine(), SHAPE) is labels


@pytest.mark.parametrize("name", PLANES)
def test_the_nearest_slice(name: str) -> None:
    plane = PLANES[name]
    for index in range(SHAPE[plane.through]):
        ijk = np.array([3.0, 4.0, 5.0])
        ijk[plane.through] = index + 0.4
        assert nearest_slice(affine(), SHAPE, plane, voxel_to_mm(affine(), ijk)) == index
    assert nearest_slice(affine(), SHAPE, plane, (-999, -999, -999)) == 0
    assert nearest_slice(affine(), SHAPE, plane, (999, 999, 999)) == SHAPE[plane.through] - 1
