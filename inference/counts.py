"""How often a model was right, and every other thing that may have happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inference.statistics import wilson

SCORES = (
    "right", "wrong", "unparsed", "refused", "no answer", "unfinished", "error", "no truth",
)  # fmt: skip


@dataclass(frozen=True)
class Tally:
    """Asks by their score. `questions` counts distinct ones, repeats not.

    `substring_right` of `substring_graded` free replies are right by the
    published benchmark's rule.
    """

    by_score: Mapping[str, int]
    questions: int
    substring_right: int = 0
    substring_graded: int = 0

    @property
    def graded(self) -> int:
        """Asks whose question has a truth: whatever is not right counts against the model."""
        return sum(self.by_score.values()) - self.by_score.get("no truth", 0)

    @property
    def right(self) -> int:
        """Asks that were answered rightly."""
        return self.by_score.get("right", 0)

    @property
    def accuracy(self) -> float | None:
        """Right answers among the graded asks; None where there is none."""
        return self.right / self.graded if self.graded else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % Wilson interval over questions: repeats of one question add no certainty."""
        if self.accuracy is None:
            return None
        return wilson(self.accuracy * self.questions, self.questions)

    def to_json(self) -> dict[str, Any]:
        """All figures; shares are of one."""
        return {
            "right": self.right,
            "graded": self.graded,
            "questions": self.questions,
            "accuracy": self.accuracy,
            "interval": self.interval,
            "by_score": dict(self.by_score),
            "substring_right": self.substring_right,
            "substring_graded": self.substring_graded,
        }


@dataclass(frozen=True)
class YesNo:
    """Yes/no questions, yes being the finding. What is neither Yes nor No is never right.

    `yes_*` are the questions whose truth is Yes, `no_*` those whose truth is No.
    """

    yes_yes: int
    yes_no: int
    yes_other: int
    no_yes: int
    no_no: int
    no_other: int

    @property
    def precision(self) -> float | None:
        """Of the answers Yes, how many are true."""
        return _share(self.yes_yes, self.yes_yes + self.no_yes)

    @property
    def recall(self) -> float | None:
        """Of the findings, how many got a Yes (sensitivity)."""
        return _share(self.yes_yes, self.yes_yes + self.yes_no + self.yes_other)

    @property
    def specificity(self) -> float | None:
        """Of the absent findings, how many got a No."""
        return _share(self.no_no, self.no_yes + self.no_no + self.no_other)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; 0 where no finding got a Yes."""
        twice = 2 * self.yes_yes
        return _share(twice, twice + self.no_yes + self.yes_no + self.yes_other)

    @property
    def asked(self) -> int:
        """Asks that are counted here."""
        truth_yes = self.yes_yes + self.yes_no + self.yes_other
        return truth_yes + self.no_yes + self.no_no + self.no_other

    def to_json(self) -> dict[str, Any]:
        """Counts and the four shares."""
        shares = ("precision", "recall", "specificity", "f1")
        return {**self.__dict__, **{name: getattr(self, name) for name in shares}}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
