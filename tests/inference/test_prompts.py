from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.errors import BadOrder, UnusableQuestion
from inference.pictures import Picture, pixel_hash
from inference.prompts import PromptStyle, build_prompt
from inference.questions import Question
from viewer.planes import Convention

QUESTION = Question("1", "S-1", "Where is {it}?", ("Left {0}", "Right", "Both"), 0)
ORDER = (2, 0, 1)
STYLE = PromptStyle()


def picture(grey: int, convention: Convention = "radiological") -> Picture:
    pixels = np.full((4, 4, 3), grey, dtype=np.uint8)
    return Picture(
        pixels, f"SLICE {grey}", "FLAIR", "axial", grey, (0.0, 1.0), convention, pixel_hash(pixels)
    )


def test_instruction_then_each_picture_with_its_caption_then_the_question() -> None:
    one, two = picture(1), picture(2)
    (message,) = build_prompt(QUESTION, ORDER, [one, two], STYLE).messages
    assert message.role == "user"
    first, *middle, last = message.parts
    assert isinstance(first, str)
    assert first.startswith(STYLE.instruction)
    assert middle == [one, "SLICE 1", two, "SLICE 2"]
    assert isinstance(last, str)
    assert last.splitlines() == [
        "Where is {it}?", "A) Both", "B) Left {0}", "C) Right", STYLE.request
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "expected"),
    [("before", ["SLICE 1", "<picture>"]), ("none", ["<picture>"])],
)
def test_the_captions_place_is_the_models(place: str, expected: list[str]) -> None:
    style = PromptStyle(caption_place=place)  # type: ignore[arg-type]
    parts = build_prompt(QUESTION, ORDER, [picture(1)], style).messages[0].parts[1:-1]
    assert ["<picture>" if isinstance(part, Picture) else part for part in parts] == expected


def test_without_pictures_only_the_pictures_words_are_gone() -> None:
    without = build_prompt(QUESTION, ORDER, [], STYLE)
    with_picture = build_prompt(QUESTION, ORDER, [picture(1)], STYLE)
    assert without.pictures == ()
    assert all(isinstance(part, str) for part in without.messages[0].parts)
    assert without.messages[0].parts[0] == STYLE.instruction
    assert without.messages[0].parts[-1] == with_picture.messages[0].parts[-1]


@pytest.mark.parametrize(
    ("convention", "side"), [("radiological", "left"), ("neurological", "right")]
)
def test_the_sides_are_said_as_they_are_drawn(convention: Convention, side: str) -> None:
    prompt = build_prompt(QUESTION, ORDER, [picture(1, convention=convention)], STYLE)
    assert f"patient's right is on the {side}" in prompt.text


def test_digits_and_option_first() -> None:
    style = PromptStyle(marks="digits", option="{text} ({mark})")
    prompt = build_prompt(QUESTION, ORDER, [], style)
    assert prompt.letters == ("1", "2", "3")
    assert "Left {0} (2)" in prompt.text
    assert '"<digit>"' in prompt.text


@given(st.permutations(range(3)))
def test_letters_options_and_order_belong_together(order: list[int]) -> None:
    prompt = build_prompt(QUESTION, tuple(order), [], STYLE)
    for letter, shown, index in zip(
        prompt.letters, prompt.options_shown, prompt.order, strict=True
    ):
        assert shown == QUESTION.options[index]
        assert f"{letter}) {shown}" in prompt.text


def test_the_text_says_where_pictures_stand() -> None:
    text = build_prompt(QUESTION, ORDER, [picture(1), picture(2)], STYLE).text
    assert text.index("<picture 1>") < text.index("SLICE 1") < text.index("<picture 2>")


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(UnusableQuestion, match="question 1"):
        build_prompt(Question("1", "S", "Where?", (), None), (), [], STYLE)
    with pytest.raises(BadOrder):
        build_prompt(QUESTION, (0, 1), [], STYLE)
