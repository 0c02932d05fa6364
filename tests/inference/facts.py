"""Facts about made-up lesions, without drawing them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import get_args

from viewer.synthesis.facts import LesionFacts
from viewer.synthesis.recipe import Enhancement
from viewer.synthesis.regions import Lobe

PLAIN = LesionFacts(
    side="right", right_share=0.99, lobe="frontal", lobe_share=0.9, lobes_ml={},
    enhancement="rim", volume_ml={1: 20.0, 2: 70.0, 4: 10.0}, whole_ml=100.0,
    enhancing_share=0.1, edema_share=0.7, core_share=0.3, largest_compartment="edema",
    whole_extent_mm=(60.0, 70.0, 50.0), core_extent_mm=(40.0, 45.0, 38.0),
    midline_shift_mm=-6.0, necrosis=True, necrosis_ml=8.0, blood_ml=0.0, edema_extent=20.0,
    crosses_midline=False, centre_mm=(30.0, 20.0, 10.0),
)  # fmt: skip


def any_facts(rng: Random) -> LesionFacts:
    """Facts that need not fit together, spread over everything that is asked."""
    right = rng.choice((0.0, 0.05, 0.3, 0.5, 0.7, 0.95, 1.0))
    ml = {label: rng.uniform(0.0, 80.0) for label in (1, 2, 4)}
    whole = max(sum(ml.values()), 1.0)
    return replace(
        PLAIN,
        side=rng.choice(("right", "left", "both", "brainstem")),
        right_share=right,
        lobe=rng.choice(get_args(Lobe)),
        lobe_share=rng.uniform(0.4, 1.0),
        enhancement=rng.choice(get_args(Enhancement)),
        volume_ml=ml,
        whole_ml=whole,
        enhancing_share=ml[4] / whole,
        edema_share=ml[2] / whole,
        whole_extent_mm=(rng.uniform(5, 130), rng.uniform(5, 150), rng.uniform(5, 120)),
        core_extent_mm=(rng.uniform(5, 90), rng.uniform(5, 90), rng.uniform(5, 90)),
        midline_shift_mm=rng.uniform(-10, 10),
        necrosis=rng.random() < 0.5,
    )
