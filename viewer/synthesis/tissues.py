"""The tissue shares of one study: the anatomy after its deformation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import FloatArray
from viewer.synthesis.anatomy import Anatomy
from viewer.synthesis.deformation import Deformation
from viewer.synthesis.regions import CODES

_MAPS = ("brain", "white", "grey", "deep_grey", "csf", "ventricle", "detail", "depth_mm")


@dataclass(frozen=True, eq=False)
class Tissues:
    """Shares in 0..1 on the study's grid (float32), summing to one inside `brain`.

    `source_x` is the template's x in mm: negative is the patient's left however
    the midline is bent. `infratentorial` is cerebellum and brainstem.
    """

    spacing_mm: float
    brain: NDArray[np.bool_]
    white: FloatArray
    grey: FloatArray
    deep_grey: FloatArray
    csf: FloatArray
    ventricle: FloatArray
    detail: FloatArray
    depth_mm: FloatArray
    source_x: FloatArray
    regions: NDArray[np.uint8]

    @property
    def shape(self) -> tuple[int, int, int]:
        """(i, j, k) of every array."""
        i, j, k = self.brain.shape
        return (i, j, k)

    @property
    def infratentorial(self) -> NDArray[np.bool_]:
        """Below the tentorium: cerebellum and brainstem."""
        return np.asarray(
            (self.regions == CODES["cerebellum"]) | (self.regions == CODES["brainstem"])
        )


def tissues_of(
    anatomy: Anatomy, deformation: Deformation, sulci: float = 2.0, rim_mm: float = 0.5
) -> Tissues:
    """Pull the template's maps through the deformation.

    The template averages 152 heads, so its sulci are pale: `sulci` multiplies
    the share of CSF. `rim_mm` is how much of the brain's surface the skull
    stripping took away.
    """
    voxels = deformation.voxels(anatomy)
    near = [
        np.clip(np.rint(part), 0, size - 1).astype(np.intp)
        for part, size in zip(voxels, anatomy.shape, strict=True)
    ]
    possible = anatomy.depth_mm[tuple(near)] > 0.0
    points = voxels[:, possible]

    def pulled(volume: FloatArray) -> FloatArray:
        whole = np.zeros(anatomy.shape, dtype=np.float32)
        whole[possible] = ndimage.map_coordinates(volume, points, order=1, mode="constant")
        return whole

    maps = {name: pulled(getattr(anatomy, name)) for name in _MAPS}
    brain = (maps["brain"] > 0.5) & (maps["depth_mm"] > rim_mm)
    csf = np.clip(sulci * maps["csf"], 0.0, 1.0) * brain
    solid = np.maximum(maps["white"] + maps["grey"], 1e-3)
    white = _steeper(maps["white"] / solid) * (1.0 - csf) * brain
    grey = np.clip(1.0 - csf - white, 0.0, 1.0) * brain
    deep = np.clip(maps["deep_grey"] / np.maximum(maps["grey"], 1e-3), 0.0, 1.0) * grey
    return Tissues(
        spacing_mm=anatomy.spacing_mm,
        brain=brain,
        white=white,
        grey=grey,
        deep_grey=deep,
        csf=csf,
        ventricle=np.minimum(sulci * maps["ventricle"], 1.0) * brain,
        detail=maps["detail"] * brain,
        depth_mm=maps["depth_mm"],
        source_x=deformation.source_mm[0],
        regions=np.where(brain, anatomy.regions[tuple(near)], 0).astype(np.uint8),
    )


def _steeper(share: FloatArray) -> FloatArray:
    """Sharpen a blurred border: a smooth step that keeps 0, 0.5 and 1."""
    clipped = np.clip((share - 0.5) * 1.35 + 0.5, 0.0, 1.0)
    return np.asarray(clipped * clipped * (3.0 - 2.0 * clipped), dtype=np.float32)
