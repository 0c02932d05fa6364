"""What a link asks for: known parts are taken, each unknown one costs a sentence and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.links import linkable, read_link
from inference.questions import Question

QUESTIONS = (
    Question("7", "S-1", "Which side?", ("Left", "Right"), 0),
    Question("8", "S-2", "Which lobe?", ("Frontal", "Parietal"), 0),
)
GOOD = {"study": "S-1", "question": "7", "representation": "montage", "model": "fake:B"}
MODELS = ("fake:B", "demo-gemma3-vlm")


def test_a_good_link_is_taken_whole() -> None:
    link = read_link(GOOD, ["S-1", "S-2"], QUESTIONS, MODELS)
    assert (link.question, link.representation, link.model) == ("7", "montage", "fake:B")
    assert link.problems == ()
    assert read_link({}, ["S-1"], QUESTIONS, MODELS).problems == ()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("question", "8"),  # asked about another study
        ("representation", "hologram"),
        ("model", "/home/someone/weights"),
        ("model", "server:https://elsewhere"),
    ],
)
def test_one_wrong_part_costs_one_sentence(part: str, value: str) -> None:
    link = read_link({**GOOD, part: value}, ["S-1", "S-2"], QUESTIONS, MODELS)
    (sentence,) = link.problems
    assert value in sentence
    assert getattr(link, part) is None
    others = {"question", "representation", "model"} - {part}
    assert all(getattr(link, other) == GOOD[other] for other in others)


def test_no_place_on_this_machine_stands_in_a_link(tmp_path: Path) -> None:
    listed = ["demo-gemma3-vlm", "Qwen/Qwen3-8B", "fake:B"]
    assert linkable([*listed, str(tmp_path), "owner/name"]) == listed


def test_a_question_of_an_unknown_study_is_left_to_the_studys_sentence() -> None:
    link = read_link({**GOOD, "study": "S-9"}, ["S-1"], QUESTIONS, MODELS)
    assert (link.question, link.problems) == (None, ())
    assert link.model == "fake:B"


@given(st.dictionaries(st.sampled_from(sorted(GOOD)), st.text(max_size=200)))
def test_no_link_breaks_the_page(asked: dict[str, str]) -> None:
    link = read_link(asked, ["S-1"], QUESTIONS, MODELS)
    assert len(link.problems) <= 3
    assert all(len(sentence) < 250 for sentence in link.problems)
