"""Several slices in one labelled grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from inference.lettering import strip_height, with_strip
from inference.pictures import PixelArray


@dataclass(frozen=True)
class Grid:
    """Columns and rows of a montage and the side of a tile's picture in pixels."""

    columns: int
    rows: int
    side: int | None


def grid_for(tiles: int, size: int | None) -> Grid:
    """As square as can be. `size` is the side of the whole montage, None for native tiles."""
    columns = ceil(sqrt(tiles))
    rows = ceil(tiles / columns)
    if size is None:
        return Grid(columns, rows, None)
    side = size // columns
    while side > 1 and rows * (side + strip_height(side)) > size:
        side -= 1
    return Grid(columns, rows, side)


@dataclass(frozen=True, eq=False)
class Cell:
    """A tile's pixels, the label above them and the letters at the label's sides."""

    pixels: PixelArray
    label: str
    left: str = ""
    right: str = ""


def compose(cells: Sequence[Cell], grid: Grid) -> PixelArray:
    """The cells from left to right and from top to bottom, each below its label.

    Pictures of unequal size stand in the middle of equal cells.
    """
    height = max(cell.pixels.shape[0] for cell in cells)
    width = max(cell.pixels.shape[1] for cell in cells)
    drawn = [
        with_strip(_centred(cell.pixels, height, width), cell.label, cell.left, cell.right)
        for cell in cells
    ]
    blank = np.zeros_like(drawn[0])
    drawn += [blank] * (grid.columns * grid.rows - len(drawn))
    rows = [
        np.concatenate(drawn[start : start + grid.columns], axis=1)
        for start in range(0, len(drawn), grid.columns)
    ]
    return np.concatenate(rows, axis=0)


def _centred(tile: PixelArray, height: int, width: int) -> PixelArray:
    if tile.shape[:2] == (height, width):
        return tile
    cell = np.zeros((height, width, 3), dtype=np.uint8)
    top, left = (height - tile.shape[0]) // 2, (width - tile.shape[1]) // 2
    cell[top : top + tile.shape[0], left : left + tile.shape[1]] = tile
    return cell
