"""A label map, read from the disk: integers, uint8, RAS+.

What the labels mean is the scheme's matter, which the layout names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import LabelArray, LabelMap
from viewer.errors import UnreadableFile
from viewer.headers import read_header
from viewer.study import MaskFile
from viewer.voxels import read_voxels, to_canonical

ROUNDING = 0.01
"""Scaled integer files give 2.9999847 for 3; anything further off is no label."""
BRAIN_THRESHOLD = 0.5
"""UCSF-PDGM brain masks are floats near 1."""
SHOWN_VALUES = 6


def read_labelmap(mask: MaskFile) -> LabelMap:
    """Read one mask. The array is read-only: the cache shares it.

    Labels are rounded to integers. Raises `UnreadableFile` for a file that
    cannot be read, and for values that are not integers of 0 to 255.
    """
    header = read_header(mask.path)
    voxels, affine = to_canonical(read_voxels(header, None), header.affine)
    if mask.kind == "brain":
        labels = np.ascontiguousarray(voxels > BRAIN_THRESHOLD, dtype=np.uint8)
    else:
        labels = rounded_labels(voxels, mask.path)
    labels.flags.writeable = False
    empty = () if labels.any() else ("no voxel is labelled",)
    notes = tuple(dict.fromkeys((*mask.notes, *header.notes, *empty)))
    return LabelMap(labels, affine, mask.scheme, mask.path.name, notes)


def rounded_labels(voxels: NDArray[Any], path: Path) -> LabelArray:
    """Labels as uint8 in C order; refuses values that are no labels, with the values."""
    labels = np.empty(voxels.shape, np.uint8)
    broken, outside = _Strange(), _Strange()
    for label_slab, slab in zip(labels, voxels, strict=True):  # little memory at a time
        nearest = np.rint(slab) if slab.dtype.kind == "f" else slab
        with np.errstate(invalid="ignore"):  # inf - inf is NaN, and NaN compares false
            broken.add(slab[~(np.abs(slab - nearest) <= ROUNDING)])
        strange = (nearest < 0) | (nearest > 255)
        outside.add(nearest[strange])
        if not broken.values.size and not outside.values.size:
            label_slab[...] = nearest
    if broken.values.size:
        raise UnreadableFile(
            f"{path.name}: label file has non-integer values ({broken}); "
            "expected integer labels; choose a label map, not an image or a probability."
        )
    if outside.values.size:
        raise UnreadableFile(
            f"{path.name}: label file has values outside 0 to 255 ({outside}); "
            "choose a label map, not an image."
        )
    return labels


class _Strange:
    """The smallest few of the values that are no labels."""

    def __init__(self) -> None:
        self.values: NDArray[Any] = np.empty(0)

    def add(self, more: NDArray[Any]) -> None:
        if more.size:
            self.values = np.union1d(self.values, more)[: SHOWN_VALUES + 1]

    def __str__(self) -> str:
        shown = ", ".join(f"{value:g}" for value in self.values[:SHOWN_VALUES])
        return shown + (", …" if self.values.size > SHOWN_VALUES else "")
