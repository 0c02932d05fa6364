"""Random contrasts, so that a network learns orderings instead of one scanner.

After SynthSeg (Billot et al., Medical Image Analysis 86, 2023): every study
draws its own brightness for every material. Unlike there, draws stay within
ranges in which each sequence keeps its meaning: edema is bright on FLAIR and
T2, enhancement is bright on T1c, fluid dark on T1 and bright on T2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from viewer.synthesis.acquisition import Scan
from viewer.synthesis.contrast import Image, plausible_contrast, textured
from viewer.synthesis.materials import MATERIALS, Materials

RANGES: Mapping[str, tuple[tuple[float, float], ...]] = {
    # white, grey, deep grey, csf, edema, solid, fluid, enhancing, blood, vessel, age, surface
    "T1": (
        (97, 103), (76, 98), (80, 99), (22, 52), (78, 98), (64, 96), (44, 80),
        (66, 102), (60, 140), (40, 150), (80, 98), (30, 190),
    ),
    "T1c": (
        (97, 103), (78, 103), (80, 106), (18, 52), (78, 101), (64, 99), (44, 82),
        (110, 190), (70, 150), (110, 280), (80, 100), (50, 240),
    ),
    "T2": (
        (97, 103), (102, 145), (88, 130), (160, 340), (122, 240), (125, 275), (160, 330),
        (112, 230), (45, 140), (30, 110), (110, 185), (40, 300),
    ),
    "FLAIR": (
        (97, 103), (99, 130), (92, 120), (14, 70), (116, 185), (116, 200), (45, 210),
        (104, 195), (55, 140), (45, 120), (110, 170), (40, 210),
    ),
}  # fmt: skip
SUBTLE = 0.12
"""Share of studies whose edema and solid tumor hardly differ from the brain."""


def randomised_contrast(
    materials: Materials, sequences: tuple[str, ...], rng: np.random.Generator
) -> Iterator[Image]:
    """Random brightness and random acquisition; SWI, DWI and ADC stay plausible."""
    subtle = float(rng.uniform(0.35, 0.7)) if rng.random() < SUBTLE else 1.0
    for sequence in sequences:
        if sequence not in RANGES:
            yield from plausible_contrast(materials, (sequence,), rng)
            continue
        drawn = [float(rng.uniform(low, high)) for low, high in RANGES[sequence]]
        means = dict(zip(MATERIALS, drawn, strict=True))
        for name in ("edema", "solid"):
            means[name] = 100.0 + subtle * (means[name] - 100.0)
        means["fluid"] = min(means["fluid"], 1.1 * max(means["csf"], means["solid"]))
        unevenness = float(rng.uniform(0.03, 0.2))
        yield Image(sequence, textured(materials, means, sequence, unevenness), random_scan(rng))


def random_scan(rng: np.random.Generator) -> Scan:
    """An acquisition out of those that clinical studies show."""
    thick = rng.random() < 0.35
    moved = rng.random() < 0.25
    lost = rng.random() < 0.08
    return Scan(
        gain=float(np.exp(rng.uniform(np.log(1.0), np.log(12.0)))),
        noise=float(np.exp(rng.uniform(np.log(0.5), np.log(6.0)))),
        bias=float(rng.uniform(0.0, 0.28)),
        bias_mm=float(rng.uniform(55.0, 130.0)),
        blur_mm=float(rng.uniform(0.0, 1.3)),
        gamma=float(np.exp(rng.uniform(-0.2, 0.2))),
        slice_axis=2 if rng.random() < 0.8 else int(rng.integers(0, 2)),
        slice_mm=float(rng.uniform(3.0, 6.5)) if thick else 0.0,
        lost_mm=float(rng.choice([-1.0, 1.0]) * rng.uniform(2.0, 12.0)) if lost else 0.0,
        jitter_mm=tuple(rng.normal(0.0, 0.6, 3).tolist()) if moved else (0.0, 0.0, 0.0),
    )
