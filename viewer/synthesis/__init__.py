"""Synthetic glioma studies in the MNI152 anatomy: images, labels and the truth.

Keep the notice in `NOTICE` beside this file: the tissue maps are McGill's.
"""

from viewer.synthesis.anatomy import Anatomy, load_anatomy
from viewer.synthesis.facts import LesionFacts
from viewer.synthesis.planning import Aim, ImpossibleAim, draw_recipe, meets, recipe_for
from viewer.synthesis.recipe import Recipe
from viewer.synthesis.study import (
    ALL_SEQUENCES,
    BRATS_SEQUENCES,
    SYNTHESIS_VERSION,
    SyntheticStudy,
    synthesise,
)

__all__ = [
    "ALL_SEQUENCES",
    "BRATS_SEQUENCES",
    "SYNTHESIS_VERSION",
    "Aim",
    "Anatomy",
    "ImpossibleAim",
    "LesionFacts",
    "Recipe",
    "SyntheticStudy",
    "draw_recipe",
    "load_anatomy",
    "meets",
    "recipe_for",
    "synthesise",
]
