"""Pictures: the very arrays that models are sent, with the words that go with them.

Caption, hash and pixels come from one value; what the page shows, the record
keeps and the encoder gets is the same `Picture`.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from viewer.planes import Convention

PixelArray = NDArray[np.uint8]
Crop = Literal["full", "brain-200mm"]


@dataclass(frozen=True)
class PictureSettings:
    """How slices become pictures, the same for every sequence of a study.

    `crop` "full" draws the whole slice; "brain-200mm" draws a square of 200 mm
    around the brain's middle, so that one pixel has one size in every study.
    `size` is the side in pixels of the square picture, None for the file's own
    resolution. `sequence` is the one that single-slice and volume draw,
    `volume_pictures` the most slices that volume draws.
    """

    convention: Convention = "radiological"
    window_rule: str = "percentile"
    crop: Crop = "full"
    size: int | None = None
    include_masks: bool = False
    captions: bool = True
    edge_letters: bool = False
    sequence: str = "FLAIR"
    volume_pictures: int = 32


@dataclass(frozen=True)
class Tile:
    """One slice inside a picture; a montage has several, in reading order."""

    sequence: str
    plane: str
    index: int | None
    window: tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Picture:
    """`pixels` uint8 (height, width, 3), R=G=B but for masks.

    `index` is the voxel index in the canonical (RAS+) array of `sequence`
    along the plane's axis and `window` the intensities drawn black and white;
    both are None for a montage, whose `tiles` say them one by one, and
    `window` is None for a blank picture.
    """

    pixels: PixelArray
    caption: str
    sequence: str
    plane: str
    index: int | None
    window: tuple[float, float] | None
    convention: Convention
    sha256: str
    includes_mask: bool = False
    tiles: tuple[Tile, ...] = ()

    @property
    def height(self) -> int:
        """Rows of pixels."""
        return int(self.pixels.shape[0])

    @property
    def width(self) -> int:
        """Columns of pixels."""
        return int(self.pixels.shape[1])


def pixel_hash(pixels: PixelArray) -> str:
    """sha256 over "height,width,3:" and the bytes in row order."""
    shape = ",".join(str(side) for side in pixels.shape)
    return sha256(f"{shape}:".encode() + np.ascontiguousarray(pixels).tobytes()).hexdigest()


def freeze(pixels: PixelArray) -> PixelArray:
    """A contiguous copy that nobody can write into."""
    copy = np.array(pixels, dtype=np.uint8, order="C")
    copy.setflags(write=False)
    return copy
