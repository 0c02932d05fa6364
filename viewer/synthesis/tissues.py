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
    nearest = deformation.nearest(anatomy)
    possible = anatomy.depth_mm.ravel()[nearest] > 0.0
    points = deformation.voxels(anatomy)[:, possible]

    def pulled(volume: FloatArray) -> FloatArray:
        whole = np.zeros(anatomy.shape, dtype=np.float32)
        whole[possible] = ndimage.map_coordinates(volume, points, order=1, mode="constant")
        return whole

    depth = pulled(anatomy.depth_mm)
    brain = depth > rim_mm
    white, grey = pulled(anatomy.white), pulled(anatomy.grey)
    # The outermost CSF goes with the skull stripping.
    csf = (1.0 - white - grey) * np.clip((depth - rim_mm) / 4.0, 0.25, 1.0)
    csf = np.clip(sulci * csf, 0.0, 1.0) * brain
    white = _steeper(white / np.maximum(white + grey, 1e-3)) * (1.0 - csf) * brain
    grey = np.clip(1.0 - csf - white, 0.0, 1.0) * brain
    return Tissues(
        spacing_mm=anatomy.spacing_mm,
        brain=brain,
        white=white,
        grey=grey,
        deep_grey=grey * anatomy.deep.ravel()[nearest],
        csf=csf,
        ventricle=csf * anatomy.ventricular.ravel()[nearest],
        detail=pulled(anatomy.detail) * brain,
        depth_mm=depth,
        source_x=deformation.source_mm[0],
        regions=np.where(brain, anatomy.regions.ravel()[nearest], 0).astype(np.uint8),
    )


def _steeper(share: FloatArray) -> FloatArray:
    """Sharpen a blurred border: a smooth step that keeps 0, 0.5 and 1."""
    clipped = np.clip((share - 0.5) * 1.35 + 0.5, 0.0, 1.0)
    return np.asarray(clipped * clipped * (3.0 - 2.0 * clipped), dtype=np.float32)
