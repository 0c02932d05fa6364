"""From a study's sequences to the network's input, and back to the study's grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from nibabel.orientations import (
    apply_orientation,
    axcodes2ornt,
    ornt_transform,
)
from scipy.ndimage import affine_transform

from segmentation.errors import MissingSequence, UnrelatedGrids
from segmentation.normalisation import NORMALISATIONS
from segmentation.regions import BoolArray
from segmentation.resampling import Shape, Spacing, resample, resampled_shape
from segmentation.weights_entry import WeightsEntry
from viewer.arrays import Affine, FloatArray, LabelArray, Volume, spacing_of
from viewer.brain import brain_mask
from viewer.cache import ArrayCache
from viewer.errors import NoBrain
from viewer.grids import same_grid
from viewer.study import SequenceFile, Study

MOSTLY_BRAIN = 0.75
"""A skull-stripped head fills about a sixth of its volume; a whole head never this much,
but its air is noise, not zero."""


@dataclass(frozen=True, eq=False)
class Stack:
    """A study's sequences as channels: `array` (channel, i, j, k) RAS+ on one grid."""

    array: FloatArray
    affine: Affine
    brain: BoolArray
    notes: tuple[str, ...] = ()

    @property
    def shape(self) -> Shape:
        """Voxels along i, j, k."""
        i, j, k = self.brain.shape
        return (i, j, k)


@dataclass(frozen=True, eq=False)
class Prepared:
    """The network's input (channel, i, j, k), and what leads back from it.

    `box` is where it was cut from the stack, `spacing` the stack's voxel size,
    `shape` the stack's shape.
    """

    array: FloatArray
    box: tuple[slice, slice, slice]
    spacing: Spacing
    shape: Shape
    entry: WeightsEntry


def inputs_of(study: Study, entry: WeightsEntry) -> tuple[SequenceFile, ...]:
    """The files of the entry's channels, in its order; the first one's grid is the mask's.

    Raises `MissingSequence` with the names of all that the study lacks.
    """
    files = [study.sequence(name) for name in entry.channels]
    missing = [name for name, file in zip(entry.channels, files, strict=True) if file is None]
    if missing:
        have = ", ".join(sequence.name for sequence in study.sequences) or "none"
        raise MissingSequence(
            f"{study.id}: {entry.name} needs {', '.join(entry.channels)} and the study lacks "
            f"{', '.join(missing)} (it has {have}); choose a study that has them all."
        )
    return tuple(file for file in files if file is not None)


def stack(study: Study, entry: WeightsEntry, cache: ArrayCache) -> Stack:
    """Read the entry's channels onto the first one's grid; NaN and infinite voxels become 0."""
    first, *others = [cache.volume(file) for file in inputs_of(study, entry)]
    notes: list[str] = []
    arrays = [_foreground(first)]
    for volume in others:
        array = _foreground(volume)
        if not same_grid(volume.affine, array.shape, first.affine, first.array.shape):
            array = _on_grid_of(first, volume, array, study)
            notes.append(f"{volume.name} was resampled to the grid of {first.name}")
        arrays.append(array)
    array = np.stack(arrays).astype(np.float32)
    brain = (array != 0).any(axis=0)
    if not brain.any():
        raise NoBrain(f"{study.id}: expected a brain, got images that are all zero.")
    if brain.mean() > MOSTLY_BRAIN:
        notes.append("the background is not zero: expected skull-stripped images")
    return Stack(array, first.affine, brain, tuple(notes))


def _foreground(volume: Volume) -> FloatArray:
    """The volume's brain, 0 outside and where a voxel is NaN or infinite."""
    return np.where(brain_mask(volume), volume.array, np.float32(0.0))


def _on_grid_of(first: Volume, volume: Volume, array: FloatArray, study: Study) -> FloatArray:
    """`array` of `volume`, linearly interpolated at the voxels of `first`, linked by mm."""
    to_source = np.linalg.inv(volume.affine) @ first.affine
    moved: FloatArray = affine_transform(
        array, to_source[:3, :3], to_source[:3, 3], output_shape=first.array.shape, order=1
    )
    if not moved.any():
        raise UnrelatedGrids(
            f"{study.id}: expected {volume.name} and {first.name} to show the same place, got "
            "images that do not overlap in millimetres; register them first."
        )
    return moved


def prepare(stacked: Stack, entry: WeightsEntry) -> Prepared:
    """Cut to the brain's box, bring to the entry's voxel size, scale, axes; in that order."""
    box = brain_box(stacked.brain)
    spacing = spacing_of(stacked.affine)
    cut = stacked.array[(slice(None), *box)]
    i, j, k = cut.shape[1:]
    shape = resampled_shape((i, j, k), spacing, entry.spacing_mm)
    array = resample(cut, spacing, entry.spacing_mm, shape)
    inside = resample(stacked.brain[box].astype(np.float32), spacing, entry.spacing_mm, shape)
    array = NORMALISATIONS[entry.normalisation](array * (inside >= 0.5))
    return Prepared(_turned(array, "RAS", entry.axes), box, spacing, stacked.shape, entry)


def restore(probabilities: FloatArray, prepared: Prepared) -> FloatArray:
    """Probabilities (region, i, j, k) of the network's grid at the stack's voxels in the box."""
    entry = prepared.entry
    turned = _turned(probabilities, entry.axes, "RAS")
    i, j, k = (side.stop - side.start for side in prepared.box)
    return resample(turned, entry.spacing_mm, prepared.spacing, (i, j, k))


def paste(labels: LabelArray, prepared: Prepared) -> LabelArray:
    """Labels of the box in the stack's whole shape; 0 outside."""
    whole = np.zeros(prepared.shape, np.uint8)
    whole[prepared.box] = labels
    return whole


def _turned(array: FloatArray, have: str, want: str) -> FloatArray:
    """Channels first, the three axes behind them turned from one orientation to another."""
    turn = ornt_transform(axcodes2ornt(tuple(have)), axcodes2ornt(tuple(want)))
    turned = apply_orientation(np.moveaxis(array, 0, -1), turn)
    return np.ascontiguousarray(np.moveaxis(turned, -1, 0))


def brain_box(brain: BoolArray) -> tuple[slice, slice, slice]:
    """The smallest box around a brain mask that holds something."""
    sides = []
    for axis in range(3):
        others = tuple(other for other in range(3) if other != axis)
        places = np.flatnonzero(brain.any(axis=others))
        sides.append(slice(int(places[0]), int(places[-1]) + 1))
    return sides[0], sides[1], sides[2]
