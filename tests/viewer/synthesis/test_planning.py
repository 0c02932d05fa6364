from typing import get_args

import numpy as np
import pytest

from viewer.synthesis import Aim, ImpossibleAim, draw_recipe, recipe_for
from viewer.synthesis.planning import ENHANCING_SHARE, WHOLE_ML, Compartment, Shift
from viewer.synthesis.recipe import Enhancement


@pytest.mark.parametrize("band", WHOLE_ML)
def test_a_volume_can_be_aimed_at(band: str) -> None:
    recipe = recipe_for(np.random.default_rng(0), Aim(whole=band))  # type: ignore[arg-type]
    low, high = WHOLE_ML[band]  # type: ignore[index]
    assert low <= recipe.whole_ml <= high


@pytest.mark.parametrize("band", ENHANCING_SHARE)
def test_an_enhancing_share_can_be_aimed_at(band: str) -> None:
    recipe = recipe_for(np.random.default_rng(1), Aim(enhancing=band))  # type: ignore[arg-type]
    low, high = ENHANCING_SHARE[band]  # type: ignore[index]
    assert low <= recipe.enhancing_of_core * recipe.core_ml / recipe.whole_ml <= high


@pytest.mark.parametrize("largest", get_args(Compartment))
def test_the_largest_compartment_can_be_aimed_at(largest: Compartment) -> None:
    recipe = recipe_for(np.random.default_rng(2), Aim(largest=largest))
    enhancing = recipe.enhancing_of_core * recipe.core_ml
    parts = {
        "core": recipe.core_ml - enhancing,
        "edema": recipe.edema_ml,
        "enhancing": enhancing,
    }
    assert max(parts, key=lambda name: parts[name]) == largest


@pytest.mark.parametrize("shift", get_args(Shift))
def test_a_shift_goes_away_from_the_tumor(shift: Shift) -> None:
    recipe = recipe_for(np.random.default_rng(3), Aim(shift=shift))
    if shift == "none":
        assert abs(recipe.midline_shift_mm) < 1.0
    else:
        assert recipe.side == {"left": "right", "right": "left"}[shift]
        assert abs(recipe.midline_shift_mm) >= 4.0


def test_left_sites_are_mirrored() -> None:
    right, left = (
        recipe_for(np.random.default_rng(4), Aim(side=side, lobe="temporal"))
        for side in ("right", "left")
    )
    assert right.site_mm[0] > 30.0
    assert left.site_mm[0] < -30.0


def test_answers_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ImpossibleAim, match="leave one of them open"):
        recipe_for(np.random.default_rng(5), Aim(enhancement="none", enhancing=">50"))


def test_patterns_are_drawn_evenly() -> None:
    drawn = [draw_recipe(np.random.default_rng(seed)).enhancement for seed in range(200)]
    for pattern in get_args(Enhancement):
        assert 30 <= drawn.count(pattern) <= 70
