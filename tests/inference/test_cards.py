"""What the page says: escaped, with the truth only on request, unknown shown as unknown."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from inference.cards import (
    ablation_card,
    answer_card,
    picture_strip,
    problem_card,
    question_card,
    waiting_card,
)
from inference.pictures import Picture, freeze, pixel_hash
from inference.questions import Question

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
QUESTION = Question("7", "S-1", f"Which side? {HOSTILE}", ("Left", "Right", HOSTILE), 1)


def record(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "model": "fake",
        "revision": None,
        "dtype": None,
        "representation": "multi-slice",
        "seconds": 0.5,
        "options": ["Left", "Right", "Both"],
        "order": [2, 0, 1],
        "letters": ["A", "B", "C"],
        "answer": {"index": 0, "text": "Left", "status": "answered", "rule": "json"},
        "probabilities": [0.7, 0.2, 0.1],
        "letter_mass": 0.9,
        "truth": {"index": 1, "text": "Right"},
        "score": "wrong",
        "raw": "{}",
        "thinking": None,
        "generation": {"temperature": 0.0},
        "word_probabilities": None,
        "error": None,
    }
    return fields | changes


def options(html: str) -> list[str]:
    return [re.sub(r"<[^>]+>", " ", item) for item in re.findall(r"<li.*?</li>", html, re.S)]


def test_bars_stand_under_the_letters_that_were_sent() -> None:
    shown = [" ".join(text.split()) for text in options(answer_card(record(), True))]
    assert shown == ["10.0 % A Both", "70.0 % B Left answered", "20.0 % C Right ground truth"]


def test_a_record_that_was_asked_under_digits_is_shown_under_digits() -> None:
    html = answer_card(record(letters=["1", "2", "3"]), True)
    shown = [" ".join(text.split()) for text in options(html)]
    assert shown == ["10.0 % 1 Both", "70.0 % 2 Left answered", "20.0 % 3 Right ground truth"]


def test_the_truth_is_hidden_until_it_is_asked_for() -> None:
    html = answer_card(record(), False)
    assert "ground truth" not in html and "wrong" not in html and "truth" not in html
    assert ">wrong<" in answer_card(record(), True)
    assert "ground truth" not in question_card(QUESTION, (0, 1, 2), False)
    assert "ground truth" in question_card(QUESTION, (0, 1, 2), True)


@pytest.mark.parametrize(
    "html",
    [
        question_card(QUESTION, (2, 1, 0), True),
        answer_card(record(raw=HOSTILE, options=[HOSTILE, "b", "c"]), True),
        waiting_card(HOSTILE, HOSTILE),
        problem_card(HOSTILE),
        ablation_card(record(representation=HOSTILE), [record()], True),
    ],
)
def test_no_text_becomes_an_element(html: str) -> None:
    assert "<img" not in html and "<script" not in html
    assert "&lt;img" in html


def test_missing_probabilities_are_said_and_not_made_up() -> None:
    html = answer_card(record(probabilities=None, letter_mass=None), True)
    assert "not available from this model" in html
    assert "%" not in "".join(options(html))


def test_little_mass_on_the_letters_is_said() -> None:
    assert "bars mean little" in answer_card(record(letter_mass=0.2), True)
    assert "bars mean little" not in answer_card(record(letter_mass=0.8), True)


def test_a_failed_ask_says_why_and_is_no_wrong_answer() -> None:
    failed = record(
        answer={"index": None, "text": None, "status": "error", "rule": "error"},
        score="error",
        probabilities=None,
        error="The server takes at most 1 picture.",
    )
    html = answer_card(failed, True)
    assert "at most 1 picture" in html and ">wrong<" not in html


def test_the_same_answer_without_the_image_is_said() -> None:
    blank = record(representation="blank")
    other = record(
        representation="text-only",
        answer={"index": 1, "text": "Right", "status": "answered", "rule": "json"},
    )
    assert "Same answer without the image (blank)." in ablation_card(
        record(), [blank, other], False
    )
    assert "the answer is another one" in ablation_card(record(), [other], False)
    refused = record(answer={"index": None, "text": None, "status": "refused", "rule": "refusal"})
    assert "Same answer" not in ablation_card(refused, [blank], False)


def test_the_strip_shows_the_very_pixels() -> None:
    import base64
    import io

    from PIL import Image

    pixels = freeze(np.random.default_rng(0).integers(0, 255, (8, 9, 3)).astype(np.uint8))
    digest = pixel_hash(pixels)
    picture = Picture(pixels, "Axial T1", "T1", "axial", 3, (0.0, 1.0), "radiological", digest)
    html = picture_strip([picture], None, "")
    data = re.search(r"data:image/png;base64,([^\"]+)", html)
    assert data and digest in html
    shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(data[1]))))
    np.testing.assert_array_equal(shown, pixels)


def test_thinking_stands_apart_and_a_disagreement_is_said() -> None:
    html = answer_card(record(thinking="Let me <b>look</b>."), True)
    assert '<details class="thinking">' in html and "<b>look" not in html
    assert "Disagreement" not in html
    ranked = answer_card(record(word_probabilities=[0.1, 0.2, 0.7]), True)
    assert "Disagreement: the options&#39; own words rank" in ranked
