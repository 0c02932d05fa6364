"""What a network must not take for tumor: vessels and dura in T1c, old white matter in FLAIR."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.random import Generator
from scipy import ndimage

from segmentation.training.fields import smooth_field
from segmentation.training.lesions import fluid_like
from segmentation.training.specimen import BoolArray, Specimen, brain_statistics
from viewer.arrays import FloatArray

FLAIR, T1C, T1, T2 = range(4)

SHARE = 0.4
"""How many brains get vessels, and how many, drawn anew, get bright white matter."""


def distracted(specimen: Specimen, rng: Generator) -> Specimen:
    """The specimen, sometimes with bright tissue outside its tumor; labels stay as they are."""
    image = specimen.image
    free = specimen.brain & (specimen.labels == 0)
    if rng.random() < SHARE:
        where = (_dura(specimen.brain, rng) | _vessels(specimen.shape, rng)) & free
        image = _brightened(specimen, image, where, {T1C: rng.uniform(1.0, 4.0)})
    if rng.random() < SHARE:
        levels = {FLAIR: rng.uniform(0.4, 1.6), T2: rng.uniform(0.2, 0.9)}
        image = _brightened(specimen, image, _caps(specimen, rng) & free, levels)
    return replace(specimen, image=image)


def _dura(brain: BoolArray, rng: Generator) -> BoolArray:
    """Patches of the brain's outermost voxels."""
    inner = ndimage.binary_erosion(brain, iterations=1 + int(rng.random() < 0.3))
    patches = smooth_field(brain.shape, rng.uniform(6, 16), rng) > rng.uniform(0.4, 1.6)
    return np.asarray(brain & ~inner & patches, dtype=bool)


def _vessels(shape: tuple[int, int, int], rng: Generator) -> BoolArray:
    """Thin winding lines: where two smooth fields are both nearly zero."""
    width, cell = rng.uniform(0.03, 0.1), rng.uniform(8, 18)
    first, second = (np.abs(smooth_field(shape, cell, rng)) < width for _ in range(2))
    return np.asarray(first & second, dtype=bool)


def _caps(specimen: Specimen, rng: Generator) -> BoolArray:
    """A thin seam along some of the fluid."""
    fluid = fluid_like(specimen)
    seam = ndimage.binary_dilation(fluid, iterations=int(rng.integers(1, 3))) & ~fluid
    some = smooth_field(specimen.shape, rng.uniform(5, 12), rng) > rng.uniform(0.3, 1.5)
    return np.asarray(seam & some, dtype=bool)


def _brightened(
    specimen: Specimen, image: FloatArray, where: BoolArray, levels: dict[int, float]
) -> FloatArray:
    """The image with so many standard deviations added there, channel by channel."""
    _, deviation = brain_statistics(specimen.image, specimen.brain)
    soft = ndimage.gaussian_filter(where.astype(np.float32), 0.4)
    image = image.copy()
    for channel, level in levels.items():
        image[channel] += np.float32(level) * deviation[channel] * soft
    return np.asarray(image * specimen.brain, dtype=np.float32)
