"""The stream of patches: which brains, which tumors, how often."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from segmentation.resampling import Shape
from segmentation.training.augmentation import Patch, patches, rescanned
from segmentation.training.distractors import distracted
from segmentation.training.lesions import heal, painted, transplanted
from segmentation.training.specimen import Specimen

log = logging.getLogger(__name__)

Maker = Callable[[Generator], Specimen]

SHUFFLED = 32
"""Patches held back so that one brain's patches do not follow each other."""

PER_BRAIN = 3
"""Patches cut from each brain that is made."""


@dataclass(frozen=True)
class Ingredient:
    """One way to make a brain, and its share of the stream."""

    name: str
    share: float
    make: Maker


def ingredients(real: Sequence[Specimen], synthetic: Maker | None) -> list[Ingredient]:
    """The table of the mixture; without real studies only synthetic brains remain."""
    table = []
    if synthetic is not None:
        table.append(Ingredient("synthetic", 0.1, synthetic))
    if real:
        healed = [heal(specimen) for specimen in real]
        grounds = [*healed, *healed, *real]
        table += [
            Ingredient("real", 0.25, lambda rng: distracted(_one(real, rng), rng)),
            Ingredient(
                "painted", 0.38, lambda rng: distracted(painted(_one(grounds, rng), rng), rng)
            ),
            Ingredient(
                "transplanted",
                0.22,
                lambda rng: distracted(transplanted(_one(grounds, rng), _one(real, rng), rng), rng),
            ),
            Ingredient("healed", 0.05, lambda rng: distracted(_one(healed, rng), rng)),
        ]
    if not table:
        raise ValueError("a mixture needs real specimens or a synthetic maker")
    return table


def _one(specimens: Sequence[Specimen], rng: Generator) -> Specimen:
    return specimens[int(rng.integers(len(specimens)))]


def stream(table: Sequence[Ingredient], shape: Shape, rng: Generator) -> Iterator[Patch]:
    """Endless shuffled patches of that shape."""
    shares = np.array([row.share for row in table])
    held: list[Patch] = []
    while True:
        row = table[int(rng.choice(len(table), p=shares / shares.sum()))]
        specimen = row.make(rng)
        made = patches(specimen, rescanned(specimen, rng), shape, PER_BRAIN, rng)
        usable = [patch for patch in made if np.isfinite(patch.image).all()]
        if len(usable) < len(made):
            log.warning("%s brain %s left out: not finite", row.name, specimen.name)
        held += usable
        while len(held) > SHUFFLED:
            yield held.pop(int(rng.integers(len(held))))
