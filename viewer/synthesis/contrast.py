"""Brightness of each material in each sequence: a table, and images made from it.

White matter is 100 in every sequence. The figures follow textbook contrasts at
3 T and were checked against the medians of BraTS 2021 studies: FLAIR edema 1.3
to 1.7 times white matter, T2 CSF 2 to 3 times, enhancement 1.3 to 2 times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from viewer.arrays import FloatArray
from viewer.synthesis.acquisition import Scan
from viewer.synthesis.materials import MATERIALS, Materials

TABLE: Mapping[str, tuple[float, ...]] = {
    # white grey deep csf  edema solid fluid enh. blood vessel age surface
    "T1": (100, 76, 84, 30, 84, 72, 48, 80, 92, 70, 90, 60),
    "T1c": (100, 80, 86, 30, 86, 74, 46, 172, 100, 175, 92, 120),
    "T2": (100, 132, 108, 270, 165, 185, 245, 160, 70, 60, 140, 120),
    "FLAIR": (100, 118, 108, 28, 168, 172, 95, 160, 90, 70, 145, 85),
    "SWI": (100, 112, 88, 118, 116, 112, 122, 108, 18, 30, 104, 80),
    "DWI": (100, 116, 104, 38, 112, 132, 66, 150, 40, 90, 104, 80),
    "ADC": (100, 108, 102, 340, 172, 165, 255, 118, 70, 110, 120, 120),
}
GAIN = {"T1": 5.6, "T1c": 6.0, "T2": 4.2, "FLAIR": 5.0, "SWI": 6.5, "DWI": 4.5, "ADC": 7.6}
"""White matter's brightness in the file, divided by 100; ADC reads as 1e-6 mm²/s."""


@dataclass(frozen=True, eq=False)
class Image:
    """One sequence before it is scanned: brightness (n) of the brain's voxels."""

    sequence: str
    brightness: FloatArray
    scan: Scan


def plausible_contrast(
    materials: Materials, sequences: tuple[str, ...], rng: np.random.Generator
) -> Iterator[Image]:
    """Textbook contrasts, each a few percent off, with a clean scan."""
    for sequence in sequences:
        wobble = np.exp(rng.normal(0.0, 0.04, len(MATERIALS)))
        means = dict(zip(MATERIALS, np.array(TABLE[sequence]) * wobble, strict=True))
        scan = Scan(
            gain=GAIN[sequence],
            noise=float(rng.uniform(1.5, 3.0)),
            bias=float(rng.uniform(0.02, 0.08)),
            blur_mm=0.4 if sequence not in ("DWI", "ADC") else 1.3,
        )
        yield Image(sequence, textured(materials, means, sequence, 0.08), scan)


def textured(
    materials: Materials, means: Mapping[str, float], sequence: str, unevenness: float
) -> FloatArray:
    """Brightness (n) with the template's fine detail and uneven tumor tissue."""
    plain = materials.brightness(means)
    tumor = sum(materials.share(name) for name in ("edema", "solid", "fluid", "enhancing"))
    contrast = means["white"] - means["grey"]
    normal = materials.share("white") + materials.share("grey") + materials.share("deep_grey")
    with_detail = plain + contrast * materials.detail * normal
    return np.asarray(
        with_detail * (1.0 + unevenness * materials.texture * tumor), dtype=np.float32
    )
