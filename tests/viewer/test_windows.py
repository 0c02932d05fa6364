"""Grey levels of ordinary and of broken volumes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.viewer.images import affine
from viewer.arrays import Volume
from viewer.errors import UnknownName
from viewer.windows import Window, display_window, to_uint8


def volume(array: NDArray[np.float32]) -> Volume:
    return Volume("FLAIR", array.astype(np.float32), affine(), Path("flair.nii"))


@pytest.fixture
def brain() -> NDArray[np.float32]:
    """A third of air, then intensities of 1 to 1000."""
    array = np.zeros((10, 10, 15), dtype=np.float32)
    array[:, :, 5:] = np.linspace(1, 1000, 1000, dtype=np.float32).reshape(10, 10, 10)
    return array


def test_percentiles_leave_the_air_out(brain: NDArray[np.float32]) -> None:
    window = display_window(volume(brain))
    assert (window.low, window.high) == pytest.approx((5.995, 995.005), abs=1e-3)
    assert window.rule == "percentile"


def test_min_max_is_of_the_whole_volume(brain: NDArray[np.float32]) -> None:
    assert display_window(volume(brain), "min-max") == Window(0.0, 1000.0, "min-max")


@pytest.mark.parametrize("rule", ["percentile", "min-max"])
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_one_broken_voxel_changes_no_other(
    brain: NDArray[np.float32], odd: float, rule: str
) -> None:
    brain[3, 4, 0] = odd
    broken = display_window(volume(brain), rule)
    brain[3, 4, 0] = 0
    assert broken == display_window(volume(brain), rule)


@pytest.mark.parametrize("rule", ["percentile", "min-max"])
@pytest.mark.parametrize("value", [0.0, 37.0, -5.0, np.nan])
def test_a_constant_volume_is_black(value: float, rule: str) -> None:
    constant = np.full((4, 4, 4), value, dtype=np.float32)
    window = display_window(volume(constant), rule)
    assert window.low < window.high
    assert not to_uint8(constant[:, :, 0], window).any()


def test_two_values_far_apart_fall_back_to_the_range() -> None:
    array = np.full((20, 20, 20), 5.0, dtype=np.float32)
    array[0, 0, 0] = 9.0
    window = display_window(volume(array))
    assert (window.low, window.high) == (5.0, 9.0)


def test_grey_levels() -> None:
    values = np.array([[-10, 0, 50, 100, 200], [np.nan, np.inf, -np.inf, 25, 75]])
    grey = to_uint8(values.astype(np.float32), Window(0, 100, "percentile"))
    assert grey.dtype == np.uint8
    assert grey.tolist() == [[0, 0, 128, 255, 255], [0, 255, 0, 64, 191]]


def test_the_widest_float_range_warns_of_nothing() -> None:
    ends = np.array([[-3.4e38, 3.4e38, 0.0]], dtype=np.float32)
    assert to_uint8(ends, Window(-3.4e38, 3.4e38, "min-max")).tolist() == [[0, 255, 128]]


def test_an_unknown_rule_lists_the_known(brain: NDArray[np.float32]) -> None:
    with pytest.raises(UnknownName, match="percentile, min-max, got 'auto'"):
        display_window(volume(brain), "auto")
