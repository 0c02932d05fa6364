"""What each voxel is made of, before any sequence gives it a brightness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import FloatArray
from viewer.synthesis.fields import smooth_noise
from viewer.synthesis.lesion import EDEMA, ENHANCING, Lesion
from viewer.synthesis.tissues import Tissues

MATERIALS = (
    "white",
    "grey",
    "deep_grey",
    "csf",
    "edema",
    "solid",
    "fluid",
    "enhancing",
    "blood",
    "vessel",
    "lesion_of_age",
    "surface",
)
"""`solid` is non-enhancing tumor; `lesion_of_age` the white-matter spots and ventricle
caps that are no tumor; `surface` what skull stripping leaves of dura and veins."""


@dataclass(frozen=True, eq=False)
class Materials:
    """`shares` float32 (len(MATERIALS), n): rows sum to one over materials.

    The n columns are the brain's voxels in C order; `texture` (n) is a fine
    unevenness of tumor tissue and `detail` (n) the template's own.
    """

    spacing_mm: float
    brain: NDArray[np.bool_]
    shares: FloatArray
    texture: FloatArray
    detail: FloatArray

    def brightness(self, means: Mapping[str, float]) -> FloatArray:
        """Noise-free brightness (n) from one mean for each material."""
        row = np.array([means[name] for name in MATERIALS], dtype=np.float32)
        return np.asarray(row @ self.shares, dtype=np.float32)

    def share(self, name: str) -> FloatArray:
        """One material's share (n)."""
        row: FloatArray = self.shares[MATERIALS.index(name)]
        return row


def materials_of(tissues: Tissues, lesion: Lesion, rng: np.random.Generator) -> Materials:
    """Lay lesion, vessels and harmless spots over the tissues."""
    spacing, brain = tissues.spacing_mm, tissues.brain
    shares = {name: np.zeros(int(brain.sum()), dtype=np.float32) for name in MATERIALS}
    shares["white"] = tissues.white[brain]
    shares["deep_grey"] = tissues.deep_grey[brain]
    shares["grey"] = tissues.grey[brain] - shares["deep_grey"]
    shares["csf"] = tissues.csf[brain]

    _lay(shares, "lesion_of_age", _spots(tissues, rng)[brain])
    _lay(shares, "edema", _edema_strength(lesion, spacing, rng)[brain])
    core = (lesion.labels > 0) & (lesion.labels != EDEMA)
    _lay(shares, "solid", _softened(core, 0.7, spacing)[brain])
    _lay(shares, "fluid", np.where(core, lesion.fluid, 0.0)[brain])
    _lay(shares, "enhancing", _softened(lesion.labels == ENHANCING, 0.5, spacing)[brain])
    _lay(shares, "blood", lesion.blood[brain])
    _lay(shares, "vessel", _vessels(tissues, rng)[brain])
    _lay(shares, "surface", _surface(tissues, rng)[brain])
    uneven = 0.8 * smooth_noise(rng, tissues.shape, spacing, 9.0)
    uneven += 0.6 * smooth_noise(rng, tissues.shape, spacing, 4.0)
    return Materials(
        spacing_mm=spacing,
        brain=brain,
        shares=np.stack([shares[name] for name in MATERIALS]),
        texture=uneven[brain],
        detail=tissues.detail[brain],
    )


def _lay(shares: dict[str, FloatArray], name: str, cover: FloatArray) -> None:
    """Put a material on top: it takes `cover` (0..1) of each voxel, the rest shrinks."""
    cover = np.clip(cover, 0.0, 1.0)
    for other in shares:
        shares[other] = shares[other] * (1.0 - cover)
    shares[name] = shares[name] + cover.astype(np.float32)


def _softened(mask: NDArray[np.bool_], width_mm: float, spacing_mm: float) -> FloatArray:
    """Partial volume at a border."""
    return np.asarray(
        ndimage.gaussian_filter(mask.astype(np.float32), width_mm / spacing_mm), dtype=np.float32
    )


def _edema_strength(lesion: Lesion, spacing_mm: float, rng: np.random.Generator) -> FloatArray:
    """Edema is uneven and fades over a few millimetres at its edge."""
    soft = _softened(lesion.labels > 0, float(rng.uniform(0.8, 1.8)), spacing_mm)
    uneven = smooth_noise(rng, lesion.labels.shape, spacing_mm, 15.0)
    return np.asarray(soft * np.clip(0.85 + 0.15 * uneven, 0.45, 1.0), dtype=np.float32)


def _spots(tissues: Tissues, rng: np.random.Generator) -> FloatArray:
    """Caps at the ventricles and a few spots in deep white matter."""
    spacing = tissues.spacing_mm
    near = _softened(tissues.ventricle > 0.5, 2.0, spacing) * tissues.white
    caps = float(rng.uniform(0.2, 1.4)) * near
    wish = smooth_noise(rng, tissues.shape, spacing, 6.0)
    level = float(rng.uniform(3.0, 4.2))
    spots = np.clip(2.0 * (wish - level), 0.0, 0.8) * tissues.white * (tissues.depth_mm > 8.0)
    return np.asarray(np.clip(caps + spots, 0.0, 0.9), dtype=np.float32)


def _vessels(tissues: Tissues, rng: np.random.Generator) -> FloatArray:
    """Tubes along sulci, the falx and in the choroid plexus.

    Two smooth fields vanish together along curves, which look like vessels.
    """
    spacing, shape = tissues.spacing_mm, tissues.shape
    first = smooth_noise(rng, shape, spacing, 16.0)
    second = smooth_noise(rng, shape, spacing, 16.0)
    tubes = np.exp(-(first**2 + second**2) / 0.03) * (1.0 - np.clip(tissues.ventricle, 0, 1))
    fine = smooth_noise(rng, shape, spacing, 7.0)
    superficial = np.exp(-np.maximum(tissues.depth_mm, 0.0) / 6.0)
    falx = np.exp(-((tissues.source_x / 2.5) ** 2)) * np.clip(tissues.csf * 1.5, 0.0, 1.0)
    plexus = (tissues.ventricle > 0.5) * np.clip(2.0 * (fine - 1.2), 0.0, 1.0)
    cover = tubes * np.clip(0.25 + superficial + tissues.csf, 0.0, 1.0)
    cover = cover + 0.35 * falx * (tissues.ventricle < 0.1) * np.clip(first, 0.0, 1.0)
    cover = cover + 0.7 * plexus
    return np.asarray(np.clip(cover, 0.0, 0.9), dtype=np.float32)


def _surface(tissues: Tissues, rng: np.random.Generator) -> FloatArray:
    """Patches of dura and veins that the skull stripping left on, and all that is no brain."""
    patches = smooth_noise(rng, tissues.shape, tissues.spacing_mm, 22.0)
    outermost = np.clip(1.0 - tissues.depth_mm / 3.0, 0.0, 1.0)
    outside = np.clip(-tissues.depth_mm, 0.0, 1.0)
    cover = np.maximum(outermost * np.clip(patches - 0.6, 0.0, 1.0), outside)
    return np.asarray(cover, dtype=np.float32)
