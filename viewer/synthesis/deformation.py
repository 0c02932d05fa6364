"""From a study's voxels back into the template: variety and mass effect.

A study's point p comes from the template's point

    t(p) = c + A (p - m(p) - c) + u(p)

with A a scaling and rotation about the brain's centre c, u a smooth random
displacement and m the mass effect: tissue that now lies at p was at p - m(p)
before the tumor grew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import FloatArray
from viewer.synthesis.anatomy import CENTRE_MM, Anatomy
from viewer.synthesis.fields import smooth_noise

SEPTUM_MM = np.array([[0.0, y, z] for y in (-8.0, 0.0, 8.0, 16.0) for z in (8.0, 14.0)])
FALX_FRONT_MM = np.array([[0.0, 60.0, z] for z in (8.0, 14.0)])
FALX_BACK_MM = np.array([[0.0, -92.0, z] for z in (8.0, 14.0)])
"""Template points of the septum pellucidum and of the falx's two attachments."""


@dataclass(frozen=True, eq=False)
class Deformation:
    """`source_mm` (3, i, j, k): the template's MNI mm at every voxel of the study."""

    source_mm: FloatArray
    grid_mm: FloatArray

    def voxels(self, anatomy: Anatomy) -> FloatArray:
        """`source_mm` as voxel coordinates of the anatomy's grid."""
        origin = anatomy.affine[:3, 3].reshape(3, 1, 1, 1).astype(np.float32)
        return (self.source_mm - origin) / np.float32(anatomy.spacing_mm)

    def nearest(self, anatomy: Anatomy) -> NDArray[np.intp]:
        """Flat index of the template's nearest voxel, (i, j, k)."""
        found = np.zeros(anatomy.shape, dtype=np.intp)
        for part, size in zip(self.voxels(anatomy), anatomy.shape, strict=True):
            found *= size
            found += np.clip(np.rint(part), 0, size - 1).astype(np.intp)
        return found


def individual(anatomy: Anatomy, rng: np.random.Generator) -> Deformation:
    """A random normal head: size, tilt, folding; no lesion yet.

    The ICBM template holds 1.89 L, the brains of skull-stripped clinical scans
    about 1.25 to 1.45 L, hence the mean linear scale of 0.9.
    """
    grid = anatomy.coordinates_mm()
    scale = 0.9 * np.exp(rng.normal(0.0, [0.035, 0.035, 0.035]))
    angles = np.deg2rad(rng.normal(0.0, [4.0, 2.5, 2.5]))  # about x, y, z
    matrix = np.diag(1.0 / scale) @ _rotation(angles)
    centre = CENTRE_MM.reshape(3, 1)
    flat = grid.reshape(3, -1)
    source = (matrix @ (flat - centre) + centre).astype(np.float32).reshape(grid.shape)
    spacing = anatomy.spacing_mm
    for scale_mm, low, high in ((45.0, 1.5, 4.0), (16.0, 0.6, 2.0)):
        amplitude = float(rng.uniform(low, high))
        for axis in range(3):
            part = amplitude * (0.5 if scale_mm > 20.0 and axis == 0 else 1.0)
            source[axis] += part * smooth_noise(rng, anatomy.shape, spacing, scale_mm)
    _widen_ventricles(source, float(rng.uniform(-0.1, 0.4)))
    return Deformation(source, grid)


def _widen_ventricles(source_mm: FloatArray, share: float) -> None:
    """Magnify the surroundings of the lateral ventricles sideways and up, in place."""
    x, y, z = source_mm
    square = (x / 26.0) ** 2 + ((y - 2.0) / 32.0) ** 2 + ((z - 14.0) / 20.0) ** 2
    amount = (share * np.exp(-square)).astype(np.float32)
    source_mm[2] -= 0.5 * amount * (z - 14.0)
    source_mm[0] -= amount * x


def pushed(
    normal: Deformation,
    anatomy: Anatomy,
    centre_mm: NDArray[np.float64],
    core_ml: float,
    swelling: float,
    shift_mm: float,
) -> Deformation:
    """The same head after a tumor at `centre_mm` (study mm) has grown.

    Tissue moves away from the centre as an incompressible medium would, by
    `swelling` (0..1) of the core's volume, and the deep midline moves by
    `shift_mm` along x. Nothing moves at the skull.
    """
    grid = normal.grid_mm
    offset = grid - centre_mm.reshape(3, 1, 1, 1).astype(np.float32)
    distance = np.sqrt((offset**2).sum(axis=0)) + 1e-3
    radius_cubed = core_ml * 1000.0 * 3.0 / (4.0 * np.pi)
    before = np.cbrt(np.maximum(distance**3 - swelling * radius_cubed, (0.25 * distance) ** 3))
    depth = anatomy.depth_mm.ravel()[normal.nearest(anatomy)]
    held = ndimage.uniform_filter(np.clip(depth / 22.0, 0.0, 1.0), 3)
    outward = offset * ((1.0 - before / distance) * held)
    outward[0] += shift_mm * _midline_weight(normal.source_mm) * np.sqrt(held)
    source = normal.source_mm.copy()
    for axis in range(3):
        # A is close to a scaling, so the displacement may be taken along the axes.
        source[axis] -= outward[axis] / 0.9
    return Deformation(source, grid)


def _midline_weight(source_mm: FloatArray) -> FloatArray:
    """1 at the septum, falling off over the deep brain: where a shift is felt."""
    x, y, z = source_mm
    square = (x / 32.0) ** 2 + ((y - 2.0) / 42.0) ** 2 + ((z - 8.0) / 26.0) ** 2
    return np.asarray(np.exp(-0.5 * square), dtype=np.float32)


def _rotation(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    matrix = np.eye(3)
    for axis, angle in enumerate(angles):
        turn = np.eye(3)
        a, b = (axis + 1) % 3, (axis + 2) % 3
        turn[a, a] = turn[b, b] = np.cos(angle)
        turn[a, b], turn[b, a] = -np.sin(angle), np.sin(angle)
        matrix = turn @ matrix
    return matrix


def located(
    deformation: Deformation, anatomy: Anatomy, points_mm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Where template points (n, 3) lie in the study, in mm: the map turned round.

    Fixed-point steps p <- p + 0.9 (t - t(p)); the map is near a scaling by 1/0.9.
    """
    origin, spacing = anatomy.affine[:3, 3], anatomy.spacing_mm
    found = (points_mm - CENTRE_MM) * 0.9 + CENTRE_MM
    for _ in range(25):
        voxels = ((found - origin) / spacing).T
        axes = [
            ndimage.map_coordinates(part, voxels, order=1, mode="nearest")
            for part in deformation.source_mm
        ]
        reached = np.stack(axes, axis=1)
        found = found + 0.7 * (points_mm - reached)
    return np.asarray(found, dtype=np.float64)


def midline_shift_mm(deformation: Deformation, anatomy: Anatomy) -> float:
    """How far the septum lies off the line between the falx's attachments.

    Measured as a radiologist does; in mm, positive to the patient's right.
    """
    front = located(deformation, anatomy, FALX_FRONT_MM).mean(axis=0)
    back = located(deformation, anatomy, FALX_BACK_MM).mean(axis=0)
    septum = located(deformation, anatomy, SEPTUM_MM).mean(axis=0)
    along = (septum[1] - back[1]) / (front[1] - back[1])
    return float(septum[0] - (back[0] + along * (front[0] - back[0])))
