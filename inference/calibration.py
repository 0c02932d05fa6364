"""Whether a model is right as often as it is sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BINS = 10


@dataclass(frozen=True)
class Bin:
    """Answers whose probability lies in (low, high]: their mean probability and their accuracy."""

    low: float
    high: float
    count: int
    sure: float
    right: float


@dataclass(frozen=True)
class Calibration:
    """Non-empty bins, and the expected calibration error: the mean gap, weighted by count."""

    bins: tuple[Bin, ...]
    error: float
    count: int


def calibration(sure: Sequence[float], right: Sequence[bool]) -> Calibration | None:
    """Ten bins of equal width over the answer's probability (0..1); None without answers."""
    if not sure:
        return None
    p, hit = np.asarray(sure, dtype=float), np.asarray(right, dtype=float)
    edges = np.linspace(0.0, 1.0, BINS + 1)
    places = np.clip(np.ceil(p * BINS).astype(int) - 1, 0, BINS - 1)
    bins = tuple(
        Bin(
            float(edges[place]),
            float(edges[place + 1]),
            int(inside.sum()),
            float(p[inside].mean()),
            float(hit[inside].mean()),
        )
        for place in range(BINS)
        if (inside := places == place).any()
    )
    error = sum(each.count * abs(each.right - each.sure) for each in bins) / len(p)
    return Calibration(bins, error, len(p))
