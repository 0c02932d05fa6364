"""A share with its 95 % interval."""

from __future__ import annotations

from dataclasses import dataclass

from inference.statistics import wilson


@dataclass(frozen=True)
class Proportion:
    """`hits` of `of`, with the ends of its Wilson interval."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Hits divided by all."""
        return self.hits / self.of


def proportion(hits: int, of: int) -> Proportion | None:
    """None where nothing was counted."""
    return Proportion(hits, of, *wilson(hits, of)) if of else None
