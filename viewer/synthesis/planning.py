"""Drawing recipes: at random, or aimed at the answers a caller wants balanced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from viewer.errors import UserError
from viewer.synthesis.facts import LesionFacts
from viewer.synthesis.recipe import Enhancement, Recipe, Side
from viewer.synthesis.regions import BRAINSTEM_SITE, MIDLINE_SITES, SITES, Lobe, Site

Choice = TypeVar("Choice")
VolumeBand = Literal["<25", "30-70", "80-150", ">170"]
ShareBand = Literal["<2", "5-20", "25-45", ">50"]
Compartment = Literal["core", "edema", "enhancing"]
Shift = Literal["none", "left", "right"]

WHOLE_ML: Mapping[VolumeBand, tuple[float, float]] = {
    "<25": (6.0, 23.0),
    "30-70": (33.0, 67.0),
    "80-150": (85.0, 144.0),
    ">170": (178.0, 240.0),
}
"""Whole-tumor volume in mL for each answer, a little inside its borders."""

ENHANCING_SHARE: Mapping[ShareBand, tuple[float, float]] = {
    "<2": (0.0, 0.0),
    "5-20": (0.06, 0.19),
    "25-45": (0.27, 0.43),
    ">50": (0.53, 0.75),
}
"""Enhancing share of the whole tumor for each answer."""

OF_CORE: Mapping[Enhancement, tuple[float, float]] = {
    "none": (0.0, 0.0),
    "rim": (0.3, 0.65),
    "patchy": (0.06, 0.55),
    "solid": (0.86, 1.0),
}
"""Enhancing share of the core in each pattern."""

BANDS: tuple[VolumeBand, ...] = get_args(VolumeBand)
PATTERNS: tuple[Enhancement, ...] = get_args(Enhancement)
ANY_SIDE: tuple[Side, ...] = ("right", "right", "right", "left", "left", "left", "both")
"""Sides as often as they are drawn; the brainstem comes with its lobe."""

SHIFT_MM = (4.0, 11.0)
MAX_WHOLE_ML = {"cerebellum": 42.0, "brainstem": 16.0, "insula": 110.0, "deep": 130.0}
"""Whole tumors that still have most of their core in so small a region."""


@dataclass(frozen=True)
class Aim:
    """The answers a recipe is to have; None leaves one to chance."""

    side: Side | None = None
    lobe: Lobe | None = None
    enhancement: Enhancement | None = None
    whole: VolumeBand | None = None
    enhancing: ShareBand | None = None
    largest: Compartment | None = None
    shift: Shift | None = None
    necrosis: bool | None = None


class ImpossibleAim(UserError):
    """Answers that no lesion can have together."""


def meets(facts: LesionFacts, aim: Aim) -> bool:
    """Whether a finished lesion has the answers it was aimed at; callers reject those without.

    Bands are asked as wide as they are in questions: what falls between two
    bands meets neither.
    """
    shift = facts.midline_shift_mm
    found = {
        "side": facts.side,
        "lobe": facts.lobe,
        "enhancement": facts.enhancement,
        "whole": _band(WHOLE_ML, facts.whole_ml, slack=3.0),
        "enhancing": _band(ENHANCING_SHARE, facts.enhancing_share, slack=0.01),
        "largest": facts.largest_compartment,
        "shift": "none" if abs(shift) < 1.5 else ("right" if shift > 0 else "left"),
        "necrosis": facts.necrosis,
    }
    return all(wanted in (None, found[name]) for name, wanted in vars(aim).items())


def _band(bands: Mapping[Any, tuple[float, float]], value: float, slack: float) -> str | None:
    fits = (name for name, (low, high) in bands.items() if low - slack <= value <= high + slack)
    return next(fits, None)


def draw_recipe(rng: np.random.Generator) -> Recipe:
    """Any lesion: pattern, volume and side are each spread evenly over their answers."""
    return recipe_for(
        rng,
        Aim(enhancement=_any(rng, PATTERNS), side=_any(rng, ANY_SIDE)),
    )


def recipe_for(rng: np.random.Generator, aim: Aim) -> Recipe:
    """A recipe with the answers of `aim`; what is left open is drawn evenly.

    Volumes and shares are drawn until they agree with each other. Raises
    `ImpossibleAim` after 4000 tries.
    """
    for _ in range(4000):
        recipe = _attempt(rng, aim)
        if recipe is not None:
            return recipe
    raise ImpossibleAim(
        f"Expected answers that one lesion can have together, got {aim}; leave one of them open."
    )


def _attempt(rng: np.random.Generator, aim: Aim) -> Recipe | None:
    side, site = _place(rng, aim)
    if site is None:
        return None
    band = aim.whole if aim.whole is not None else _any(rng, BANDS)
    whole_ml = float(rng.uniform(*WHOLE_ML[band]))
    if whole_ml > MAX_WHOLE_ML.get(site.lobe, np.inf):
        return None
    shares = _shares(rng, aim)
    if shares is None:
        return None
    pattern, core, enhancing = shares
    shift = _shift_mm(rng, aim, side, site, whole_ml)
    if shift is None:
        return None
    necrosis = aim.necrosis if aim.necrosis is not None else _necrotic(rng, pattern)
    if necrosis and (1.0 - enhancing / core) * core * whole_ml < 2.5:
        return None
    return Recipe(
        side=side,
        lobe=site.lobe,
        site_mm=_point(rng, site, side),
        enhancement=pattern,
        core_ml=core * whole_ml,
        edema_ml=(1.0 - core) * whole_ml,
        enhancing_of_core=enhancing / core,
        necrosis=necrosis,
        midline_shift_mm=shift,
        irregularity=float(rng.uniform(0.3, 1.0)),
        blood=bool(rng.random() < 0.4),
    )


def _place(rng: np.random.Generator, aim: Aim) -> tuple[Side, Site | None]:
    """A side and a site that go together, or (side, None)."""
    side: Side = aim.side if aim.side is not None else _any(rng, ANY_SIDE)
    if aim.side is None and aim.lobe == "brainstem":
        side = "brainstem"
    if side == "brainstem":
        fits: tuple[Site, ...] = (BRAINSTEM_SITE,)
    else:
        fits = MIDLINE_SITES if side == "both" else SITES
    fits = tuple(site for site in fits if aim.lobe in (None, site.lobe))
    if not fits:
        return side, None
    lobe = _any(rng, tuple(dict.fromkeys(site.lobe for site in fits)))
    return side, _any(rng, tuple(site for site in fits if site.lobe == lobe))


def _shares(rng: np.random.Generator, aim: Aim) -> tuple[Enhancement, float, float] | None:
    """(pattern, core share, enhancing share) of the whole tumor, or None if they clash."""
    band = aim.enhancing
    pattern: Enhancement = aim.enhancement if aim.enhancement is not None else _any(rng, PATTERNS)
    if band is not None and (band == "<2") != (pattern == "none"):
        return None
    core = float(rng.uniform(0.12, 0.92))
    enhancing = core * float(rng.uniform(*OF_CORE[pattern]))
    low, high = ENHANCING_SHARE[band] if band is not None else (0.0, 1.0)
    if not low <= enhancing <= high:
        return None
    parts: dict[str, float] = {
        "core": core - enhancing,
        "edema": 1.0 - core,
        "enhancing": enhancing,
    }
    order = sorted(parts, key=lambda name: -parts[name])
    if parts[order[0]] < 1.15 * parts[order[1]]:
        return None
    return (pattern, core, enhancing) if aim.largest in (None, order[0]) else None


def _shift_mm(
    rng: np.random.Generator, aim: Aim, side: Side, site: Site, whole_ml: float
) -> float | None:
    """Signed shift of the septum: away from the tumor, or about none."""
    away = {"right": -1.0, "left": 1.0}.get(side, 0.0)
    if site.lobe in ("cerebellum", "brainstem"):
        away = 0.0
    wanted = {None: None, "none": 0.0, "left": -1.0, "right": 1.0}[aim.shift]
    if wanted is None:
        wanted = away if rng.random() < 0.5 else 0.0
    if wanted == 0.0:
        return float(rng.uniform(-0.8, 0.8))
    if wanted != away or whole_ml < 20.0:
        return None
    return wanted * float(rng.uniform(*SHIFT_MM))


def _necrotic(rng: np.random.Generator, pattern: Enhancement) -> bool:
    chance = {"none": 0.2, "rim": 0.9, "patchy": 0.5, "solid": 0.0}[pattern]
    return bool(rng.random() < chance)


def _point(rng: np.random.Generator, site: Site, side: Side) -> tuple[float, float, float]:
    x, y, z = (float(rng.uniform(*span)) for span in (site.x, site.y, site.z))
    return (-x if side == "left" else x, y, z)


def _any(rng: np.random.Generator, choices: tuple[Choice, ...]) -> Choice:
    return choices[int(rng.integers(len(choices)))]
