"""Tissue maps of one normal brain, on a grid of any spacing.

Source: the ICBM 2009a nonlinear symmetric template of the Montreal
Neurological Institute, as nilearn carries it (197×233×189 voxels of 1 mm,
uint8, RAS+, brain only): T1 intensity and the probabilities of grey and white
matter. `NOTICE` beside this file keeps its copyright notice.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import Affine, FloatArray
from viewer.errors import UserError
from viewer.synthesis.regions import region_map

TEMPLATE_FILE = "mni_icbm152_{}_tal_nlin_sym_09a_converted.nii.gz"
MARGIN_MM = 6.0
CENTRE_MM = np.array([0.0, -18.0, 5.0])
"""About the middle of the brain in MNI mm; rotations and scalings turn round it."""


class MissingTemplate(UserError):
    """nilearn, which carries the template, is not installed."""


@dataclass(frozen=True, eq=False)
class Anatomy:
    """Everything about the normal brain that no study changes.

    Arrays are float32 (i, j, k), RAS+. `white`, `grey` and `csf` are shares in
    0..1 that sum to one inside the brain. `detail` is what the T1 template
    shows beyond the three tissues, in units of the white-grey difference.
    `depth_mm` is the distance to the brain's surface, negative
    outside. `deep` marks
    basal ganglia and thalamus, `ventricular` the surroundings of the ventricles,
    `regions` has the codes of `viewer.synthesis.regions`. `affine` maps voxels
    to MNI mm.
    """

    spacing_mm: float
    affine: Affine
    white: FloatArray
    grey: FloatArray
    csf: FloatArray
    detail: FloatArray
    depth_mm: FloatArray
    deep: NDArray[np.bool_]
    ventricular: NDArray[np.bool_]
    regions: NDArray[np.uint8]

    @property
    def shape(self) -> tuple[int, int, int]:
        """(i, j, k) of every array."""
        i, j, k = self.white.shape
        return (i, j, k)

    def coordinates_mm(self) -> FloatArray:
        """MNI mm of every voxel's centre, float32 (3, i, j, k)."""
        steps = [
            self.affine[axis, 3] + self.spacing_mm * np.arange(size)
            for axis, size in enumerate(self.shape)
        ]
        return np.stack(np.meshgrid(*steps, indexing="ij")).astype(np.float32)


def load_anatomy(spacing_mm: float) -> Anatomy:
    """Read nilearn's template and bring it to `spacing_mm`, cropped to the brain.

    Takes about a second; callers who make many studies pass the result on.
    """
    t1, grey, white, affine = _template()
    inside = t1 > 0
    csf = np.clip(1.0 - grey - white, 0.0, 1.0) * inside
    detail = _beyond_tissues(t1, white, grey, csf) * inside
    box = _box(inside, round(MARGIN_MM))

    def on_grid(volume: NDArray[Any]) -> FloatArray:
        return _resample(volume[box].astype(np.float32), spacing_mm)

    brain = on_grid(inside)
    grid_affine = np.diag([spacing_mm, spacing_mm, spacing_mm, 1.0])
    grid_affine[:3, 3] = affine[:3, 3] + [part.start for part in box] + (spacing_mm - 1.0) / 2.0
    white, grey, csf = (on_grid(part) for part in (white, grey, csf))
    inverse = (brain > 0.05) / np.maximum(white + grey + csf, 1e-3)
    mm = _mm(brain.shape, grid_affine)
    return Anatomy(
        spacing_mm=float(spacing_mm),
        affine=grid_affine,
        white=white * inverse,
        grey=grey * inverse,
        csf=csf * inverse,
        detail=on_grid(detail),
        depth_mm=_depth_mm(brain, spacing_mm),
        deep=_deep(mm),
        ventricular=_ventricular(mm),
        regions=region_map(mm),
    )


