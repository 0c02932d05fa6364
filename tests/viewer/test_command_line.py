"""Numbers of the command line: within their bounds, or one sentence."""

from __future__ import annotations

from argparse import ArgumentTypeError

import pytest

from viewer.command_line import OneSentenceParser, real, whole
from viewer.errors import BadSetting


def test_numbers_within_their_bounds_are_read() -> None:
    assert [whole(1)("1"), whole(1)("7"), whole(0, 3)("3")] == [1, 7, 3]
    assert [real(0, 2)("0"), real(0, 2)("2"), real()("-1e3")] == [0.0, 2.0, -1000.0]


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "", "many", "nan", "1e400"])
def test_another_number_is_refused_with_what_came(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="whole number of at least 1, got") as refused:
        whole(1)(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "-0.1", "2.1", "hot"])
def test_a_real_number_is_finite_and_within_its_bounds(text: str) -> None:
    expected = f"expected a finite number of at least 0 and at most 2, got {text!r}"
    with pytest.raises(ArgumentTypeError, match=expected):
        real(0, 2)(text)


def test_the_sentence_names_the_argument_and_where_help_is() -> None:
    parser = OneSentenceParser(prog="app.py run")
    parser.add_argument("--repeats", type=whole(1))
    with pytest.raises(BadSetting) as refused:
        parser.parse_args(["--repeats", "0"])
    assert str(refused.value) == (
        "Argument --repeats: expected a whole number of at least 1, got '0'; see app.py run --help."
    )
