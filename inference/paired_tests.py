"""Two ways of answering the same questions, compared pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest, bootstrap

CONFIDENCE = 0.95
RESAMPLES = 2000
SEED = 0


@dataclass(frozen=True)
class Paired:
    """How two rows of right (True) and wrong answers to the same questions differ.

    `p_value` is McNemar's exact test on the questions that only one of them
    answers right. `difference` is the first's accuracy minus the second's and
    `low`, `high` its 95 % interval by a paired bootstrap (percentiles of
    2,000 resamples of the questions, seed 0); None under two questions.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    p_value: float
    difference: float
    low: float | None
    high: float | None

    @property
    def of(self) -> int:
        """Questions that both answered."""
        return self.both + self.only_first + self.only_second + self.neither


def paired(first: Sequence[bool], second: Sequence[bool]) -> Paired | None:
    """None where there is no pair; ValueError where the two differ in length."""
    if len(first) != len(second):
        raise ValueError(f"Expected pairs, got {len(first)} and {len(second)} answers.")
    if not first:
        return None
    a, b = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    only_first, only_second = int((a & ~b).sum()), int((~a & b).sum())
    low, high = _interval(a.astype(float) - b.astype(float))
    return Paired(
        both=int((a & b).sum()),
        only_first=only_first,
        only_second=only_second,
        neither=int((~a & ~b).sum()),
        p_value=mcnemar(only_first, only_second),
        difference=float(a.mean() - b.mean()),
        low=low,
        high=high,
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value; 1 where no pair differs."""
    differ = only_first + only_second
    return float(binomtest(only_first, differ).pvalue) if differ else 1.0


def _interval(differences: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[
    float | None, float | None
]:  # fmt: skip
    if len(differences) < 2:
        return None, None
    found = bootstrap(
        (differences,),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)
