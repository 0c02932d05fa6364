"""Balanced questions: neither an answer nor the look of a list tells which option is right."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

from inference.question_kinds import KINDS
from inference.training.figures import Asked, balanced, guess_rate, questions_of
from inference.training.statements import imagined_facts


def some_questions(studies: int) -> list[Asked]:
    rng = Random(8)
    return [
        each
        for seed in range(studies)
        for each in questions_of(lambda name: (), imagined_facts(rng), seed)
    ]


def test_every_answer_is_asked_for_as_often_among_lists_that_look_alike() -> None:
    kept = balanced(some_questions(300))
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for each in kept:
        counts[each.kind, each.list_class][each.answer_class] += 1
    assert {kind for kind, _ in counts} == {kind.name for kind in KINDS}
    for answers in counts.values():
        assert len(set(answers.values())) == 1 and len(answers) > 1


def test_the_first_number_of_a_list_does_not_tell_the_rank() -> None:
    kept = [each for each in balanced(some_questions(2000)) if each.kind == "left-right-extent"]
    ranks: dict[float, Counter[int]] = defaultdict(Counter)
    for each in kept:
        assert each.question.answer is not None
        ranks[float(each.question.options[0].split()[0])][each.question.answer] += 1
    best = sum(max(counter.values()) for counter in ranks.values())
    assert len(kept) > 400 and best / len(kept) < 0.45  # of few questions a list some rank leads


def test_a_blind_guess_is_worth_one_of_the_options_that_are_ever_right() -> None:
    kept = balanced(some_questions(300))
    for kind in KINDS:
        of_kind = [each for each in kept if each.kind == kind.name]
        most = 100 / min(kind.answers, len(of_kind[0].question.options))
        assert abs(guess_rate(of_kind) - most) < 9
