"""Numbers about masks: volumes, largest slices, overlap, distance, side, extent."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np

from segmentation.errors import UnrelatedGrids
from segmentation.regions import REGIONS, BoolArray, canonical_labels, mask_of
from viewer.arrays import LabelMap
from viewer.brain import midline_index
from viewer.grids import same_grid
from viewer.planes import PLANES

Spacing = tuple[float, float, float]
Hemisphere = Literal["right", "left"]


@dataclass(frozen=True)
class Agreement:
    """One region of two masks.

    `dice` 0..1 is None when neither mask has the region; `hausdorff95_mm` is
    None when either lacks it.
    """

    region: str
    dice: float | None
    hausdorff95_mm: float | None


def volume_ml(mask: BoolArray, spacing_mm: Spacing) -> float:
    """Millilitres of a mask (i, j, k)."""
    return float(np.count_nonzero(mask)) * float(np.prod(spacing_mm)) / 1000.0


def region_volumes_ml(labels: LabelMap) -> dict[str, float]:
    """Millilitres of WT, TC and ET."""
    canonical = canonical_labels(labels)
    return {name: volume_ml(mask_of(canonical, name), labels.spacing_mm) for name in REGIONS}


def compartment_volumes_ml(labels: LabelMap) -> dict[int, float]:
    """Millilitres of each canonical value that occurs."""
    canonical = canonical_labels(labels)
    values, counts = np.unique(canonical[canonical > 0], return_counts=True)
    voxel_ml = float(np.prod(labels.spacing_mm)) / 1000.0
    return {int(value): int(n) * voxel_ml for value, n in zip(values, counts, strict=True)}


def largest_slices(mask: BoolArray) -> dict[str, int] | None:
    """Index of the slice with most voxels in each plane, the lowest of equals; None if empty."""
    if not mask.any():
        return None
    return {plane.name: int(_areas(mask, plane.through).argmax()) for plane in PLANES.values()}


def _areas(mask: BoolArray, through: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    others = tuple(axis for axis in range(3) if axis != through)
    areas: np.ndarray[tuple[int], np.dtype[np.int64]] = np.count_nonzero(mask, axis=others)
    return areas


def dice(a: BoolArray, b: BoolArray) -> float | None:
    """Twice the common voxels over the sum of both; None when both are empty.

    Two empty masks agree that there is nothing, which is no overlap to average.
    """
    total = np.count_nonzero(a) + np.count_nonzero(b)
    if total == 0:
        return None
    return 2.0 * float(np.count_nonzero(a & b)) / float(total)


def hausdorff95_mm(a: BoolArray, b: BoolArray, spacing_mm: Spacing) -> float | None:
    """95th percentile of the surface distances in mm (MONAI); None when one is empty."""
    if not a.any() or not b.any():
        return None
    from monai.metrics import compute_hausdorff_distance

    box = _box(a | b)
    pair = [np.ascontiguousarray(mask[box])[None, None] for mask in (a, b)]
    with warnings.catch_warnings():  # MONAI 1.6 warns of an argument that it passes to itself
        warnings.simplefilter("ignore", FutureWarning)
        distance = compute_hausdorff_distance(
            *pair, include_background=True, percentile=95, spacing=list(spacing_mm)
        )
    return float(distance.item())


def _box(mask: BoolArray) -> tuple[slice, ...]:
    """Smallest box around a mask and one more voxel, so that surfaces stay surfaces."""
    places = np.argwhere(mask)
    return tuple(
        slice(max(0, int(low) - 1), int(high) + 2)
        for low, high in zip(places.min(axis=0), places.max(axis=0), strict=True)
    )


def agreement(predicted: LabelMap, expert: LabelMap, *, distances: bool = False) -> list[Agreement]:
    """WT, TC and ET of two label maps on one grid.

    Raises `UnrelatedGrids` when the grids differ: resample one of them first.
    """
    if not same_grid(predicted.affine, predicted.array.shape, expert.affine, expert.array.shape):
        raise UnrelatedGrids(
            f"Expected two masks on one grid, got {predicted.array.shape} and "
            f"{expert.array.shape} voxels placed differently; resample one of them."
        )
    one, other = canonical_labels(predicted), canonical_labels(expert)
    rows = []
    for region in REGIONS:
        a, b = mask_of(one, region), mask_of(other, region)
        far = hausdorff95_mm(a, b, expert.spacing_mm) if distances else None
        rows.append(Agreement(region, dice(a, b), far))
    return rows


def offset_from_midline_mm(mask: BoolArray, brain: BoolArray, spacing_mm: Spacing) -> float | None:
    """How far right (+) or left (-) of the brain's centroid a mask's lies, mm; None if empty."""
    if not mask.any():
        return None
    return (midline_index(mask) - midline_index(brain)) * spacing_mm[0]


def hemisphere(mask: BoolArray, brain: BoolArray) -> Hemisphere | None:
    """The side of the brain's own midline that a mask's centroid lies on."""
    offset = offset_from_midline_mm(mask, brain, (1.0, 1.0, 1.0))
    if offset is None:
        return None
    return "right" if offset > 0 else "left"


def extents_mm(mask: BoolArray, spacing_mm: Spacing) -> Spacing | None:
    """Left-right, front-back and top-bottom reach of a mask in mm; None if empty."""
    if not mask.any():
        return None
    places = np.argwhere(mask)
    reach = places.max(axis=0) - places.min(axis=0) + 1
    i, j, k = (float(n) * mm for n, mm in zip(reach, spacing_mm, strict=True))
    return (i, j, k)
