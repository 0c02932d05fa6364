import numpy as np

from viewer.synthesis.spread import arrival


def _dot(shape: tuple[int, int, int], at: tuple[int, int, int]) -> np.ndarray:
    start = np.zeros(shape, dtype=bool)
    start[at] = True
    return start


def test_in_even_tissue_time_is_the_way_along_the_axes() -> None:
    slowness = np.ones((21, 15, 11), dtype=np.float32)
    time = arrival(_dot((21, 15, 11), (10, 7, 5)), slowness, 2.0, reach=30.0)
    assert time[10, 7, 5] == 0.0
    assert time[13, 7, 5] == 6.0
    assert time[10, 5, 6] == 6.0


def test_a_wall_is_gone_round() -> None:
    shape = (21, 21, 3)
    slowness = np.ones(shape, dtype=np.float32)
    slowness[10, :18, :] = 1000.0
    time = arrival(_dot(shape, (5, 2, 1)), slowness, 2.0, reach=200.0)
    assert time[15, 2, 1] == 2.0 * (10 + 2 * 16)


def test_finer_grids_agree_with_coarse_ones() -> None:
    shape = (41, 41, 21)
    time = arrival(_dot(shape, (20, 20, 10)), np.ones(shape, dtype=np.float32), 1.0, reach=40.0)
    assert abs(time[30, 20, 10] - 10.0) <= 2.0
