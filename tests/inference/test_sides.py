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
        (("Leftward", "Rightward", "No shift"), (1, 0, 2)),
        (("leftwards", "RIGHTWARDS"), (1, 0)),
        (("Left-sided", "Right-sided", "Bilateral"), (1, 0, 2)),
        (("rightsided shift", "leftsided shift"), (1, 0)),
        (("Leftmost", "Rightmost"), (1, 0)),
        (("Rightly so", "Leftover tumor"), None),
        (("Copyright", "Outright"), None),
        (("Leftward", "Leftwards"), None),
        (("L", "R", "Both"), (1, 0, 2)),
        (("r", " L "), (1, 0)),
        (("L", "M", "N"), None),  # a letter alone, not a side
        (("L frontal", "R frontal"), None),
        (("L5", "R5"), None),
        (("R", "Left"), None),
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
        ("Is there a rightward shift?", ("Yes", "No"), 0, None),
        ("Where does the midline go?", ("Leftward", "Rightward", "Nowhere"), 0, 1),
        ("Where does the midline go?", ("Leftwards", "Nowhere"), 0, None),
        ("Which side?", ("R", "L"), 0, 1),
        ("Which mark?", ("L", "M", "N"), 0, 0),
        ("Does it lie on the left (L) or on the right (R)?", ("L", "R"), 1, 0),
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
