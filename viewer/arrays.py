"""The two arrays that everything else is made from.

Both are canonical RAS+: the array axes i, j, k grow towards the patient's
right, front and top. World millimetres are x, y, z of the NIfTI affine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
LabelArray = NDArray[np.uint8]
Affine = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Volume:
    """One sequence: `array` float32 (i, j, k) in RAS+, `affine` voxel -> mm.

    Voxels that are NaN or infinite in the file stay so; `notes` say how many
    and what else was odd.
    """

    name: str
    array: FloatArray
    affine: Affine
    path: Path
    notes: tuple[str, ...] = ()

    @property
    def spacing_mm(self) -> tuple[float, float, float]:
        """Voxel size along i, j, k in mm."""
        return spacing_of(self.affine)


@dataclass(frozen=True, eq=False)
class LabelMap:
    """Integer labels: `array` uint8 (i, j, k) in RAS+, `affine` voxel -> mm.

    `scheme` names what the values mean; `source` says whose labels they are
    (a file name for an expert's, the weights' identity for a network's).
    """

    array: LabelArray
    affine: Affine
    scheme: str
    source: str
    notes: tuple[str, ...] = ()

    @property
    def spacing_mm(self) -> tuple[float, float, float]:
        """Voxel size along i, j, k in mm."""
        return spacing_of(self.affine)


def spacing_of(affine: Affine) -> tuple[float, float, float]:
    """Lengths of the affine's three voxel axes in mm."""
    lengths = np.sqrt((affine[:3, :3] ** 2).sum(axis=0))
    return (float(lengths[0]), float(lengths[1]), float(lengths[2]))
