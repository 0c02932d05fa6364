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
    if voxels.dtype.kind == "f":
        nearest = np.rint(voxels)
        with np.errstate(invalid="ignore"):  # inf - inf is NaN, and NaN compares false
            strange = voxels[~(np.abs(voxels - nearest) <= ROUNDING)]
        if strange.size:
            raise UnreadableFile(
                f"{path.name}: label file has non-integer values ({_listed(strange)}); "
                "expected integer labels; choose a label map, not an image or a probability."
            )
        voxels = nearest
    outside = voxels[(voxels < 0) | (voxels > 255)]
    if outside.size:
        raise UnreadableFile(
            f"{path.name}: label file has values outside 0 to 255 ({_listed(outside)}); "
            "choose a label map, not an image."
        )
    return np.ascontiguousarray(voxels, dtype=np.uint8)


def _listed(values: NDArray[Any]) -> str:
    distinct = np.unique(values)
    shown = ", ".join(f"{value:g}" for value in distinct[:SHOWN_VALUES])
    return shown + (", …" if distinct.size > SHOWN_VALUES else "")
