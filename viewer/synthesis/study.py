"""One synthetic study from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import Affine, FloatArray, LabelArray
from viewer.synthesis.acquisition import acquired
from viewer.synthesis.anatomy import Anatomy, load_anatomy
from viewer.synthesis.contrast import plausible_contrast
from viewer.synthesis.deformation import individual, located, midline_shift_mm, pushed
from viewer.synthesis.facts import LesionFacts, measured
from viewer.synthesis.lesion import Lesion, grow
from viewer.synthesis.materials import materials_of
from viewer.synthesis.planning import draw_recipe
from viewer.synthesis.randomised import randomised_contrast
from viewer.synthesis.recipe import Recipe
from viewer.synthesis.tissues import Stripping, Tissues, tissues_of

ContrastKind = Literal["plausible", "randomised"]

SYNTHESIS_VERSION = 6
"""Raised whenever the same seed gives other bytes, or a demo study another recipe."""

FELT_AT_SEPTUM = 0.7
"""Part of a pushed midline's displacement that the septum's own points show."""

BRATS_SEQUENCES = ("FLAIR", "T1", "T1c", "T2")
ALL_SEQUENCES = ("T1", "T1c", "T2", "FLAIR", "SWI", "DWI", "ADC")


@dataclass(frozen=True, eq=False)
class SyntheticStudy:
    """A made-up glioma: arrays are (i, j, k) RAS+ on one grid.

    `volumes` float32, zero outside `brain`; `labels` uint8 with 1 necrotic or
    non-enhancing core, 2 edema, 4 enhancing; `affine` voxel -> mm.
    """

    volumes: dict[str, FloatArray]
    labels: LabelArray
    affine: Affine
    brain: NDArray[np.bool_]
    facts: LesionFacts
    recipe: Recipe


@dataclass(frozen=True, eq=False)
class Geometry:
    """A head with its lesion before any scanner has seen it."""

    tissues: Tissues
    lesion: Lesion
    facts: LesionFacts
    recipe: Recipe


def synthesise(
    seed: int,
    *,
    spacing_mm: float,
    recipe: Recipe | None = None,
    contrast: ContrastKind = "plausible",
    sequences: tuple[str, ...] = BRATS_SEQUENCES,
    anatomy: Anatomy | None = None,
) -> SyntheticStudy:
    """Make a study; the same arguments give the same bytes.

    Without a recipe one is drawn (`draw_recipe`). Loading the anatomy takes a
    second, so callers who make many studies pass it in.
    """
    anatomy = anatomy or load_anatomy(spacing_mm)
    streams = np.random.default_rng(seed).spawn(3)
    plan = recipe or draw_recipe(streams[0])
    geometry = shape(plan, anatomy, streams[1])
    rng = streams[2]
    materials = materials_of(geometry.tissues, geometry.lesion, rng)
    look = {"plausible": plausible_contrast, "randomised": randomised_contrast}[contrast]
    volumes = {}
    for image in look(materials, sequences, rng):
        volumes[image.sequence] = acquired(image, geometry.tissues, rng)
    return SyntheticStudy(
        volumes=volumes,
        labels=geometry.lesion.labels,
        affine=anatomy.affine.copy(),
        brain=geometry.tissues.brain,
        facts=geometry.facts,
        recipe=plan,
    )


def shape(recipe: Recipe, anatomy: Anatomy, rng: np.random.Generator) -> Geometry:
    """Deform a head, grow the lesion in it and measure what came of it."""
    normal = individual(anatomy, rng)
    centre = located(normal, anatomy, np.array([recipe.site_mm]))[0]
    swelling = float(rng.uniform(0.35, 0.7)) if abs(recipe.midline_shift_mm) > 2.0 else 0.15
    pressed = pushed(normal, anatomy, centre, recipe.core_ml, swelling, 0.0)
    lacking = recipe.midline_shift_mm - midline_shift_mm(pressed, anatomy)
    bent = pushed(normal, anatomy, centre, recipe.core_ml, swelling, lacking / FELT_AT_SEPTUM)
    stripping = Stripping(
        rim_mm=float(rng.uniform(0.0, 1.5)),
        rough_mm=float(rng.uniform(0.0, 0.9)),
        orbit_mm=float(rng.uniform(2.0, 8.0)) if rng.random() < 0.4 else 0.0,
    )
    tissues = tissues_of(anatomy, bent, float(rng.uniform(1.0, 2.4)), stripping, rng)
    lesion = grow(recipe, tissues, centre, bent.grid_mm, rng)
    shift = midline_shift_mm(bent, anatomy)
    return Geometry(tissues, lesion, measured(lesion, tissues, anatomy.affine, shift), recipe)
