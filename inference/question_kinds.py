"""The kinds of question that the demo studies ask and the demo model learns.

A kind is a row of `KINDS`. Its options are made so that only the picture can
tell which one is right: a fixed list holds the same options whoever is asked,
and a list of numbers is the same list for every study whose truth stands in
it (`number_window`). What is left to guess from is how often each answer
occurs among lists that look alike; `Choice.answer_class` and `Choice.list_class`
are there to balance exactly that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the synthesis is not needed to know a question's kind
    from viewer.synthesis.facts import LesionFacts

CLEAR_LEAD = 1.25
"""The largest compartment must be that much larger than the next to be asked for."""

SHARE_BINS = ((0.0, 0.02), (0.05, 0.20), (0.25, 0.45), (0.50, 1.0))
VOLUME_BINS_ML = ((0.0, 25.0), (30.0, 70.0), (80.0, 150.0), (170.0, 10_000.0))
EDEMA_BINS = ((0.0, 0.15), (0.25, 0.45), (0.50, 0.65), (0.70, 1.0))
"""Answers with gaps between them: a study that falls into a gap is not asked."""

EXTENT_LOW_MM, EXTENT_STEP_MM = 15, 22
"""Extents of 1.5 to 10.3 cm in four steps of 2.2 cm, as real question files have them."""

SIZE_LOW_CM, SIZE_RATIO = 2.0, 1.4
"""Mean core diameters of 2.0 to 7.7 cm in four steps of two fifths more each."""

LIST_PARTS = 4
"""Lists of numbers that begin within the same quarter of a step look alike."""

BOTH_SIDES, ONE_SIDE = 0.60, 0.65
"""Share of the tumor on its larger side: up to the first it lies equally in both
hemispheres, from the second most of it lies in one."""

CROSSING = (0.01, 0.08)
"""Share on the smaller side: at most the first is one side only, from the second on both."""

CLEAR_LOBE = 0.6
"""Share of the core that must lie in its lobe."""

SHIFT_MM = (1.5, 3.0)
"""Below the first there is no midline shift, above the second there is one."""

LOBES = {
    "frontal": "Frontal lobe",
    "parietal": "Parietal lobe",
    "temporal": "Temporal lobe",
    "occipital": "Occipital lobe",
    "insula": "Insula",
    "deep": "Deep gray matter",
    "cerebellum": "Cerebellum",
    "brainstem": "Brainstem",
}


@dataclass(frozen=True)
class Choice:
    """Options in their natural order, the right one's index, and what to balance over.

    `answer_class` is to be even among the choices of one `list_class`: a list
    of small numbers must not have its last one right more often than its first.
    """

    options: tuple[str, ...]
    truth: int
    answer_class: str
    list_class: str = ""


Choose = Callable[["LesionFacts", Random], Choice | None]


@dataclass(frozen=True)
class Kind:
    """A row: `stems` holds wordings, the first is the benchmark's own.

    `choose(facts, rng)` gives the options, or None where the study lies too
    near a border to be asked. `answers` is how many different answers the
    kind really has: guessing cannot be right more often than one time in that
    many when they are balanced.
    """

    name: str
    category: str
    stems: tuple[str, ...]
    choose: Choose
    answers: int = 4

    def usable(self, facts: LesionFacts) -> bool:
        """Whether the study can be asked this without dispute."""
        return self.choose(facts, Random(0)) is not None


def _listed(options: tuple[str, ...], truth: Callable[[LesionFacts], int | None]) -> Choose:
    def choose(facts: LesionFacts, rng: Random) -> Choice | None:
        index = truth(facts)
        return None if index is None else Choice(options, index, options[index])

    return choose


def _binned(bins: tuple[tuple[float, float], ...], value: float) -> int | None:
    inside = (n for n, (low, high) in enumerate(bins) if low <= value < high)
    return next(inside, None)


def _largest(facts: LesionFacts) -> int | None:
    volumes = [facts.volume_ml[label] for label in (2, 1, 4)]
    first, second = sorted(volumes, reverse=True)[:2]
    return volumes.index(first) if first >= CLEAR_LEAD * second else None


def _shift_side(facts: LesionFacts) -> int | None:
    shift = facts.midline_shift_mm
    if abs(shift) < SHIFT_MM[0]:
        return 0
    if abs(shift) < SHIFT_MM[1]:
        return None
    return 1 if shift > 0 else 2


def _hemisphere(facts: LesionFacts) -> int | None:
    larger = max(facts.right_share, 1 - facts.right_share)
    if facts.side == "brainstem":
        return 3
    if larger <= BOTH_SIDES:
        return 2
    if larger < ONE_SIDE:
        return None
    return 0 if facts.right_share > 0.5 else 1


def _crossing(facts: LesionFacts) -> int | None:
    smaller = round(min(facts.right_share, 1 - facts.right_share), 3)
    if smaller >= CROSSING[1]:
        return 0
    return 1 if smaller <= CROSSING[0] else None


def _lobe(facts: LesionFacts, rng: Random) -> Choice | None:
    if facts.lobe_share < CLEAR_LOBE:
        return None
    others = rng.sample([name for name in LOBES if name != facts.lobe], 3)
    shown = [name for name in LOBES if name in (facts.lobe, *others)]
    return Choice(tuple(LOBES[name] for name in shown), shown.index(facts.lobe), LOBES[facts.lobe])


def number_window(
    value: int, low: int, step: int, count: int = 4
) -> tuple[tuple[int, ...], int] | None:
    """The `count` numbers, `step` apart, that `value` stands among, and its place.

    The numbers lie in [low, low + count * step): each of them, as a truth,
    would have given the same list, so the list says nothing about which it is.
    None for a value outside, whose list would tell that it lies there.
    """
    place = (value - low) // step
    if not 0 <= place < count:
        return None
    return tuple(value + step * (n - place) for n in range(count)), place


def _list_class(beyond: float) -> str:
    """Which part of a step, 0..1, a list of numbers begins beyond its lowest possible start."""
    return f"part {int(beyond % 1.0 * LIST_PARTS) + 1}"


def _extent(axis: int) -> Choose:
    def choose(facts: LesionFacts, rng: Random) -> Choice | None:
        size = round(facts.whole_extent_mm[axis])
        window = number_window(size, EXTENT_LOW_MM, EXTENT_STEP_MM)
        if window is None:
            return None
        numbers, place = window
        options = tuple(f"{n / 10:.1f} cm" for n in numbers)
        beyond = (size - EXTENT_LOW_MM) / EXTENT_STEP_MM
        return Choice(options, place, f"rank {place + 1}", _list_class(beyond))

    return choose


def _step(sides: list[float]) -> float:
    """2 mm where all sides (cm) are multiples of it, else 1 mm: digits must not tell the truth."""
    return 0.2 if all(round(side * 10) % 2 == 0 for side in sides) else 0.1


def _core_size(facts: LesionFacts, rng: Random) -> Choice | None:
    sides = [side / 10 for side in facts.core_extent_mm]
    beyond = log((sides[0] * sides[1] * sides[2]) ** (1 / 3) / SIZE_LOW_CM) / log(SIZE_RATIO)
    if min(sides) < 0.3 or not 0.0 <= beyond < 4.0:
        return None
    place = int(beyond)
    scales = [SIZE_RATIO ** (n - place) for n in range(4)]
    step = _step(sides)
    options = tuple(
        " x ".join(f"{round(side * scale / step) * step:.1f}" for side in sides) + " cm"
        for scale in scales
    )
    if len(set(options)) < 4:
        return None
    return Choice(options, place, f"rank {place + 1}", _list_class(beyond))


KINDS: tuple[Kind, ...] = (
    Kind(
        "hemisphere",
        "location",
        (
            "In which hemisphere does most of the tumor lie?",
            "Which hemisphere holds most of the tumor?",
            "Where does the larger part of the tumor lie?",
        ),
        _listed(
            (
                "Right hemisphere",
                "Left hemisphere",
                "Equally in both hemispheres",
                "Only in the brainstem",
            ),
            _hemisphere,
        ),
    ),
    Kind(
        "lobe",
        "location",
        (
            "In which part of the brain is the tumor core centered?",
            "Where is the tumor core located?",
            "Which region holds the center of the tumor core?",
        ),
        _lobe,
        answers=len(LOBES),
    ),
    Kind(
        "largest-compartment",
        "composition",
        (
            "Which tumor compartment is the largest by volume?",
            "What makes up most of the tumor's volume?",
            "Which part of the tumor takes the most room?",
        ),
        _listed(
            (
                "Peritumoral edema or infiltrated tissue",
                "Necrotic or non-enhancing tumor core",
                "Enhancing tumor",
                "Blood products",
            ),
            _largest,
        ),
        answers=3,
    ),
    Kind(
        "enhancing-share",
        "enhancement",
        (
            "What share of the whole tumor volume enhances with contrast?",
            "How much of the whole tumor takes up contrast?",
            "What part of the whole tumor volume is enhancing tumor?",
        ),
        _listed(
            (
                "Less than 2 percent",
                "5 to 20 percent",
                "25 to 45 percent",
                "More than 50 percent",
            ),
            lambda facts: _binned(SHARE_BINS, facts.enhancing_share),
        ),
    ),
    Kind(
        "enhancement-pattern",
        "enhancement",
        (
            "What is the pattern of contrast enhancement?",
            "How does the tumor enhance after contrast?",
            "Which enhancement does the tumor show on T1 with contrast?",
        ),
        _listed(
            (
                "No enhancement",
                "Rim enhancement",
                "Solid enhancement",
                "Patchy enhancement",
            ),
            lambda facts: ("none", "rim", "solid", "patchy").index(facts.enhancement),
        ),
    ),
    Kind(
        "left-right-extent",
        "size",
        (
            "What is the greatest left-to-right extent of the whole tumor, edema included, in cm?",
            "How wide is the whole tumor from left to right, edema included?",
            "What does the whole tumor measure from left to right, edema included?",
        ),
        _extent(0),
    ),
    Kind(
        "whole-volume",
        "size",
        (
            "What is the volume of the whole tumor, edema included?",
            "How large is the whole tumor by volume, edema included?",
            "Which volume does the whole tumor have, edema included?",
        ),
        _listed(
            ("Less than 25 mL", "30 to 70 mL", "80 to 150 mL", "More than 170 mL"),
            lambda facts: _binned(VOLUME_BINS_ML, facts.whole_ml),
        ),
    ),
    Kind(
        "core-dimension",
        "size",
        (
            "What is the DIMENSION of the tumor core (left-right x front-back x top-bottom)?",
            "What are the three diameters of the tumor core (left-right x front-back x "
            "top-bottom)?",
            "How large is the tumor core (left-right x front-back x top-bottom)?",
        ),
        _core_size,
    ),
    Kind(
        "midline-shift",
        "mass effect",
        (
            "Is the midline shifted, and to which side?",
            "To which side is the midline displaced?",
            "Does the tumor push the midline?",
        ),
        _listed(
            (
                "No midline shift",
                "Shift to the patient's right",
                "Shift to the patient's left",
            ),
            _shift_side,
        ),
        answers=3,
    ),
    Kind(
        "edema",
        "edema",
        (
            "What share of the whole tumor volume is peritumoral edema?",
            "How much of the whole tumor is edema?",
            "Which part of the whole tumor volume is edema or infiltrated tissue?",
        ),
        _listed(
            (
                "Less than 15 percent",
                "25 to 45 percent",
                "50 to 65 percent",
                "More than 70 percent",
            ),
            lambda facts: _binned(EDEMA_BINS, facts.edema_share),
        ),
    ),
    Kind(
        "necrosis",
        "composition",
        (
            "Does the tumor have a necrotic core?",
            "Is there necrosis inside the tumor?",
            "Is a necrotic center seen in the tumor?",
        ),
        _listed(
            ("Yes, a necrotic core", "No necrotic core"),
            lambda facts: 0 if facts.necrosis else 1,
        ),
        answers=2,
    ),
    Kind(
        "midline-crossing",
        "location",
        (
            "Does the tumor cross the midline?",
            "Does the tumor reach into the other hemisphere?",
            "Is tumor or edema seen on both sides of the midline?",
        ),
        _listed(("Yes, on both sides", "No, on one side only"), _crossing),
        answers=2,
    ),
)


def kind_of(stem: str) -> Kind | None:
    """The kind that asks `stem` in one of its wordings, or None."""
    return next((kind for kind in KINDS if stem in kind.stems), None)
