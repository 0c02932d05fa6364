"""The tissue shares of one study: the anatomy after its deformation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import FloatArray
from viewer.synthesis.anatomy import Anatomy
from viewer.synthesis.deformation import Deformation
from viewer.synthesis.fields import smooth_noise
from viewer.synthesis.regions import CODES

OUTSIDE_MM = 8.0
"""How far beyond the brain anything is kept at all."""


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


@dataclass(frozen=True)
class Stripping:
    """How the skull was taken off: mm of brain lost everywhere, unevenly, left at the orbits.

    `rim_mm` is cut from the surface, give or take `rough_mm`; within `orbit_mm`
    of the frontal base some tissue of the orbits stays on.
    """

    rim_mm: float = 0.5
    rough_mm: float = 0.0
    orbit_mm: float = 0.0


def tissues_of(
    anatomy: Anatomy,
    deformation: Deformation,
    sulci: float,
    stripping: Stripping,
    rng: np.random.Generator,
) -> Tissues:
    """Pull the template's maps through the deformation.

    The template averages 152 heads, so its sulci are pale: `sulci` multiplies
    the share of CSF.
    """
    nearest = deformation.nearest(anatomy)
    possible = anatomy.depth_mm.ravel()[nearest] > -OUTSIDE_MM
    points = deformation.voxels(anatomy)[:, possible]

    def pulled(volume: FloatArray) -> FloatArray:
        whole = np.zeros(anatomy.shape, dtype=np.float32)
        whole[possible] = ndimage.map_coordinates(volume, points, order=1, mode="nearest")
        return whole

    depth = np.where(possible, pulled(anatomy.depth_mm), -OUTSIDE_MM).astype(np.float32)
    brain = depth > _cut_at(stripping, deformation, anatomy, rng)
    white, grey = pulled(anatomy.white), pulled(anatomy.grey)
    # Most of the outermost CSF goes with the skull.
    csf = (1.0 - white - grey) * np.clip((depth - stripping.rim_mm) / 4.0, 0.25, 1.0)
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


def _cut_at(
    stripping: Stripping, deformation: Deformation, anatomy: Anatomy, rng: np.random.Generator
) -> FloatArray:
    """Depth in mm at which the skull stripping cut, at every voxel."""
    uneven = smooth_noise(rng, anatomy.shape, anatomy.spacing_mm, 14.0)
    _, y, z = deformation.source_mm
    base = np.clip((-z - 8.0) / 12.0, 0.0, 1.0) * np.clip((y - 10.0) / 15.0, 0.0, 1.0)
    cut = stripping.rim_mm + stripping.rough_mm * uneven
    cut = cut - stripping.orbit_mm * base * np.clip(0.6 + uneven, 0.0, 1.0)
    return np.asarray(np.maximum(cut, 1.0 - OUTSIDE_MM), dtype=np.float32)


def _steeper(share: FloatArray) -> FloatArray:
    """Sharpen a blurred border: a smooth step that keeps 0, 0.5 and 1."""
    clipped = np.clip((share - 0.5) * 1.35 + 0.5, 0.0, 1.0)
    return np.asarray(clipped * clipped * (3.0 - 2.0 * clipped), dtype=np.float32)
