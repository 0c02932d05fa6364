"""Intervals of shares, with their source."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution."""


def wilson(successes: float, trials: float, z: float = Z_95) -> tuple[float, float]:
    """The score interval of a share (Wilson, J Am Stat Assoc 1927; 22:209-212).

    The whole of 0..1 where there was no trial. The share itself is never outside, as
    rounding would have it where all or none succeeded.
    """
    if trials <= 0:
        return 0.0, 1.0
    share = successes / trials
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle = share + z * z / (2 * trials)
    whole = 1 + z * z / trials
    low, high = (middle - spread) / whole, (middle + spread) / whole
    return max(0.0, min(low, share)), min(1.0, max(high, share))
