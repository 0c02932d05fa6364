"""How the tissue of a glioma looks, as standard deviations from the brain's mean.

Ranges are wide on purpose: wider than real tumors, so that a real one falls
inside. FLAIR, T1c, T1, T2 is the order of the channels everywhere in training.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy import ndimage

from segmentation.training.fields import smooth_field
from segmentation.training.lesion_shapes import CORE, EDEMA, ENHANCING
from segmentation.training.specimen import Specimen, brain_statistics
from viewer.arrays import FloatArray, LabelArray

Range = tuple[float, float]


@dataclass(frozen=True)
class Look:
    """Ranges of one tissue: brightness per channel and how much it covers what is below.

    `uptake` is T1c above T1: contrast agent taken up.
    """

    flair: Range
    t1: Range
    t2: Range
    uptake: Range
    cover: Range

    def draw(self, rng: Generator) -> tuple[FloatArray, float]:
        """Brightness (4, 1, 1, 1) in standard deviations, and the cover in 0..1."""
        t1 = rng.uniform(*self.t1)
        levels = [rng.uniform(*self.flair), t1 + rng.uniform(*self.uptake), t1]
        levels.append(rng.uniform(*self.t2))
        brightness = np.array(levels, np.float32).reshape(4, 1, 1, 1)
        return brightness, float(rng.uniform(*self.cover))


@dataclass(frozen=True)
class Style:
    """The tissues of one tumor: its core and its edema."""

    core: Look
    edema: Look


SOLID_CORE = Look((0.6, 3.0), (-2.0, 0.4), (0.2, 3.2), (-0.4, 0.4), (0.8, 1.0))
NECROTIC_CORE = Look((-1.5, 1.6), (-2.6, -0.2), (0.6, 3.8), (-0.5, 0.4), (0.8, 1.0))
SWOLLEN = Look((0.7, 2.6), (-1.0, 0.3), (0.1, 2.0), (-0.3, 0.3), (0.45, 0.9))
FAINT_CORE = Look((0.5, 2.2), (-0.8, 0.8), (0.0, 1.4), (-0.3, 0.4), (0.5, 1.0))
FAINT_SWELLING = Look((0.4, 1.8), (-0.5, 0.7), (0.0, 1.2), (-0.2, 0.3), (0.4, 0.9))
TAKING_UP = Look((0.0, 2.4), (-0.9, 0.8), (-0.3, 2.2), (0.7, 4.5), (0.6, 1.0))

NECROTIC = Style(NECROTIC_CORE, SWOLLEN)
SOLID = Style(SOLID_CORE, SWOLLEN)
FAINT = Style(FAINT_CORE, FAINT_SWELLING)
"""Little brighter than brain, hardly any change in T1: as low-grade gliomas often are."""

ENHANCING_STYLES = ((NECROTIC, 0.55), (SOLID, 0.40), (FAINT, 0.05))
PLAIN_STYLES = ((NECROTIC, 0.20), (SOLID, 0.30), (FAINT, 0.50))
"""How often a tumor with and one without enhancement looks like what."""


def _style(enhances: bool, rng: Generator) -> Style:
    styles = ENHANCING_STYLES if enhances else PLAIN_STYLES
    return styles[int(rng.choice(len(styles), p=[share for _, share in styles]))][0]


def paint(specimen: Specimen, labels: LabelArray, rng: Generator) -> FloatArray:
    """The specimen's image (4, i, j, k) with a tumor of those labels painted in."""
    mean, deviation = brain_statistics(specimen.image, specimen.brain)
    style = _style(bool((labels == ENHANCING).any()), rng)
    looks = {EDEMA: style.edema, CORE: style.core, ENHANCING: TAKING_UP}
    softness = rng.uniform(0.35, 0.9)
    image = specimen.image
    for value, look in looks.items():
        where = labels == value
        if not where.any():
            continue
        brightness, cover = look.draw(rng)
        texture = _texture(specimen.shape, rng)
        target = mean + deviation * (brightness + texture)
        alpha = cover * ndimage.gaussian_filter(where.astype(np.float32), softness)
        image = image + alpha * (target - image)
    return np.clip(image, 0.0, None) * specimen.brain


def _texture(shape: tuple[int, int, int], rng: Generator) -> FloatArray:
    """Clouds (4, i, j, k) in standard deviations: partly shared by the channels."""
    shared = smooth_field(shape, rng.uniform(3, 8), rng)
    strength = rng.uniform(0.05, 0.4, (4, 1, 1, 1)) * rng.choice([-1, 1], (4, 1, 1, 1))
    grain = rng.standard_normal((4, *shape), dtype=np.float32) * rng.uniform(0.0, 0.15)
    return np.asarray(strength * shared + grain, dtype=np.float32)
