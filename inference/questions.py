"""A question about a study, and the set that a file holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

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

    @property
    def truth(self) -> str | None:
        """The right option's text; None where the file names none."""
        return None if self.answer is None else self.options[self.answer]


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
    """Several files as one set, in the order given; no study has two questions of one id."""
    everyone = [question for each in sets for question in each.questions]
    unique, repeated = with_own_ids(everyone, lambda question: (question.study_id, question.id))
    problems = [problem for each in sets for problem in each.problems]
    return QuestionSet(tuple(unique), (*problems, *repeated))


def with_own_ids(
    questions: Sequence[Question], what: Callable[[Question], Hashable]
) -> tuple[list[Question], tuple[Problem, ...]]:
    """The first question of a kind (`what`) keeps its id, a later one gets `~2`."""
    seen: dict[Hashable, int] = {}
    unique, problems = [], []
    for question in questions:
        seen[what(question)] = seen.get(what(question), 0) + 1
        if seen[what(question)] > 1:
            new_id = f"{question.id}~{seen[what(question)]}"
            problems.append(
                Problem(f"question {question.id}", f"its id occurs again; listed as {new_id}")
            )
            question = replace(question, id=new_id)
        unique.append(question)
    return unique, tuple(problems)
