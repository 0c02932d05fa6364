"""How far readers agree: with the truth, with models, and with each other.

Answers are compared by the letter under which the study showed the option. The
options stand in random order there, so that agreement by a habit of the file,
where the truth mostly stands first, is counted as chance. A model that named
no option has a category of its own, which agrees with nothing that a reader says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from inference.proportions import Proportion, proportion

Labels = Mapping[int, int]
"""Item -> position of the option answered; where none was, `NO_OPTION` of a reader, who says
that the question cannot be answered, and `NO_ANSWER` of a model, whose reply names none."""

NO_OPTION = -1
NO_ANSWER = -2
FEWEST_RANKED = 3
"""Under this many pairs a rank correlation says nothing."""


@dataclass(frozen=True)
class Kappa:
    """Agreement beyond chance over so many questions; None where it is not defined."""

    value: float | None
    questions: int
    agreed: int


@dataclass(frozen=True)
class Correlation:
    """Spearman's rank correlation of so many pairs with its two-sided p."""

    rho: float | None
    p: float | None
    pairs: int


def accuracy(labels: Labels, truths: Labels) -> Proportion | None:
    """Right answers among the answered questions that have a truth, with the Wilson interval."""
    graded = [item for item in labels if item in truths]
    return proportion(sum(labels[item] == truths[item] for item in graded), len(graded))


def cohen(one: Labels, other: Labels) -> Kappa:
    """Cohen's kappa over the questions that both answered (Educ Psychol Meas 1960; 20:37-46)."""
    from sklearn.metrics import cohen_kappa_score

    both = sorted(set(one) & set(other))
    first, second = [one[item] for item in both], [other[item] for item in both]
    agreed = sum(a == b for a, b in zip(first, second, strict=True))
    if len(set(first) | set(second)) < 2:  # all alike: chance alone explains it
        return Kappa(None, len(both), agreed)
    value = float(cohen_kappa_score(first, second))
    return Kappa(None if isnan(value) else value, len(both), agreed)


def fleiss(readers: Sequence[Labels]) -> Kappa:
    """Fleiss' kappa over the questions that all answered (Psychol Bull 1971; 76:378-382).

    `agreed` counts the questions on which all agree.
    """
    import numpy as np

    everybody = sorted(set.intersection(*(set(labels) for labels in readers)))
    given = [[labels[item] for labels in readers] for item in everybody]
    agreed = sum(len(set(answers)) == 1 for answers in given)
    categories = sorted({answer for answers in given for answer in answers})
    if len(categories) < 2 or len(readers) < 2:
        return Kappa(None, len(everybody), agreed)
    counts = np.array([[answers.count(c) for c in categories] for answers in given], dtype=float)
    n = len(readers)
    observed = float(((counts**2).sum(axis=1) - n).mean() / (n * (n - 1)))
    expected = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return Kappa((observed - expected) / (1 - expected), len(everybody), agreed)


def spearman(pairs: Sequence[tuple[float, float]]) -> Correlation:
    """None where there are too few pairs, or one side is the same throughout."""
    from scipy.stats import spearmanr

    if len(pairs) < FEWEST_RANKED or any(
        len({pair[side] for pair in pairs}) < 2 for side in (0, 1)
    ):
        return Correlation(None, None, len(pairs))
    found: Any = spearmanr([a for a, _ in pairs], [b for _, b in pairs])
    return Correlation(float(found.statistic), float(found.pvalue), len(pairs))
