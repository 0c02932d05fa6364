"""Words above a picture, in a strip of their own so that they hide no anatomy.

The letters are Pillow's bitmap font, enlarged by whole factors: the same
pixels whatever fonts and FreeType a machine has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from inference.pictures import PixelArray

LETTER_ROWS = 11
"""Height of Pillow's bitmap font."""


def strip_height(width: int) -> int:
    """Rows of the strip above a picture of that width."""
    return _factor(width) * LETTER_ROWS


def with_strip(pixels: PixelArray, label: str, left: str = "", right: str = "") -> PixelArray:
    """`pixels` below a black strip: `label` in its middle, letters at its ends."""
    width = pixels.shape[1]
    factor = _factor(width)
    strip = np.zeros((LETTER_ROWS, -(-width // factor)), dtype=np.uint8)
    for text, share in ((label, 0.5), (left, 0.0), (right, 1.0)):
        _write(strip, text, share)
    enlarged = strip.repeat(factor, axis=0).repeat(factor, axis=1)[:, :width]
    return np.concatenate([np.repeat(enlarged[:, :, None], 3, axis=2), pixels], axis=0)


def _factor(width: int) -> int:
    return max(1, width // 120)


def _write(strip: NDArray[np.uint8], text: str, share: float) -> None:
    """Write `text` at a share of the free room: 0 left, 0.5 middle, 1 right."""
    if not text:
        return
    letters = _letters(text)[:, : strip.shape[1]]
    start = round((strip.shape[1] - letters.shape[1]) * share)
    area = strip[:, start : start + letters.shape[1]]
    np.maximum(area, letters, out=area)


def _letters(text: str) -> NDArray[np.uint8]:
    """One letter after another.

    Wide letters reach into the place before their own, where Pillow cuts them off.
    """
    font = ImageFont.load_default_imagefont()
    advance = int(font.getlength(" "))
    letters = np.zeros((LETTER_ROWS, advance * (len(text) + 1) + 2), dtype=np.uint8)
    for place, letter in enumerate(text):
        image = Image.new("L", (2 * advance + 2, LETTER_ROWS))
        ImageDraw.Draw(image).text((0, 0), f" {letter}", fill=255, font=font)
        area = letters[:, place * advance : (place + 2) * advance + 2]
        np.maximum(area, np.asarray(image)[:, : area.shape[1]], out=area)
    return letters[:, advance // 2 :]
