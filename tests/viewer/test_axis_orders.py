"""One brain in all 48 axis orders: the same arrays, the same pictures, the same side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.viewer.images import AXIS_ORDERS, SHAPE, affine, distinct, mask, save, sequence
from viewer.arrays import Volume
from viewer.grids import mm_to_voxel, nearest_slice, same_grid, voxel_to_mm
from viewer.labelmap import read_labelmap
from viewer.planes import PLANES, Convention, cut, edges
from viewer.volume import read_volume
from viewer.windows import display_window, to_uint8

CONVENTIONS: tuple[Convention, ...] = ("radiological", "neurological")
RIGHT_MM = (2.0, 2.0, 3.0)
"""A world point on the patient's right."""


def stored(folder: Path, order: str) -> Volume:
    return read_volume(sequence(save(folder / f"{order}.nii.gz", order=order)))


def pictures(volume: Volume) -> list[bytes]:
    """Every slice of every plane in both conventions, as the bytes that are drawn."""
    window = display_window(volume)
    return [
        to_uint8(cut(volume.array, plane, index, convention), window).tobytes()
        for plane in PLANES.values()
        for index in range(volume.array.shape[plane.through])
        for convention in CONVENTIONS
    ]


def test_there_are_48() -> None:
    assert len(set(AXIS_ORDERS)) == 48


@pytest.mark.parametrize("order", AXIS_ORDERS)
def test_pictures_do_not_depend_on_the_axis_order(tmp_path: Path, order: str) -> None:
    volume, reference = stored(tmp_path, order), stored(tmp_path, "RAS")
    np.testing.assert_array_equal(volume.array, distinct())
    np.testing.assert_allclose(volume.affine, affine(), atol=1e-5)
    assert same_grid(volume.affine, volume.array.shape, reference.affine, SHAPE)
    assert pictures(volume) == pictures(reference)


@pytest.mark.parametrize("order", AXIS_ORDERS)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_right_side_is_lettered_r(tmp_path: Path, order: str, convention: Convention) -> None:
    array = np.zeros(SHAPE, dtype=np.int16)
    i, j, k = (round(c) for c in mm_to_voxel(affine(), RIGHT_MM))
    array[i, j, k] = 1
    volume = read_volume(sequence(save(tmp_path / "bright.nii", array, order=order)))
    for name in ("axial", "coronal"):
        plane = PLANES[name]
        index = nearest_slice(volume.affine, volume.array.shape, plane, RIGHT_MM)
        picture = cut(volume.array, plane, index, convention)
        column = int(np.flatnonzero(picture.any(axis=0))[0])
        middle = (picture.shape[1] - 1) / 2
        side = edges(plane, convention).left if column < middle else edges(plane, convention).right
        assert side == "R"


@pytest.mark.parametrize("order", ["LPS", "PIR", "SLA"])
def test_a_mask_and_a_sequence_stored_differently_meet(tmp_path: Path, order: str) -> None:
    labels = np.zeros(SHAPE, dtype=np.uint8)
    labels[5, 2, 7] = 4
    read = read_labelmap(mask(save(tmp_path / "seg.nii.gz", labels, order=order)))
    volume = stored(tmp_path, "RAS")
    np.testing.assert_array_equal(read.array, labels)
    assert same_grid(read.affine, read.array.shape, volume.affine, volume.array.shape)
    found = voxel_to_mm(read.affine, np.argwhere(read.array == 4)[0])
    np.testing.assert_allclose(found, voxel_to_mm(affine(), (5, 2, 7)), atol=1e-3)