def _template() -> tuple[FloatArray, FloatArray, FloatArray, Affine]:
    """T1, grey and white matter scaled to 0..1, and their common affine.

    The files are taken from nilearn's folder: importing `nilearn.datasets` to
    be told where they are would cost three seconds.
    """
    package = importlib.util.find_spec("nilearn")
    if package is None or package.origin is None:
        raise MissingTemplate(
            "Expected the package nilearn, which carries the MNI152 template of the synthetic "
            "studies, got none; install it with `pip install nilearn`."
        )
    folder = Path(package.origin).parent / "datasets" / "data"
    images = [nib.load(folder / TEMPLATE_FILE.format(part)) for part in ("t1", "gm", "wm")]
    t1, grey, white = (np.asarray(i.dataobj, dtype=np.float32) / 255.0 for i in images)
    return t1, grey, white, np.asarray(images[0].affine, dtype=np.float64)


def _beyond_tissues(
    t1: FloatArray, white: FloatArray, grey: FloatArray, csf: FloatArray
) -> FloatArray:
    """The T1 template less its three-tissue model, in white-grey differences."""
    tissue_means = {"white": 0.875, "grey": 0.647, "csf": 0.20}  # medians where p > 0.94
    model = white * tissue_means["white"] + grey * tissue_means["grey"] + csf * tissue_means["csf"]
    contrast = tissue_means["white"] - tissue_means["grey"]
    return np.asarray(np.clip((t1 - model) / contrast, -1.0, 1.0), dtype=np.float32)


def _box(inside: NDArray[np.bool_], margin: int) -> tuple[slice, slice, slice]:
    where = [np.flatnonzero(inside.any(axis=tuple({0, 1, 2} - {a}))) for a in range(3)]
    i, j, k = (
        slice(max(int(w[0]) - margin, 0), min(int(w[-1]) + margin + 1, size))
        for w, size in zip(where, inside.shape, strict=True)
    )
    return (i, j, k)


def _resample(volume: FloatArray, spacing_mm: float) -> FloatArray:
    """From 1 mm to `spacing_mm`, smoothed first so that nothing aliases."""
    if spacing_mm == 1.0:
        return volume
    smooth = ndimage.gaussian_filter(volume, max(spacing_mm - 1.0, 0.0) / 2.355 * 1.2)
    shape = [int(size // spacing_mm) for size in volume.shape]
    offset = (spacing_mm - 1.0) / 2.0
    points = np.meshgrid(*[offset + spacing_mm * np.arange(n) for n in shape], indexing="ij")
    return np.asarray(ndimage.map_coordinates(smooth, points, order=1), dtype=np.float32)


def _depth_mm(brain: FloatArray, spacing_mm: float) -> FloatArray:
    """Signed distance to the surface where `brain` is 0.5, in mm, positive inside."""
    inside = brain > 0.5
    within = ndimage.distance_transform_edt(inside)
    beyond = ndimage.distance_transform_edt(~inside)
    signed = np.where(inside, within - 0.5, 0.5 - beyond) * spacing_mm
    return np.asarray(signed, dtype=np.float32)


def _mm(shape: tuple[int, ...], affine: Affine) -> FloatArray:
    steps = [affine[a, 3] + affine[a, a] * np.arange(n) for a, n in enumerate(shape)]
    return np.stack(np.meshgrid(*steps, indexing="ij")).astype(np.float32)


def _deep(mm: FloatArray) -> NDArray[np.bool_]:
    """Basal ganglia and thalamus: a rough ellipsoid in MNI mm."""
    x, y, z = np.abs(mm[0]), mm[1], mm[2]
    square = ((x - 15.0) / 19.0) ** 2 + ((y + 6.0) / 29.0) ** 2 + ((z - 4.0) / 17.0) ** 2
    return np.asarray(square < 1.0)


def _ventricular(mm: FloatArray) -> NDArray[np.bool_]:
    """The ventricles: rough boxes in MNI mm (lateral and third, fourth)."""
    x, y, z = np.abs(mm[0]), mm[1], mm[2]
    lateral = (x < 36) & (y > -52) & (y < 36) & (z > -16) & (z < 32)
    fourth = (x < 10) & (y > -52) & (y < -34) & (z > -44) & (z < -16)
    return np.asarray(lateral | fourth)
