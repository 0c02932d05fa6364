"""Brightness of each material in each sequence: a table, and images made from it.

White matter is 100 in every sequence. The figures follow textbook contrasts at
3 T and were checked against the medians of BraTS 2021 studies: FLAIR edema 1.3
to 1.7 times white matter, T2 CSF 2 to 3 times, enhancement 1.2 to 2 times.
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
    "T1": (100, 79, 86, 32, 86, 75, 52, 83, 92, 70, 91, 60),
    "T1c": (100, 82, 88, 30, 87, 76, 50, 152, 100, 175, 93, 120),
    "T2": (100, 128, 108, 250, 180, 195, 245, 165, 70, 60, 140, 120),
    "FLAIR": (100, 115, 107, 34, 150, 158, 95, 148, 90, 70, 138, 85),
    "SWI": (100, 112, 88, 118, 116, 112, 122, 108, 18, 30, 104, 80),
    "DWI": (100, 116, 104, 38, 112, 132, 66, 150, 40, 90, 104, 80),
    "ADC": (100, 108, 102, 340, 172, 165, 255, 118, 70, 110, 120, 120),
}
GAIN = {"T1": 5.6, "T1c": 6.0, "T2": 4.2, "FLAIR": 5.0, "SWI": 6.5, "DWI": 4.5, "ADC": 7.6}
"""White matter's brightness in the file, divided by 100; ADC reads as 1e-6 mm²/s."""


WOBBLE = (0.02, 0.04, 0.04, 0.08, 0.07, 0.07, 0.12, 0.08, 0.1, 0.1, 0.06, 0.15)
"""Deviation of the logarithm of each brightness from study to study."""


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
        wobble = np.exp(rng.normal(0.0, WOBBLE))
        means = dict(zip(MATERIALS, np.array(TABLE[sequence]) * wobble, strict=True))
        scan = Scan(
            gain=GAIN[sequence],
            noise=float(rng.uniform(1.0, 2.6)),
            bias=float(rng.uniform(0.02, 0.12)),
            blur_mm=0.4 if sequence not in ("DWI", "ADC") else 1.3,
        )
        yield Image(sequence, textured(materials, means, sequence, 0.11), scan)


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
