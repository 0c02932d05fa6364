"""Shapes of invented gliomas: nested blobs of edema, core and enhancement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from segmentation.training.fields import random_rotation, smooth_field
from segmentation.training.specimen import BoolArray
from viewer.arrays import FloatArray, LabelArray

CORE, EDEMA, ENHANCING = 1, 2, 4

RADIUS_VOXELS = (3.5, 20.0)
"""Half size of a whole tumor: 7 to 40 mm on the 2 mm grid."""


@dataclass(frozen=True, eq=False)
class Core:
    """The tumor core: `mask`, and `depth` below its surface in voxels."""

    mask: BoolArray
    depth: FloatArray


Enhancement = Callable[[Core, Generator], BoolArray]


def _none(core: Core, _rng: Generator) -> BoolArray:
    return np.zeros_like(core.mask)


def _rim(core: Core, rng: Generator) -> BoolArray:
    """A wall of uneven thickness, with gaps."""
    wander = smooth_field(core.mask.shape, rng.uniform(4, 9), rng)
    thickness = rng.uniform(0.9, 5.0) * (1.0 + 0.4 * wander)
    return core.mask & (core.depth < thickness) & (wander > rng.uniform(-2.5, -0.2))


def _solid(core: Core, rng: Generator) -> BoolArray:
    """Nearly all of the core, with a few pockets left out."""
    pockets = smooth_field(core.mask.shape, rng.uniform(3, 7), rng) > rng.uniform(0.6, 2.2)
    return core.mask & ~pockets


def _patchy(core: Core, rng: Generator) -> BoolArray:
    """Islands in a core that mostly does not enhance."""
    islands = smooth_field(core.mask.shape, rng.uniform(2.5, 6), rng) > rng.uniform(0.7, 1.7)
    return core.mask & islands


ENHANCEMENTS: dict[str, tuple[float, Enhancement]] = {
    "none": (0.38, _none),
    "rim": (0.34, _rim),
    "solid": (0.12, _solid),
    "patchy": (0.16, _patchy),
}
"""Kind -> how often it is drawn, how its mask is made."""


def lesion_labels(brain: BoolArray, fluid: BoolArray, rng: Generator) -> LabelArray:
    """Labels (i, j, k) of one invented tumor in a brain.

    `fluid` marks ventricles and sulci, which edema mostly spares.
    """
    radius = float(np.exp(rng.uniform(*np.log(RADIUS_VOXELS))))
    places = np.argwhere(brain & ~fluid)
    centre = places[rng.integers(len(places))]
    distance = _distance(brain.shape, centre, radius, rng)
    share = rng.uniform(0.35, 0.95)
    shifted = centre + rng.normal(0.0, 0.12 * radius, 3)
    core_distance = _distance(brain.shape, shifted, radius, rng)
    edema = brain & (distance + np.where(fluid, rng.uniform(0.1, 0.6), 0.0) < 1.0)
    mask = brain & (core_distance < share) & (~fluid | (rng.random() < 0.7))
    core = Core(mask, (share - core_distance) * radius)
    names = list(ENHANCEMENTS)
    kind = rng.choice(names, p=[ENHANCEMENTS[name][0] for name in names])
    labels = np.zeros(brain.shape, np.uint8)
    labels[edema] = EDEMA
    labels[mask] = CORE
    labels[ENHANCEMENTS[str(kind)][1](core, rng)] = ENHANCING
    return labels


def _distance(
    shape: tuple[int, ...], centre: FloatArray, radius: float, rng: Generator
) -> FloatArray:
    """Wobbly ellipsoidal distance from the centre; 1 on the surface."""
    i, j, k = shape
    axes = np.meshgrid(*(np.arange(n, dtype=np.float32) for n in shape), indexing="ij")
    offset = np.stack(axes, axis=-1) - centre.astype(np.float32)
    stretch = np.exp(rng.uniform(-0.3, 0.3, 3)).astype(np.float32)
    local = (offset @ random_rotation(rng)) * stretch / radius
    distance = np.sqrt((local**2).sum(axis=-1))
    coarse = smooth_field((i, j, k), max(3.0, 0.7 * radius), rng)
    fine = smooth_field((i, j, k), 3.0, rng)
    wobble = rng.uniform(0.1, 0.35) * coarse + rng.uniform(0.02, 0.12) * fine
    return np.asarray(distance + wobble, dtype=np.float32)
