"""Where voxels lie in the world, and how two grids meet there.

Sequences and masks of one study are linked by millimetres. Affines are
compared, never header codes; label maps are resampled with nearest neighbour
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.arrays import Affine, LabelMap
from viewer.planes import Plane

SAME_MM = 0.01
"""Corners this close are one place: headers keep affines in single precision."""

Points = NDArray[np.float64]


def voxel_to_mm(affine: Affine, ijk: ArrayLike) -> Points:
    """World mm (…, 3) of voxel coordinates (…, 3)."""
    return np.asarray(ijk, dtype=np.float64) @ affine[:3, :3].T + affine[:3, 3]


def mm_to_voxel(affine: Affine, xyz: ArrayLike) -> Points:
    """Fractional voxel coordinates (…, 3) of world mm (…, 3)."""
    offset = np.asarray(xyz, dtype=np.float64) - affine[:3, 3]
    return np.asarray(offset @ np.linalg.inv(affine[:3, :3]).T, dtype=np.float64)


def same_grid(
    affine_a: Affine, shape_a: Sequence[int], affine_b: Affine, shape_b: Sequence[int]
) -> bool:
    """Whether two grids have one shape and place every voxel alike."""
    if tuple(shape_a) != tuple(shape_b):
        return False
    corners = np.array(list(product(*((0, size - 1) for size in shape_a))))
    gap = voxel_to_mm(affine_a, corners) - voxel_to_mm(affine_b, corners)
    return bool(np.abs(gap).max() <= SAME_MM)


def resample_labels(labels: LabelMap, affine: Affine, shape: Sequence[int]) -> LabelMap:
    """`labels` on the grid (`affine`, `shape`), each voxel from the nearest one; 0 outside."""
    if same_grid(labels.affine, labels.array.shape, affine, shape):
        return labels
    from scipy.ndimage import affine_transform  # slow to import, and few studies need it

    target_to_source = np.linalg.inv(labels.affine) @ affine
    array = affine_transform(
        labels.array,
        target_to_source[:3, :3],
        offset=target_to_source[:3, 3],
        output_shape=tuple(shape),
        output=np.uint8,
        order=0,
        mode="constant",
        cval=0,
    )
    return replace(
        labels, array=array, affine=affine, notes=(*labels.notes, "resampled to another grid")
    )


def nearest_slice(volume_affine: Affine, shape: Sequence[int], plane: Plane, mm: ArrayLike) -> int:
    """Index of the slice nearest to the world point `mm` (x, y, z).

    A point outside the volume gives the first or the last slice.
    """
    place = float(mm_to_voxel(volume_affine, mm)[plane.through])
    return round(min(max(place, 0.0), shape[plane.through] - 1.0))
