"""Intervals and agreement, each with its source.

No kept library has them all: scikit-learn (which MONAI's users often have) has
neither the Wilson interval nor Fleiss' kappa, SciPy has no kappa.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, sqrt

import numpy as np

Z_95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution."""


def wilson(successes: float, trials: float, z: float = Z_95) -> tuple[float, float]:
    """The score interval of a share (Wilson, J Am Stat Assoc 1927; 22:209-212).

    The whole of 0..1 where there was no trial.
    """
    if trials <= 0:
        return 0.0, 1.0
    share = successes / trials
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle = share + z * z / (2 * trials)
    whole = 1 + z * z / trials
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def cohen_kappa(first: Sequence[object], second: Sequence[object]) -> float | None:
    """Agreement of two readers beyond chance (Cohen, Educ Psychol Meas 1960; 20:37-46).

    `first[n]` and `second[n]` judge the same thing. None where nothing was
    judged by both or where chance alone explains everything.
    """
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        return None
    count = len(pairs)
    observed = sum(a == b for a, b in pairs) / count
    labels = set(first) | set(second)
    expected = sum(
        sum(a == label for a, _ in pairs) * sum(b == label for _, b in pairs) for label in labels
    ) / (count * count)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def fleiss_kappa(judgements: Sequence[Sequence[object]]) -> float | None:
    """Agreement of several readers beyond chance (Fleiss, Psychol Bull 1971; 76:378-382).

    `judgements[n]` holds what each reader said of thing `n`; every thing has
    the same number of readers, at least two. None where there is nothing to
    judge or where everybody said one and the same.
    """
    if not judgements or len(judgements[0]) < 2:
        return None
    readers = len(judgements[0])
    if any(len(each) != readers for each in judgements):
        raise ValueError("every thing must have been judged by the same number of readers")
    labels = sorted({label for each in judgements for label in each}, key=repr)
    counts = np.array([[list(each).count(label) for label in labels] for each in judgements])
    agreed = ((counts**2).sum(axis=1) - readers) / (readers * (readers - 1))
    shares = counts.sum(axis=0) / counts.sum()
    expected = float((shares**2).sum())
    return None if expected == 1 else float((agreed.mean() - expected) / (1 - expected))


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Rank correlation of two rankings of the same things; None where one of them is flat."""
    from scipy.stats import rankdata

    if len(first) < 2:
        return None
    a, b = rankdata(first), rankdata(second)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    value = float(np.corrcoef(a, b)[0, 1])
    return None if isnan(value) else value
