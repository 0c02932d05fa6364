from __future__ import annotations

import pytest

from inference.sides import mirrored_options


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
