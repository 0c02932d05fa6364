"""A question about a study, and the set that a file holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inference.errors import UnknownQuestion
from inference.orders import Order
from viewer.study import Problem


@dataclass(frozen=True)
class Question:
    """One multiple-choice question.

    `options` stand in the file's original order and `answer` is the 0-based
    index of the right one there; None where the file's answer is no option,
    and then `problem` says so. `shuffled` is the order that the file's own
    shuffled column shows, None where it has none.
    """

    id: str
    study_id: str
    stem: str
    options: tuple[str, ...]
    answer: int | None
    category: str | None = None
    problem: str | None = None
    shuffled: Order | None = None


@dataclass(frozen=True)
class QuestionSet:
    """The questions of one or more files, and the rows that are odd, each with its reason."""

    questions: tuple[Question, ...]
    problems: tuple[Problem, ...] = ()

    def question(self, question_id: str) -> Question:
        """The question of that id; raises `UnknownQuestion`."""
        for question in self.questions:
            if question.id == question_id:
                return question
        raise UnknownQuestion(
            f"Expected the id of one of {len(self.questions)} questions, got {question_id!r}; "
            "take an id from the question file."
        )


def together(sets: Sequence[QuestionSet]) -> QuestionSet:
    """Several files as one set, in the order given."""
    return QuestionSet(
        tuple(question for each in sets for question in each.questions),
        tuple(problem for each in sets for problem in each.problems),
    )
