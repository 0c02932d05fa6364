"""Replies and their right outcome: no wrong letter, no guess."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.markers import Offered
from inference.parsing import RULES, parse

TABLE = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))
LOBES = tuple(TABLE["options"]["lobes"])
STATUSES = {"answered", "unparsed", "conflict", "refused", "no answer", "unfinished", "error"}


def offered(
    options: tuple[str, ...] = LOBES,
    order: tuple[int, ...] | None = None,
    letters: str = "ABCD",
) -> Offered:
    """`options` in their original order, shown in `order`."""
    order = order or tuple(range(len(options)))
    shown = tuple(options[index] for index in order)
    return Offered(shown, tuple(letters[: len(options)]), order)


def letter(index: int | None) -> str | None:
    return None if index is None else "ABCD"[index]


@pytest.mark.parametrize("row", TABLE["replies"], ids=lambda row: repr(row["reply"])[:60])
def test_every_reply_of_the_table(row: dict[str, Any]) -> None:
    options = tuple(TABLE["options"][row["options"]])
    shown = offered(options, letters=row.get("letters", "ABCD"))
    answer = parse(row["reply"], shown, row.get("finish", "stop"))
    assert (answer.status, letter(answer.index)) == (row["status"], row["answer"])
    assert letter(answer.marker_index) == row.get("marker")
    assert answer.text == (None if answer.index is None else options[answer.index])


def test_the_table_is_large_and_covers_every_status() -> None:
    assert len(TABLE["replies"]) >= 120
    assert {row["status"] for row in TABLE["replies"]} == STATUSES - {"error"}


WRAPPERS = (
    "{}", "{}.", "({})", "**{}**", "Answer: {}", "ANSWER: {}\n", "The answer is {}.",
    '{{"answer": "{}", "reason": "bright"}}', "```json\n{{\"answer\": \"{}\"}}\n```",
    "<answer>{}</answer>", "\\boxed{{{}}}", "<think>A? B? C? D?</think>{}",
    "<unused94>thought\nD or A<unused95>The answer is {}", "I would choose {}.",
)  # fmt: skip


@given(st.permutations(range(4)), st.integers(0, 3), st.sampled_from(WRAPPERS))
def test_a_letter_means_what_the_order_bound_it_to(
    order: list[int], position: int, wrapper: str
) -> None:
    answer = parse(wrapper.format("ABCD"[position]), offered(order=tuple(order)))
    assert (answer.status, answer.index) == ("answered", order[position])


@given(st.permutations(range(4)), st.integers(0, 3), st.sampled_from(WRAPPERS))
def test_an_options_words_mean_that_option_in_any_order(
    order: list[int], index: int, wrapper: str
) -> None:
    answer = parse(wrapper.format(LOBES[index]), offered(order=tuple(order)))
    assert (answer.status, answer.index) == ("answered", index)


@given(st.permutations(range(4)), st.integers(0, 3), st.integers(0, 3))
def test_a_marker_with_other_words_is_a_conflict_graded_by_the_words(
    order: list[int], position: int, index: int
) -> None:
    answer = parse(f"{'ABCD'[position]}) {LOBES[index]}", offered(order=tuple(order)))
    assert answer.index == index
    agrees = order[position] == index
    assert answer.status == ("answered" if agrees else "conflict")
    assert answer.marker_index == (None if agrees else order[position])


@given(st.text(max_size=200))
def test_any_text_has_one_outcome_and_the_same_twice(text: str) -> None:
    answer = parse(text, offered())
    assert answer == parse(text, offered())
    assert answer.status in STATUSES
    assert (answer.index is not None) == (answer.status in ("answered", "conflict"))


WORDS = st.sampled_from(
    ["the", "lesion", "a", "A", "an", "is", "tumor", "bright", "on", "FLAIR", "T1", "T2", "and",
     "I", "see", "image", "brain", "of", "it", "4.1", "cm,", "with"]
)  # fmt: skip


@given(st.lists(WORDS, min_size=2, max_size=30))
def test_prose_without_an_option_names_none(words: list[str]) -> None:
    assert parse(" ".join(words), offered()).index is None


@given(st.sampled_from(TABLE["replies"]))
def test_an_open_thought_is_never_an_answer(row: dict[str, Any]) -> None:
    for opening in ("<think>", "<unused94>thought\n"):
        if not any(mark in row["reply"] for mark in ("think", "unused")):
            assert parse(opening + row["reply"], offered()).status == "unfinished"


def test_a_hundred_apologies_are_a_hundred_unparsed() -> None:
    answers = {parse("Sorry, I can't recognize the image", offered()) for _ in range(100)}
    assert {answer.status for answer in answers} == {"unparsed"}
    assert len(answers) == 1


def test_a_failed_reply_is_an_error_whatever_it_says() -> None:
    assert parse("The answer is B", offered(), "error").status == "error"


def test_the_rule_that_fired_is_named() -> None:
    names = {name for name, _ in RULES} | {"json", "boxed", "answer tag", "declaration"}
    assert {parse(row["reply"], offered()).rule for row in TABLE["replies"]} <= names
    assert parse('{"answer": "B"}', offered()).rule == "json"
    assert parse("Answer: B", offered()).rule == "declaration"
    assert parse("B", offered()).rule == "lone marker or option"


PIECES = ["{", "x ", "and ", "answer: ", "<think>", "A) ", '{"a":', "* \n", "left frontal ",
          "doubt the answer is A. ", "Answer: A, but not ", "it is B\n"]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_long_replies_are_read_in_no_time(piece: str) -> None:
    started = perf_counter()
    parse(piece * (20_000 // len(piece)), offered())
    assert perf_counter() - started < 60.0


ASIDES = (
    "Option {letter} is unlikely.", "{text} is not seen here.", "We can rule out {text}.",
    "{letter}) {text}: unlikely.", "- {letter}: {text} does not fit.", "It isn't {text}.",
    "There is no evidence of {text}.", "One might think of {text}, but this is wrong.",
    "A large mass is visible.", "{text} would look different.", "Look at T2.",
    "Is it {text}?", "Step 1. Let me see.", "I do not think the answer is {letter}.",
    "It is not clear whether the answer is {letter}.", "I doubt that the answer is {text}.",
    "The least likely answer is {letter}.", "Wrong answer: {letter}) {text}", "{letter} is wrong.",
    "I don't think I would choose {letter}.", "If it enhances, the answer is {letter}.",
    "Others said the answer is {text}.", "The incorrect choice is {letter}: {text}.",
)  # fmt: skip
CONCLUSIONS = (
    "The answer is {letter}.", "**Answer: {letter}) {text}**", "So the correct answer is {text}.",
    "Therefore, {letter}.", '{{"answer": "{letter}"}}', "{text}", "{letter}", "{letter}) {text}",
    "The tumor shows {text}.", "I would go with option {letter}: {text}.", "\\boxed{{{letter}}}",
)  # fmt: skip
OPTION_SETS = [tuple(TABLE["options"][name]) for name in ("lobes", "cm", "share", "who", "yesno")]


@st.composite
def discussions(draw: st.DrawFn) -> tuple[tuple[str, ...], int, str]:
    """Options, the index that is concluded, and a reply that speaks of others before."""
    options = draw(st.sampled_from(OPTION_SETS))
    right = draw(st.integers(0, len(options) - 1))
    others = st.sampled_from([index for index in range(len(options)) if index != right])
    sentences = [
        draw(st.sampled_from(ASIDES)).format(letter="ABCD"[other], text=options[other])
        for other in draw(st.lists(others, max_size=4))
    ]
    last = draw(st.sampled_from(CONCLUSIONS)).format(letter="ABCD"[right], text=options[right])
    return options, right, draw(st.sampled_from([" ", "\n", "\n\n"])).join([*sentences, last])


@given(discussions())
def test_what_is_said_of_other_options_is_never_the_answer(
    discussion: tuple[tuple[str, ...], int, str],
) -> None:
    options, right, reply = discussion
    assert parse(reply, offered(options)).index in (right, None)


@given(st.lists(st.tuples(st.sampled_from(ASIDES), st.integers(0, 3)), min_size=1, max_size=4))
def test_denials_alone_name_nothing(asides: list[tuple[str, int]]) -> None:
    sentences = [aside.format(letter="ABCD"[n], text=LOBES[n]) for aside, n in asides]
    assert parse(" ".join(sentences), offered()).index is None
