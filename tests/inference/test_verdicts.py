"""Verdicts follow their definitions, never from one ask, and say when they rest on few."""

from __future__ import annotations

import pytest

from inference.posteriors import pairs_by_order
from inference.verdicts import (
    DEFINITIONS,
    Verdict,
    laterality_verdict,
    picture_verdicts,
    position_shares,
    position_verdict,
)
from tests.inference.stated_records import always_first, in_every_order, made

SURE = (0.9, 0.05, 0.03, 0.02)
OTHER = (0.05, 0.9, 0.03, 0.02)


def holds(*verdicts: Verdict) -> list[bool | None]:
    return [verdict.holds for verdict in verdicts]


@pytest.mark.parametrize(
    ("blank", "expected"),
    [
        (SURE, [True, False]),
        ((0.86, 0.09, 0.03, 0.02), [True, False]),  # 0.04 apart
        ((0.84, 0.11, 0.03, 0.02), [False, False]),  # 0.06 apart, the same answer
        (OTHER, [False, True]),
    ],
)
def test_blind_or_driven(blank: tuple[float, ...], expected: list[bool]) -> None:
    pairs = pairs_by_order(in_every_order(SURE), in_every_order(blank))
    verdicts = picture_verdicts(pairs)
    assert holds(*verdicts) == expected
    assert all(verdict.small and verdict.count == 4 for verdict in verdicts)


def test_one_order_that_moves_is_not_blind() -> None:
    blank = [*in_every_order(SURE)[:3], made(OTHER, (3, 0, 1, 2))]
    pairs = pairs_by_order(in_every_order(SURE), blank)
    assert len(pairs) == 4
    assert holds(*picture_verdicts(pairs)) == [False, False]


def test_one_order_that_moves_far_is_not_averaged_away() -> None:
    blank = [*in_every_order(SURE)[:3], made((0.8, 0.15, 0.03, 0.02), (3, 0, 1, 2))]
    blind, _ = picture_verdicts(pairs_by_order(in_every_order(SURE), blank))
    assert blind.holds is False
    assert "same answer in 4 of 4 orders, total variation 0.025 (mean)" in blind.why


def test_one_pair_is_no_verdict() -> None:
    pairs = pairs_by_order([made(SURE)], [made(SURE)])
    assert holds(*picture_verdicts(pairs)) == [None, None]
    assert holds(position_verdict([made(SURE)])) == [None]
    assert holds(position_verdict([made(SURE), made(SURE)])) == [None]


def test_two_names_of_one_order_are_no_two_orders() -> None:
    twice = [made(SURE), made(SURE)]  # the file's shuffle may be the order it has already
    assert len(pairs_by_order(twice, twice)) == 1
    assert holds(*picture_verdicts(pairs_by_order(twice, twice))) == [None, None]
    sided = [made(SURE, options=SIDES), made(SURE, options=SIDES)]
    assert laterality_verdict(pairs_by_order(sided, sided)).holds is None


def test_without_probabilities_nothing_is_told() -> None:
    bare = [made(None, record.order, answer=record.answer) for record in in_every_order(SURE)]
    pairs = pairs_by_order(bare, bare)
    assert len(pairs) == 4
    assert holds(*picture_verdicts(pairs)) == [None, None]
    assert "no option probabilities" in picture_verdicts(pairs)[0].why


def test_position_bias_and_its_shares() -> None:
    biased = position_verdict(always_first())
    assert biased.holds
    assert "A 100 %" in biased.why and "4 different answers" in biased.why
    steady = in_every_order(SURE)
    assert position_verdict(steady).holds is False
    assert position_shares(steady) == {"A": 0.25, "B": 0.25, "C": 0.25, "D": 0.25}


SIDES = ("Right hemisphere", "Left hemisphere", "Both", "Neither")


@pytest.mark.parametrize(("mirrored", "flipped"), [(SURE, True), (OTHER, False)])
def test_laterality(mirrored: tuple[float, ...], flipped: bool) -> None:
    pairs = pairs_by_order(
        in_every_order(SURE, options=SIDES), in_every_order(mirrored, options=SIDES)
    )
    assert laterality_verdict(pairs).holds is flipped


def test_a_question_without_sides_has_no_laterality() -> None:
    sizes = ("1 cm", "2 cm", "3 cm", "4 cm")
    records = in_every_order(SURE, options=sizes)
    assert laterality_verdict(pairs_by_order(records, records)).holds is None
    both = in_every_order((0.0, 0.0, 1.0, 0.0), options=SIDES)
    assert laterality_verdict(pairs_by_order(both, both)).holds is None
    assert laterality_verdict(()).holds is None


def test_every_verdict_has_a_definition() -> None:
    for name, text in DEFINITIONS.items():
        assert Verdict(name, True, "").definition == text
