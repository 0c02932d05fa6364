from __future__ import annotations

import numpy as np
import pytest

from inference.montages import Cell, compose, grid_for


@pytest.mark.parametrize(
    ("tiles", "columns", "rows"), [(1, 1, 1), (2, 2, 1), (4, 2, 2), (5, 3, 2), (7, 3, 3), (9, 3, 3)]
)
def test_the_grid_is_as_square_as_can_be(tiles: int, columns: int, rows: int) -> None:
    grid = grid_for(tiles, None)
    assert (grid.columns, grid.rows, grid.side) == (columns, rows, None)


@pytest.mark.parametrize("tiles", range(1, 10))
@pytest.mark.parametrize("size", [64, 112, 448, 896])
def test_a_sized_grid_fits_and_wastes_little(tiles: int, size: int) -> None:
    grid = grid_for(tiles, size)
    assert grid.side is not None
    cells = [Cell(np.full((grid.side, grid.side, 3), 5, dtype=np.uint8), "x")] * tiles
    height, width, _ = compose(cells, grid).shape
    assert max(height, width) <= size
    assert max(height, width) > size * 0.75


def test_unequal_tiles_stand_in_the_middle_of_equal_cells() -> None:
    tall, wide = (np.full(shape, 200, dtype=np.uint8) for shape in ((20, 10, 3), (10, 40, 3)))
    grid = grid_for(2, None)
    shown = compose([Cell(tall, ""), Cell(wide, "")], grid)[-20:, :, 0]
    assert shown.shape == (20, 80)
    assert (np.flatnonzero(shown[0, :40]) == np.arange(15, 25)).all()
    assert (np.flatnonzero(shown[:, 60]) == np.arange(5, 15)).all()
