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
    font = ImageFont.load_default_imagefont()
    left, top, right, bottom = font.getbbox(text)
    image = Image.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(image).text((-left, -top), text, fill=255, font=font)
    letters = np.asarray(image)[: strip.shape[0], : strip.shape[1]]
    start = round((strip.shape[1] - letters.shape[1]) * share)
    area = strip[: letters.shape[0], start : start + letters.shape[1]]
    np.maximum(area, letters, out=area)
