"""Display windows: which intensities are drawn black and white."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import FloatArray, Volume
from viewer.errors import UnknownName

PERCENTILES = (0.5, 99.5)


@dataclass(frozen=True)
class Window:
    """`low` is drawn black, `high` white, and low < high; `rule` says how they were found."""

    low: float
    high: float
    rule: str


def display_window(volume: Volume, rule: str = "percentile") -> Window:
    """The window of a whole volume, from its finite voxels.

    `rule` is a row of `RULES`; `UnknownName` lists them. A constant volume gets
    a window of width 1 that draws it black.
    """
    if rule not in RULES:
        raise UnknownName(
            f"Expected a window rule out of {', '.join(RULES)}, got {rule!r}; choose one of them."
        )
    finite = volume.array[np.isfinite(volume.array)]
    low, high = RULES[rule](finite)
    return Window(low, high if high > low else low + 1.0, rule)


def to_uint8(slice2d: NDArray[Any], window: Window) -> NDArray[np.uint8]:
    """Intensities as grey levels: NaN and -inf become 0, +inf becomes 255."""
    with np.errstate(invalid="ignore"):  # signalling NaN
        values = slice2d.astype(np.float64)
        share = (values - window.low) / (window.high - window.low)
    share = np.nan_to_num(share, nan=0.0, posinf=1.0, neginf=0.0)
    return np.rint(np.clip(share, 0.0, 1.0) * 255.0).astype(np.uint8)


def _min_max(finite: FloatArray) -> tuple[float, float]:
    if finite.size == 0:
        return 0.0, 0.0
    return float(finite.min()), float(finite.max())


def _percentile(finite: FloatArray) -> tuple[float, float]:
    foreground = finite[finite != 0]
    if foreground.size == 0:
        return _min_max(finite)
    low, high = np.percentile(foreground, PERCENTILES)
    return (float(low), float(high)) if high > low else _min_max(finite)


RULES: dict[str, Callable[[FloatArray], tuple[float, float]]] = {
    "percentile": _percentile,
    "min-max": _min_max,
}
"""percentile: 0.5 to 99.5 of the non-zero voxels (air is zero in skull-stripped data);
min-max: of the whole volume, as MedGemma's model card prepares MRI."""
