"""The separate lesions of a region: where each lies, how far it reaches, how large it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from segmentation.cleaning import TOUCHING
from segmentation.measure import largest_slices, volume_ml
from segmentation.regions import BoolArray
from viewer.arrays import Affine, spacing_of
from viewer.grids import voxel_to_mm
from viewer.planes import PLANES

SMALLEST_ML = 0.1
"""Parts below this are no lesions of their own: about a 6 mm ball, a crumb of a drawn mask."""

LESION_RULE = (
    f"A lesion is what hangs together by faces, edges or corners (26 neighbours) and fills at "
    f"least {SMALLEST_ML} mL; smaller parts count in the volumes and in Dice, not as lesions."
)


@dataclass(frozen=True)
class Reach:
    """A lesion in one plane: first, last and largest slice (voxel indexes), and its depth.

    `extent_mm` is measured across the slices, from the first to the last.
    The largest is the slice with most voxels, the lowest of equals.
    """

    first: int
    last: int
    largest: int
    extent_mm: float


@dataclass(frozen=True)
class Lesion:
    """One connected part. `centre_mm` is its centroid in world mm (RAS+).

    `reach` has a row for each plane; `common_ml` is what the other mask marks
    of it too, None where there is no other mask.
    """

    ml: float
    centre_mm: tuple[float, float, float]
    reach: dict[str, Reach]
    common_ml: float | None


def lesions_of(mask: BoolArray, affine: Affine, other: BoolArray | None = None) -> list[Lesion]:
    """The lesions of a region (i, j, k) by `LESION_RULE`, the largest first.

    `other` is the same region of the other mask on the same grid.
    """
    parts, _ = ndimage.label(mask, TOUCHING)
    spacing = spacing_of(affine)
    found = []
    for number, box in enumerate(ndimage.find_objects(parts), start=1):
        part = parts[box] == number
        ml = volume_ml(part, spacing)
        if ml < SMALLEST_ML:
            continue
        corner = np.array([side.start for side in box])
        common = None if other is None else volume_ml(part & other[box], spacing)
        x, y, z = voxel_to_mm(affine, np.argwhere(part).mean(axis=0) + corner).tolist()
        found.append(Lesion(ml, (x, y, z), _reach(part, corner.tolist(), spacing), common))
    return sorted(found, key=lambda lesion: (-lesion.ml, lesion.centre_mm))


def _reach(
    part: BoolArray, corner: list[int], spacing: tuple[float, float, float]
) -> dict[str, Reach]:
    """Rows of a part that fills its box, whose lowest voxel is `corner`."""
    largest = largest_slices(part) or {}
    rows = {}
    for name, plane in PLANES.items():
        axis = plane.through
        first, count = corner[axis], part.shape[axis]
        rows[name] = Reach(first, first + count - 1, first + largest[name], count * spacing[axis])
    return rows
