"""Right or wrong, and every way of being neither.

Only a named option can be right or wrong. Nothing is credited by chance.
"""

from __future__ import annotations

from typing import Literal

from inference.parsing import Answer
from inference.questions import Question

Score = Literal[
    "right", "wrong", "unparsed", "refused", "no answer", "unfinished", "error", "no truth"
]


def grade(answer: Answer, question: Question) -> Score:
    """The score of one answer.

    A conflict is graded by its words. Without a named option the score is the
    answer's status; "no truth" where the question file's own answer is no
    option.
    """
    if answer.status == "answered" or answer.status == "conflict":
        if question.answer is None:
            return "no truth"
        return "right" if answer.index == question.answer else "wrong"
    return answer.status


def substring_grade(raw: str, truth: str) -> bool:
    """The published benchmark's grade: the truth's words occur in the raw reply, case counts.

    For comparison with the paper only: "No" occurs in "Not applicable".
    """
    return truth in raw
