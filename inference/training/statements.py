"""What is said about a study's facts: reasons, numbers to read, and facts without a study."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from viewer.synthesis.facts import LesionFacts
from viewer.synthesis.recipe import Enhancement, Side
from viewer.synthesis.regions import Lobe

GUESS = "No picture shows this, so the answer is a guess."
REASON = "The pictures show this: {option}."

COMPARTMENT_NAMES = {1: "core", 2: "edema", 4: "enhancing"}
OTHER_SIDE: dict[Side, Side] = {"right": "left", "left": "right"}

SIDES: tuple[Side, ...] = ("right", "left", "both", "brainstem")
PATTERNS: tuple[Enhancement, ...] = ("rim", "solid", "patchy")
LOBES: tuple[Lobe, ...] = (
    "frontal",
    "parietal",
    "temporal",
    "occipital",
    "insula",
    "deep",
    "cerebellum",
)

FACTS = 34
"""Length of `facts_vector`."""


def facts_vector(facts: LesionFacts) -> NDArray[np.float32]:
    """The facts as numbers of about unit size, `FACTS` of them; names become 0 or 1 each."""
    lengths = (*facts.centre_mm, *facts.whole_extent_mm, *facts.core_extent_mm)
    numbers = [
        2.0 * facts.right_share - 1.0,
        *(length / 50.0 for length in lengths),
        math.log(facts.whole_ml / 50.0),
        2.0 * facts.enhancing_share,
        2.0 * facts.edema_share,
        2.0 * facts.core_share,
        facts.midline_shift_mm / 5.0,
        float(facts.necrosis),
        *(float(facts.side == side) for side in SIDES),
        *(float(facts.enhancement == pattern) for pattern in ("none", *PATTERNS)),
        *(float(facts.lobe == lobe) for lobe in LOBES),
        *(float(facts.largest_compartment == name) for name in COMPARTMENT_NAMES.values()),
    ]
    return np.array(numbers, dtype=np.float32)


def mirrored(facts: LesionFacts) -> LesionFacts:
    """The facts of the same study with left and right exchanged."""
    x, y, z = facts.centre_mm
    return replace(
        facts,
        side=OTHER_SIDE.get(facts.side, facts.side),
        right_share=1.0 - facts.right_share,
        midline_shift_mm=-facts.midline_shift_mm,
        centre_mm=(-x, y, z),
    )


def imagined_facts(rng: Random) -> LesionFacts:
    """Facts that no study has, each answer about as likely as any other.

    Only for lessons without pictures: they need not fit together anatomically.
    """
    side = rng.choice(SIDES)
    lobe: Lobe = "brainstem" if side == "brainstem" else rng.choice(LOBES)
    pattern: Enhancement = "none"
    whole = rng.choice((rng.uniform(5, 25), rng.uniform(30, 70), rng.uniform(80, 250)))
    enhancing = rng.choice((0.0, rng.uniform(0.05, 0.2), rng.uniform(0.25, 0.8)))
    if enhancing:
        pattern = rng.choice(PATTERNS)
    core = rng.uniform(0.0, 1.0 - enhancing)
    shares = {1: core, 2: 1.0 - enhancing - core, 4: enhancing}
    width = rng.uniform(15, 110)
    core_side = rng.uniform(8, 60)
    return LesionFacts(
        side=side,
        right_share={"right": 1.0, "left": 0.0}.get(side, 0.5),
        lobe=lobe,
        lobe_share=1.0,
        lobes_ml={},
        enhancement=pattern,
        volume_ml={label: share * whole for label, share in shares.items()},
        whole_ml=whole,
        enhancing_share=enhancing,
        edema_share=shares[2],
        core_share=core,
        largest_compartment=COMPARTMENT_NAMES[max(shares, key=shares.__getitem__)],
        whole_extent_mm=(width, width * rng.uniform(0.7, 1.3), width * rng.uniform(0.7, 1.3)),
        core_extent_mm=(
            core_side,
            core_side * rng.uniform(0.7, 1.3),
            core_side * rng.uniform(0.7, 1.3),
        ),
        midline_shift_mm=rng.choice((0.0, 1.0, -1.0)) * rng.uniform(3.2, 11.0),
        necrosis=rng.random() < 0.5,
        necrosis_ml=0.0,
        blood_ml=0.0,
        edema_extent=0.0,
        crosses_midline=side == "both",
        centre_mm=(0.0, 0.0, 0.0),
    )
