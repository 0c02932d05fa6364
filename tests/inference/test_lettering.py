from __future__ import annotations

import numpy as np
import pytest

from inference.lettering import LETTER_ROWS, strip_height, with_strip


@pytest.mark.parametrize(("width", "factor"), [(40, 1), (119, 1), (240, 2), (512, 4)])
def test_the_strip_stands_above_and_grows_with_the_picture(width: int, factor: int) -> None:
    pixels = np.full((30, width, 3), 9, dtype=np.uint8)
    shown = with_strip(pixels, "FLAIR", "R", "L")
    assert shown.shape == (30 + factor * LETTER_ROWS, width, 3)
    assert strip_height(width) == factor * LETTER_ROWS
    np.testing.assert_array_equal(shown[-30:], pixels)


def test_letters_stand_at_their_ends_and_words_in_the_middle() -> None:
    strip = with_strip(np.zeros((1, 100, 3), dtype=np.uint8), "T2", "R", "L")[:-1, :, 0]
    columns = np.flatnonzero(strip.any(axis=0))
    assert columns.min() < 8
    assert columns.max() > 90
    assert ((columns > 38) & (columns < 62)).any()


def test_different_words_look_different() -> None:
    names = ("T1", "T1c", "T2", "FLAIR", "SWI", "DWI", "ADC")
    strips = {with_strip(np.zeros((1, 60, 3), dtype=np.uint8), name).tobytes() for name in names}
    assert len(strips) == len(names)


def test_no_letter_is_cut_off() -> None:
    """A T has as many columns left of its stem as right of it, also as the first letter."""
    strip = with_strip(np.zeros((1, 60, 3), dtype=np.uint8), "T")[:-1, :, 0] > 0
    columns = np.flatnonzero(strip.any(axis=0))
    top = strip[np.flatnonzero(strip.any(axis=1))[0]]
    assert np.flatnonzero(top).size == columns.size


def test_words_too_long_for_the_picture_are_cut_not_refused() -> None:
    assert with_strip(np.zeros((4, 12, 3), dtype=np.uint8), "FLAIR").shape == (15, 12, 3)
