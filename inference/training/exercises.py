"""Questions about facts, asked in the app's own words, with what a good reply is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from inference.question_kinds import KINDS, Choice, Kind
from inference.questions import Question
from inference.training.statements import GUESS, REASON
from viewer.synthesis.facts import LesionFacts

LARGEST_PICK = 40
"""Draws before a rare combination of kind and answer is given up."""


@dataclass(frozen=True)
class Exercise:
    """A question with the right option's original index and the order it is shown in."""

    kind: str
    question: Question
    truth: int
    order: tuple[int, ...]
    answer_class: str

    @property
    def right_option(self) -> str:
        """Its text."""
        return self.question.options[self.truth]

    @property
    def place(self) -> int:
        """The shown position of the right option."""
        return self.order.index(self.truth)


Shares = Mapping[tuple[str, str], float]
"""How often a kind is asked with an answer of a class, relative to the rarest."""


def class_shares(all_facts: Sequence[LesionFacts]) -> dict[tuple[str, str], float]:
    """For every (kind, answer class): the chance to keep it that evens the classes out."""
    counts: dict[tuple[str, str], int] = {}
    for facts in all_facts:
        for kind in KINDS:
            choice = kind.choose(facts, Random(0))
            if choice is not None:
                key = (kind.name, choice.answer_class)
                counts[key] = counts.get(key, 0) + 1
    least = {
        kind.name: min((n for (name, _), n in counts.items() if name == kind.name), default=1)
        for kind in KINDS
    }
    return {key: max(least[key[0]] / count, 0.2) for key, count in counts.items()}


def exercises(
    facts: LesionFacts, count: int, rng: Random, keep: Shares | None = None
) -> list[Exercise]:
    """Up to `count` exercises of different kinds, in random wording and order."""
    kinds = list(KINDS)
    rng.shuffle(kinds)
    found = []
    for kind in kinds:
        choice = kind.choose(facts, rng)
        if choice is None:
            continue
        if keep is not None and rng.random() > keep.get((kind.name, choice.answer_class), 1.0):
            continue
        found.append(exercise(kind, choice, rng))
        if len(found) == count:
            break
    return found


def exercise(kind: Kind, choice: Choice, rng: Random) -> Exercise:
    """One exercise: a random wording, the options in a random order."""
    if kind.name == "left-right-extent" and rng.random() < 0.5:
        choice = _moved_window(choice, rng)
    question = Question(
        id="exercise",
        study_id="synthetic",
        stem=rng.choice(kind.stems),
        options=choice.options,
        answer=choice.truth,
        category=kind.category,
        problem=None,
    )
    order = list(range(len(choice.options)))
    rng.shuffle(order)
    return Exercise(kind.name, question, choice.truth, tuple(order), choice.answer_class)


def _moved_window(choice: Choice, rng: Random) -> Choice:
    """The same truth at another place of its list of numbers: the rank is no clue then."""
    values = [float(option.split()[0]) for option in choice.options]
    step = values[1] - values[0]
    right = values[choice.truth]
    places = [place for place in range(4) if right - place * step > 0.3]
    place = rng.choice(places)
    options = tuple(f"{right + (n - place) * step:.1f} cm" for n in range(4))
    return Choice(options, place, choice.answer_class)


def reply_text(exercise: Exercise, letters: Sequence[str], place: int, *, sees: bool) -> str:
    """The JSON reply that marks the option at `place`."""
    option = exercise.question.options[exercise.order[place]]
    reason = REASON.format(option=option) if sees else GUESS
    return f'{{"answer": "{letters[place]}", "reason": "{reason}"}}'


Way = Literal["letter", "words"]
