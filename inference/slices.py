"""Which slices of a study are shown, and what picked them.

Slices are voxel indices in the canonical (RAS+) array of the reference
sequence: FLAIR where it can be read, else the first in reading order. Other
sequences are linked to them by millimetres, never by index.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from inference.errors import MissingSequence, NoMask, NoSlice
from segmentation.measure import largest_slices
from segmentation.regions import region_mask
from viewer.arrays import LabelMap, Volume
from viewer.brain import brain_box
from viewer.cache import ArrayCache
from viewer.errors import NoBrain, UnreadableFile
from viewer.grids import mm_to_voxel, nearest_slice, resample_labels, same_grid, voxel_to_mm
from viewer.planes import PLANES, plane_named
from viewer.study import Study, in_reading_order

SliceSource = Literal["expert", "predicted", "centre", "user"]
SliceChoice = Literal["auto", "expert", "predicted", "centre", "user"]

Point = tuple[float, float, float]

RIM = 1e-3
"""Voxels by which a point on the outermost face may be off, through rounding alone."""


@dataclass(frozen=True)
class ChosenSlices:
    """One slice per plane of `reference`, the sequence whose voxels are counted.

    `source` says what picked them: the largest whole-tumor area in the
    expert's or in the predicted mask, the middle of the brain's box, or the user.
    `mask` names that mask's file or weights. `mm` is the world point (x, y, z)
    where the three slices meet, `brain_mm` the middle of the brain's box.
    """

    sagittal: int
    coronal: int
    axial: int
    source: SliceSource
    mask: str | None
    reference: str
    mm: tuple[float, float, float]
    brain_mm: tuple[float, float, float]

    def of(self, plane: str) -> int:
        """The index along that plane's axis."""
        return (self.sagittal, self.coronal, self.axial)[plane_named(plane).through]


def reference_volume(study: Study, cache: ArrayCache) -> Volume:
    """FLAIR, or the first sequence in reading order that can be read.

    `MissingSequence` where none can.
    """
    names = in_reading_order([sequence.name for sequence in study.sequences])
    reasons = []
    for name in sorted(names, key=lambda name: name != "FLAIR"):
        file = study.sequence(name)
        try:
            if file is not None:
                return cache.volume(file)
        except UnreadableFile as error:
            reasons.append(str(error))
    raise MissingSequence(
        f"Expected at least one readable sequence in study {study.id}, found none"
        f"{': ' if reasons else ''}{'; '.join(reasons)}; see the list of problems."
    )


def choose_slices(
    study: Study,
    cache: ArrayCache,
    which: SliceChoice = "auto",
    predicted: LabelMap | None = None,
    at_mm: Point | None = None,
) -> ChosenSlices:
    """The slices of one study; with "user" those through the world point `at_mm`.

    "auto" takes the expert's mask where it marks any tumor, else the predicted
    one, else the brain's middle. `NoMask` where a named mask is absent or
    empty.
    """
    volume = reference_volume(study, cache)
    if which == "user":
        return slices_at(volume, at_mm)
    if which in ("auto", "expert"):
        expert = study.mask("expert")
        slices = slices_of_mask(cache.labels(expert), volume, "expert") if expert else None
        if slices:
            return slices
    if which in ("auto", "predicted"):
        slices = slices_of_mask(predicted, volume, "predicted") if predicted else None
        if slices:
            return slices
    if which in ("expert", "predicted"):
        raise NoMask(
            f"Expected {'an expert' if which == 'expert' else 'a predicted'} mask that marks "
            f"tumor in study {study.id}, found none; choose auto or centre."
        )
    return slices_of_brain(volume)


def slices_of_mask(labels: LabelMap, volume: Volume, source: SliceSource) -> ChosenSlices | None:
    """Slices of largest whole-tumor area on the volume's grid; None where no voxel is tumor."""
    largest = largest_slices(region_mask(on_grid_of(volume, labels), "WT"))
    if largest is None:
        return None
    point = (largest["sagittal"], largest["coronal"], largest["axial"])
    return _chosen(point, volume, source, labels.source)


def slices_at(volume: Volume, mm: Point | None) -> ChosenSlices:
    """The slices that a user chose: those nearest to a world point; `NoSlice` without one.

    A point outside the volume is refused too: the nearest slice would be another than was meant.
    """
    if mm is None:
        raise NoSlice(
            "Expected a slice chosen on the screen, got none; press Use this slice on the panes "
            "first, or let a mask pick the slice."
        )
    if not np.isfinite(mm).all():
        raise NoSlice(
            f"Expected a point in finite mm, got {' '.join(f'{each:g}' for each in mm)}; give "
            "three numbers."
        )
    _refuse_outside(volume, np.asarray(mm))
    sagittal, coronal, axial = (
        nearest_slice(volume.affine, volume.array.shape, PLANES[name], np.asarray(mm))
        for name in ("sagittal", "coronal", "axial")
    )
    return _chosen((sagittal, coronal, axial), volume, "user", None)


def _refuse_outside(volume: Volume, mm: NDArray[np.float64]) -> None:
    """`NoSlice` where the world point lies in no voxel of the volume; half a voxel is its rim."""
    shape = np.array(volume.array.shape)
    voxel = mm_to_voxel(volume.affine, mm)
    if ((voxel >= -0.5 - RIM) & (voxel <= shape - 0.5 + RIM)).all():
        return
    corners = voxel_to_mm(volume.affine, np.array(list(product(*((-0.5, n - 0.5) for n in shape)))))
    extent = ", ".join(
        f"{axis} {low:.1f} to {high:.1f}"
        for axis, low, high in zip("xyz", corners.min(axis=0), corners.max(axis=0), strict=True)
    )
    raise NoSlice(
        f"Expected a point inside {volume.name} ({extent} mm), got "
        f"{' '.join(f'{each:g}' for each in mm)}; give a point inside it."
    )


def slices_of_brain(volume: Volume) -> ChosenSlices:
    """The middle slices of the brain's box."""
    return _chosen(_middle(volume), volume, "centre", None)


def on_grid_of(volume: Volume, labels: LabelMap) -> LabelMap:
    """`labels` on the volume's grid, resampled by nearest neighbour only where grids differ."""
    shape = volume.array.shape
    if same_grid(labels.affine, labels.array.shape, volume.affine, shape):
        return labels
    return resample_labels(labels, volume.affine, shape)


def slice_in(volume: Volume, slices: ChosenSlices, plane: str) -> int:
    """The slice of `volume` nearest to the chosen point, by millimetres.

    The reference itself keeps its index, whatever the affine rounds to.
    """
    if volume.name == slices.reference:
        return slices.of(plane)
    axis = plane_named(plane)
    return nearest_slice(volume.affine, volume.array.shape, axis, np.asarray(slices.mm))


def _chosen(
    point: tuple[int, int, int], volume: Volume, source: SliceSource, mask: str | None
) -> ChosenSlices:
    return ChosenSlices(
        *point,
        source=source,
        mask=mask,
        reference=volume.name,
        mm=_mm(volume, point),
        brain_mm=_mm(volume, _middle(volume)),
    )


def _middle(volume: Volume) -> tuple[int, int, int]:
    try:
        i, j, k = ((side.start + side.stop - 1) // 2 for side in brain_box(volume))
    except NoBrain:  # an all-black volume still has a middle
        i, j, k = ((size - 1) // 2 for size in volume.array.shape)
    return i, j, k


def _mm(volume: Volume, point: tuple[int, int, int]) -> tuple[float, float, float]:
    x, y, z = voxel_to_mm(volume.affine, np.asarray(point, dtype=np.float64))
    return float(x), float(y), float(z)
