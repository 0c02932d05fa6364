"""Lobes by rough planes in MNI millimetres.

nilearn bundles no lobe atlas, so the borders are planes through textbook
landmarks of the MNI brain: the central sulcus (y about -5 at z 20, -28 at
z 70), the Sylvian fissure (z about 6 at y -20), the parieto-occipital sulcus
(y about -65 at z 10) and the tentorium. They are right to about a centimetre;
sites of lesions (`SITES`) therefore lie well inside their lobe, and facts
carry the share of the core that lies in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import FloatArray

Lobe = Literal[
    "frontal", "parietal", "temporal", "occipital", "insula", "deep", "cerebellum", "brainstem"
]

CODES: dict[Lobe, int] = {
    "frontal": 1,
    "parietal": 2,
    "temporal": 3,
    "occipital": 4,
    "insula": 5,
    "deep": 6,
    "cerebellum": 7,
    "brainstem": 8,
}
"""Codes in `Anatomy.regions`; "deep" is basal ganglia, thalamus and their white matter."""


@dataclass(frozen=True)
class Site:
    """A box of lesion centres: (low, high) in MNI mm; x is given for the right side."""

    lobe: Lobe
    x: tuple[float, float]
    y: tuple[float, float]
    z: tuple[float, float]


SITES: tuple[Site, ...] = (
    Site("frontal", (18, 36), (22, 44), (4, 34)),
    Site("frontal", (18, 32), (4, 18), (36, 50)),
    Site("temporal", (40, 54), (-28, 0), (-28, -14)),
    Site("parietal", (20, 42), (-60, -44), (34, 52)),
    Site("occipital", (14, 30), (-90, -80), (-2, 18)),
    Site("insula", (34, 40), (-8, 12), (-2, 8)),
    Site("deep", (10, 24), (-24, 4), (0, 12)),
    Site("cerebellum", (16, 34), (-70, -56), (-42, -30)),
)

MIDLINE_SITES: tuple[Site, ...] = (
    Site("frontal", (-1, 1), (24, 30), (4, 14)),
    Site("parietal", (-1, 1), (-42, -36), (18, 26)),
)
"""Butterfly tumors sit on the corpus callosum: its genu and its splenium."""

BRAINSTEM_SITE = Site("brainstem", (-3, 3), (-30, -24), (-36, -24))


def region_map(mm: FloatArray) -> NDArray[np.uint8]:
    """Code of the lobe at every point: `mm` (3, ...) in MNI mm -> uint8 (...)."""
    x, y, z = np.abs(mm[0]), mm[1], mm[2]
    central = -5.0 - 0.45 * (z - 20.0)
    sylvian = -2.0 - 0.4 * y
    tentorium = -2.0 - 0.42 * x - 0.5 * np.maximum(0.0, -75.0 - y)

    codes = np.full(mm.shape[1:], CODES["frontal"], dtype=np.uint8)
    rows: tuple[tuple[Lobe, NDArray[np.bool_]], ...] = (
        ("parietal", y < central),
        ("occipital", y < -65.0 - 0.4 * np.maximum(0.0, z - 10.0)),
        ("temporal", (x > 28) & (z < sylvian) & (y > -66) & (y < 24)),
        ("temporal", (x > 16) & (z < -12) & (y > -60) & (y < 22)),
        ("deep", ((x - 12) / 20) ** 2 + ((y + 6) / 29) ** 2 + ((z - 5) / 17) ** 2 < 1),
        ("insula", (x > 30) & (x < 43) & (y > -22) & (y < 20) & (z > -8) & (z < 14)),
        ("brainstem", (x < 15) & (y > -44) & (y < -10) & (z < -8)),
        ("cerebellum", (y < -42) & (z < tentorium)),
        ("cerebellum", (x >= 15) & (x < 50) & (y < -34) & (z < -26)),
    )
    for lobe, where in rows:
        codes[where] = CODES[lobe]
    return codes
