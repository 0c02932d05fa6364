"""Options that give nothing away, and truths that follow from the facts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.question_files import read_questions
from inference.question_kinds import (
    EXTENT_LOW_MM,
    EXTENT_STEP_MM,
    KINDS,
    Kind,
    kind_of,
    number_window,
)
from tests.inference.facts import PLAIN, any_facts

BY_NAME = {kind.name: kind for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@given(st.integers(0, 10_000))
def test_every_choice_is_well_formed(kind: Kind, seed: int) -> None:
    choice = kind.choose(any_facts(Random(seed)), Random(seed))
    if choice is None:
        return
    assert len(choice.options) in (2, 3, 4)
    assert len(set(choice.options)) == len(choice.options)
    assert 0 <= choice.truth < len(choice.options)
    assert all(option == option.strip() and "\n" not in option for option in choice.options)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_wordings_and_repeatability(kind: Kind) -> None:
    assert len(set(kind.stems)) == len(kind.stems) >= 3
    assert all(kind_of(stem) is kind for stem in kind.stems)
    assert kind.choose(PLAIN, Random(3)) == kind.choose(PLAIN, Random(3))


@given(st.integers(0, 87))
def test_a_list_of_numbers_is_the_same_for_each_truth_in_it(above: int) -> None:
    low, step = EXTENT_LOW_MM, EXTENT_STEP_MM
    window = number_window(low + above, low, step)
    assert window is not None
    numbers, place = window
    assert numbers[place] == low + above
    for other_place, other in enumerate(numbers):
        assert number_window(other, low, step) == (numbers, other_place)


def test_a_number_outside_the_range_is_not_asked() -> None:
    assert number_window(103, 15, 22) is None
    assert number_window(14, 15, 22) is None


def test_ranks_are_even_where_extents_are_even() -> None:
    windows = [number_window(n, EXTENT_LOW_MM, EXTENT_STEP_MM) for n in range(15, 15 + 88)]
    places = [window[1] for window in windows if window is not None]
    assert [places.count(place) for place in range(4)] == [22] * 4


def test_core_sizes_name_the_core_and_scale_evenly() -> None:
    choice = BY_NAME["core-dimension"].choose(PLAIN, Random(0))
    assert choice is not None
    assert choice.options[choice.truth] == "4.0 x 4.5 x 3.8 cm"


def test_digits_do_not_tell_the_core_size_on_a_grid_of_two_millimetres() -> None:
    facts = replace(PLAIN, core_extent_mm=(38.0, 44.0, 26.0))
    choice = BY_NAME["core-dimension"].choose(facts, Random(0))
    assert choice is not None
    assert choice.options[choice.truth] == "3.8 x 4.4 x 2.6 cm"
    for option in choice.options:
        assert all(int(side[-1]) % 2 == 0 for side in option.removesuffix(" cm").split(" x "))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_text_alone_does_not_tell_the_answer(kind: Kind) -> None:
    """Every list of options that occurs often occurs with each answer that the kind has."""
    truths: dict[tuple[str, ...], set[int]] = defaultdict(set)
    counts: dict[tuple[str, ...], int] = defaultdict(int)
    for seed in range(4000):
        choice = kind.choose(any_facts(Random(seed)), Random(seed))
        if choice is not None:
            truths[choice.options].add(choice.truth)
            counts[choice.options] += 1
    for options, count in counts.items():
        if count > 100:
            assert len(truths[options]) == min(kind.answers, len(options)), options


@pytest.mark.parametrize(
    ("name", "change", "answer"),
    [
        ("hemisphere", {}, "Right hemisphere"),
        ("hemisphere", {"right_share": 0.1, "side": "left"}, "Left hemisphere"),
        ("hemisphere", {"right_share": 0.5, "side": "both"}, "Equally in both hemispheres"),
        ("hemisphere", {"side": "brainstem"}, "Only in the brainstem"),
        ("hemisphere", {"right_share": 0.63}, None),
        ("lobe", {}, "Frontal lobe"),
        ("lobe", {"lobe_share": 0.4}, None),
        ("largest-compartment", {}, "Peritumoral edema or infiltrated tissue"),
        ("largest-compartment", {"volume_ml": {1: 23.2, 2: 27.8, 4: 0.2}}, None),
        ("enhancing-share", {}, "5 to 20 percent"),
        ("enhancing-share", {"enhancing_share": 0.0}, "Less than 2 percent"),
        ("enhancing-share", {"enhancing_share": 0.03}, None),
        ("enhancement-pattern", {"enhancement": "patchy"}, "Patchy enhancement"),
        ("left-right-extent", {}, "6.0 cm"),
        ("whole-volume", {}, "80 to 150 mL"),
        ("whole-volume", {"whole_ml": 75.0}, None),
        ("midline-shift", {}, "Shift to the patient's left"),
        ("midline-shift", {"midline_shift_mm": 5.0}, "Shift to the patient's right"),
        ("midline-shift", {"midline_shift_mm": 0.4}, "No midline shift"),
        ("midline-shift", {"midline_shift_mm": 2.0}, None),
        ("edema", {}, "More than 70 percent"),
        ("necrosis", {}, "Yes, a necrotic core"),
        ("midline-crossing", {}, "No, on one side only"),
        ("midline-crossing", {"right_share": 0.8}, "Yes, on both sides"),
    ],
)
def test_the_truth_follows_from_the_facts(
    name: str, change: dict[str, object], answer: str | None
) -> None:
    facts = replace(PLAIN, **change)  # type: ignore[arg-type]
    choice = BY_NAME[name].choose(facts, Random(0))
    assert (choice.options[choice.truth] if choice else None) == answer
    assert BY_NAME[name].usable(facts) == (answer is not None)


@pytest.mark.cases
def test_the_real_questions_have_these_very_words(cases_dir: Path) -> None:
    for name in ("questions.csv", "ucsf-questions.csv"):
        for question in read_questions(cases_dir / name).questions:
            kind = kind_of(question.stem)
            assert kind is not None
            assert question.stem == kind.stems[0]
            if kind.name != "left-right-extent":
                options = {
                    choice.options
                    for seed in range(50)
                    if (choice := kind.choose(any_facts(Random(seed)), Random(seed)))
                }
                assert set(question.options) in [set(each) for each in options]
