"""Whatever a model, a file or a user writes, a parser answers or abstains; it never breaks."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.choices import cyclic_names, order_of
from inference.errors import BadOrder
from inference.markers import Offered
from inference.matching import study_key
from inference.models.server_replies import piece_of, scores_of
from inference.option_lists import option_run, split_options
from inference.orders import cyclic_orders, order_of_texts, shuffled_order
from inference.parsing import parse
from inference.questions import Question

PIECES = st.sampled_from([
    "A", "B", "Z", "7", "(", ")", ".", ":", "\n", " ", "**", "Answer:", "the answer is", "not",
    "Left", "Right", "{", "}", '"answer": ', "\\boxed{", "<think>", "</think>", "<answer>",
    "</answer>", "<unused94>", "I would choose", "or", "none of the above", "1)", "2)", "\ud800",
    "\0", "\u202e", "ﬁ", "Ⅳ", "'", "```", "option", "is correct",
])  # fmt: skip
REPLIES = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join))
OPTIONS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20), min_size=2,
    max_size=26, unique=True,
)  # fmt: skip
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["choices", "delta", "content", "usage", "logprobs", "top_logprobs",
                         "token", "logprob", "error", "message", "finish_reason",
                         "completion_tokens", "x"]), inner, max_size=4),
    max_leaves=25,
)  # fmt: skip


@given(REPLIES, OPTIONS, st.randoms(use_true_random=False), st.sampled_from(["stop", "length"]))
@settings(deadline=None)
def test_a_letter_that_was_not_offered_is_never_the_answer(
    reply: str, options: list[str], chance: object, finish: str
) -> None:
    order = shuffled_order(len(options), 1, "q")
    shown = tuple(options[index] for index in order)
    offered = Offered(shown, tuple(LETTERS[: len(options)]), order)
    answer = parse(reply, offered, finish)  # type: ignore[arg-type]
    if answer.index is None:
        assert answer.text is None
    else:
        assert answer.text == options[answer.index]
    assert answer.marker_index is None or 0 <= answer.marker_index < len(options)


LONG = ("(", "*", "A) ", "{", '{"answer":', "<answer>", "\\boxed{", "Answer: ", " ", "\n", "not ",
        "Left ", "I cannot ", "is correct ", "1) ", "as an AI ", "```", "<think>", "A", "- ",
        "a.")  # fmt: skip


@pytest.mark.parametrize("piece", LONG)
def test_a_long_reply_is_read_in_a_moment(piece: str) -> None:
    offered = Offered(("Left", "Right"), ("A", "B"), (0, 1))
    started = perf_counter()
    parse(piece * (5_000 // len(piece)), offered, "stop")
    assert perf_counter() - started < 60


@given(st.text(max_size=400) | st.lists(PIECES, max_size=80).map("".join))
@settings(deadline=None)
def test_options_are_parts_of_their_question(text: str) -> None:
    stem, options = split_options(text)
    assert len(options) != 1
    squeezed = " ".join(text.split())
    assert " ".join(stem.split()) in squeezed
    assert all(" ".join(option.split()) in squeezed for option in options)
    assert [marker.number for marker in option_run(text)] == list(range(1, len(options) + 1))


def test_a_question_of_markers_is_read_in_a_moment() -> None:
    started = perf_counter()
    for text in ("1) " * 40_000, "2) " * 40_000, "1) 2) " * 20_000, "(" * 100_000 + " 1) a 2) b"):
        split_options(text)
    assert perf_counter() - started < 60


@given(st.integers(2, 26), st.integers(), st.text())
def test_an_order_is_a_permutation(count: int, seed: int, key: str) -> None:
    order = shuffled_order(count, seed, key.encode("utf-8", "replace").decode())
    assert sorted(order) == list(range(count))
    turned = cyclic_orders(count)
    assert [sorted(each) for each in turned] == [list(range(count))] * count
    assert len(cyclic_names(count)) == len(turned)


@given(OPTIONS, st.text(max_size=20))
def test_an_order_by_name_is_one_or_refused(options: list[str], name: str) -> None:
    question = Question("1", "s", "?", tuple(options), None)
    try:
        order = order_of(question, name)
    except BadOrder as error:
        assert str(error).startswith("Expected ")
    else:
        assert sorted(order) == list(range(len(options)))


@given(OPTIONS, st.randoms(use_true_random=False))
def test_an_order_of_texts_gives_them_back(options: list[str], chance: object) -> None:
    order = shuffled_order(len(options), 7, "x")
    assert order_of_texts(options, [options[index] for index in order]) == order


@given(st.text(max_size=60) | st.from_regex(r"ucsf-pdgm-0*\d{1,9000}(_nifti)?", fullmatch=True))
@settings(deadline=None)
def test_a_study_key_is_its_own_key(name: str) -> None:
    assert study_key(study_key(name)) == study_key(name)


@given(JSON)
@settings(deadline=None)
def test_a_server_may_send_anything(value: object) -> None:
    import json

    piece = piece_of("data: " + json.dumps(value))
    if piece is not None:
        assert isinstance(piece.text, str) and isinstance(piece.thinking, str)
    scores = scores_of(value, ("A", "B"))
    if scores is not None:
        assert sum(scores.probabilities) == pytest.approx(1.0)
