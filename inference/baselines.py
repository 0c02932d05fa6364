"""What answering without looking is worth: chance, and always the same position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def chance(option_counts: Sequence[int]) -> float | None:
    """Expected share of right answers by guessing evenly; None without questions."""
    if not option_counts:
        return None
    return sum(1 / count for count in option_counts) / len(option_counts)


def majority(truth_positions: Sequence[int]) -> float | None:
    """Share right by always answering the position where the truth stands most often."""
    if not truth_positions:
        return None
    return max(Counter(truth_positions).values()) / len(truth_positions)


def histogram(positions: Sequence[int], marks: Sequence[str]) -> dict[str, float]:
    """Share of `positions` at each mark, all marks in order; zeros without positions."""
    counts = Counter(positions)
    total = max(1, len(positions))
    return {mark: counts[place] / total for place, mark in enumerate(marks)}
