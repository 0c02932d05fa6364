"""Turning to RAS+ moves voxels and nothing else."""

from __future__ import annotations

from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from tests.viewer.images import AXIS_ORDERS, affine, distinct, save
from viewer.grids import voxel_to_mm
from viewer.headers import read_header
from viewer.voxels import canonical_grid, read_voxels, to_canonical


@pytest.mark.parametrize("order", AXIS_ORDERS)
def test_a_grid_is_known_without_its_voxels(tmp_path: Path, order: str) -> None:
    header = read_header(save(tmp_path / "x.nii", order=order))
    i, j, k = header.shape
    turned, placed = to_canonical(read_voxels(header, None), header.affine)
    matrix, shape = canonical_grid(header.affine, (i, j, k))
    assert shape == turned.shape
    np.testing.assert_array_equal(matrix, placed)


def test_an_oblique_volume_is_turned_by_its_nearest_axes(tmp_path: Path) -> None:
    cosine, sine = np.cos(0.4), np.sin(0.4)
    turn = np.eye(4)
    turn[:2, :2] = [[-cosine, sine], [sine, cosine]]
    oblique = turn @ affine()
    nib.save(nib.Nifti1Image(distinct(), oblique), tmp_path / "x.nii")
    header = read_header(tmp_path / "x.nii")
    array, placed = to_canonical(read_voxels(header, None), header.affine)
    assert nib.aff2axcodes(placed) == ("R", "A", "S")
    expected = nib.as_closest_canonical(nib.load(tmp_path / "x.nii"))
    np.testing.assert_array_equal(array, expected.get_fdata())
    np.testing.assert_allclose(placed, expected.affine)
    where = voxel_to_mm(placed, np.argwhere(array == distinct()[1, 2, 3])[0])
    np.testing.assert_allclose(where, voxel_to_mm(oblique, (1, 2, 3)), atol=1e-4)
