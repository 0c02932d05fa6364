"""Where one record's ways of answering part: the reply, the letters, the options' own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Fields = Mapping[str, Any]
"""A record as `Record.to_json` gives it."""


def disagreement_lines(record: Fields) -> list[str]:
    """One sentence for each way of scoring that ranks another option first than was answered.

    Nothing where no option was answered, or where the answer was read from that
    very ranking.
    """
    answer = record["answer"]["index"]
    if answer is None:
        return []
    written = bool(record["generation"])
    return [
        f"{way} rank “{record['options'][first]}” first ({shares[first]:.0%}), "
        f"{'the reply says' if written else 'the answer is'} "
        f"“{record['options'][answer]}” ({shares[answer]:.0%})."
        for way, shares in _rankings(record)
        if (first := _first(shares)) != answer
    ]


def _rankings(record: Fields) -> list[tuple[str, Sequence[float]]]:
    found = (
        ("Disagreement: the letters' probabilities", record["probabilities"]),
        ("Disagreement: the options' own words", record["word_probabilities"]),
    )
    return [(way, shares) for way, shares in found if shares is not None]


def _first(shares: Sequence[float]) -> int:
    return max(range(len(shares)), key=lambda index: shares[index])
