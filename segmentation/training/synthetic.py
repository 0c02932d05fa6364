"""Brains that the viewer's synthesis makes, as specimens."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from segmentation.training.specimen import Specimen, brain_statistics
from viewer.synthesis import Anatomy, load_anatomy, synthesise

CHANNELS = ("FLAIR", "T1c", "T1", "T2")
PLAUSIBLE_SHARE = 0.6
"""The rest has randomised contrasts, stranger than any scanner's."""


class SyntheticBrains:
    """Makes one synthetic study after another on a grid of `spacing_mm`."""

    def __init__(self, spacing_mm: float) -> None:
        self._spacing_mm = spacing_mm
        self._anatomy: Anatomy = load_anatomy(spacing_mm)

    def __call__(self, rng: Generator) -> Specimen:
        """The study of a seed that `rng` draws, cropped to its brain."""
        seed = int(rng.integers(2**31))
        study = synthesise(
            seed,
            spacing_mm=self._spacing_mm,
            contrast="plausible" if rng.random() < PLAUSIBLE_SHARE else "randomised",
            sequences=CHANNELS,
            anatomy=self._anatomy,
        )
        places = np.argwhere(study.brain)
        low, high = places.min(axis=0), places.max(axis=0) + 1
        box = tuple(slice(int(a), int(b)) for a, b in zip(low, high, strict=True))
        brain = study.brain[box]
        image = np.stack([study.volumes[name][box] for name in CHANNELS]) * brain
        mean, _ = brain_statistics(image, brain)
        return Specimen(f"synthetic-{seed}", image / mean, study.labels[box], brain)
