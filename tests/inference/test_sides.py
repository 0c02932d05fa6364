from __future__ import annotations

import pytest

from inference.questions import Question
from inference.sides import mirrored_options, mirrored_question


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("Right hemisphere", "Left hemisphere", "Both"), (1, 0, 2)),
        (("left frontal", "Right temporal", "Left temporal", "RIGHT FRONTAL"), (3, 2, 1, 0)),
        (("Yes", "No"), None),
        (("Right frontal", "Left temporal"), None),  # no mirror image among the options
        (("Brightly enhancing", "Not enhancing"), None),  # "right" inside a word
    ],
)
def test_options_and_their_mirror_images(
    options: tuple[str, ...], expected: tuple[int, ...] | None
) -> None:
    assert mirrored_options(options) == expected


HEMISPHERES = ("Right hemisphere", "Left hemisphere", "Both")


@pytest.mark.parametrize(
    ("stem", "options", "answer", "expected"),
    [
        ("Where does it lie?", HEMISPHERES, 0, 1),
        ("Where does it lie?", HEMISPHERES, 2, 2),
        ("Does it lie on the left or on the right?", HEMISPHERES, 1, 0),
        ("How large is it?", ("1 cm", "2 cm"), 0, 0),
        ("Which lobe?", ("Right frontal", "Left temporal", "Occipital"), 0, None),
        ("Which lobe?", ("Right frontal", "Left temporal", "Occipital"), 2, 2),
        ("Does the tumor lie on the left?", ("Yes", "No"), 0, None),
        ("Where does it lie?", HEMISPHERES, None, None),
    ],
)
def test_what_is_right_about_the_mirrored_patient(
    stem: str, options: tuple[str, ...], answer: int | None, expected: int | None
) -> None:
    question = Question("q1", "S-1", stem, options, answer)
    mirrored = mirrored_question(question)
    assert mirrored.answer == expected
    assert (mirrored.stem, mirrored.options) == (stem, options)
