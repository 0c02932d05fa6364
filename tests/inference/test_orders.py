from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.errors import BadOrder
from inference.orders import (
    check_order,
    cyclic_orders,
    order_of_texts,
    original_order,
    shuffled_order,
)

sizes = st.integers(2, 9)


@given(sizes, st.integers(), st.text(max_size=8))
def test_a_shuffled_order_is_a_permutation_and_repeatable(n: int, seed: int, key: str) -> None:
    order = shuffled_order(n, seed, key)
    assert sorted(order) == list(range(n))
    assert order == shuffled_order(n, seed, key)


def test_a_shuffled_order_never_changes_between_versions() -> None:
    assert shuffled_order(4, 7, "12") == (1, 2, 0, 3)
    assert shuffled_order(4, 8, "12") == (0, 3, 1, 2)


def test_one_seed_spreads_the_first_option_evenly_over_questions() -> None:
    places = Counter(shuffled_order(4, 1, str(question)).index(0) for question in range(2000))
    assert all(400 < count < 600 for count in places.values())


@given(sizes)
def test_cyclic_orders_show_each_option_once_at_every_place(n: int) -> None:
    orders = cyclic_orders(n)
    assert orders[0] == original_order(n)
    for place in range(n):
        assert sorted(order[place] for order in orders) == list(range(n))


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_texts_shows_them(shown: list[str]) -> None:
    order = order_of_texts(["a", "b", "c", "d"], shown)
    assert ["abcd"[index] for index in order] == shown


def test_equal_texts_are_matched_from_the_left() -> None:
    assert order_of_texts(["a", "a", "b"], ["b", "a", "a"]) == (2, 0, 1)


@pytest.mark.parametrize("shown", [["a", "x"], ["a"], ["a", "a"]])
def test_other_texts_are_refused(shown: list[str]) -> None:
    with pytest.raises(BadOrder):
        order_of_texts(["a", "b"], shown)


@pytest.mark.parametrize("order", [(0, 0, 1), (0, 1), (1, 2, 3)])
def test_what_is_no_permutation_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(BadOrder, match=r"each of 0\.\.2 once"):
        check_order(order, 3)
