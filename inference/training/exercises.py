"""Questions about facts, asked in the app's own words, with what a good reply is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count as counted
from random import Random

from inference.question_kinds import EXTENT_STEP_MM, KINDS, LOBES, Choice, Kind
from inference.questions import Question
from inference.training.statements import GUESS, REASON, imagined_facts
from viewer.synthesis.facts import LesionFacts


def _any_choice(kind: Kind) -> Choice:
    choices = (kind.choose(imagined_facts(Random(n)), Random(n)) for n in counted())
    return next(choice for choice in choices if choice is not None)


FIXED_OPTIONS: dict[str, tuple[str, ...]] = {
    **{
        kind.name: choice.options
        for kind in KINDS
        for choice in [_any_choice(kind)]
        if not choice.list_class
    },
    "lobe": tuple(LOBES.values()),
}
"""The options of the kinds whose options are the same for every study."""

SAID = tuple(option for options in FIXED_OPTIONS.values() for option in options)
"""All of them, whichever the kind."""

SMALLEST_CM = 0.25

LEAST_KEPT = 0.1
"""An answer is asked for at least that often, however common it is."""

OFTENER: Mapping[str, float] = {"edema": 4.0, "enhancing-share": 2.0, "largest-compartment": 2.0}
"""Kinds about shares are learnt slowest: they are asked as much oftener of a study."""

FEWER = 0.25
"""Share of exercises with a wrong option left out: only letters that are offered are right."""

MEANINGS = 64
"""More than `meaning_of` knows: options of the lists, and whole centimetres."""


def meaning_of(option: str) -> int:
    """A number for what an option says: its place in `SAID`, or how many whole cm it names."""
    if option in SAID:
        return SAID.index(option)
    return min(len(SAID) + int(float(option.split()[0])), MEANINGS - 1)


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
    return {key: max(least[key[0]] / count, LEAST_KEPT) for key, count in counts.items()}


def answer_classes(facts: LesionFacts) -> dict[str, str]:
    """The right answer of every kind that these facts can be asked."""
    choices = {kind.name: kind.choose(facts, Random(0)) for kind in KINDS}
    return {name: choice.answer_class for name, choice in choices.items() if choice is not None}


def exercises(
    facts: LesionFacts, count: int, rng: Random, keep: Shares | None = None
) -> list[Exercise]:
    """Up to `count` exercises of different kinds, in random wording and order.

    Rare answers come first: kinds are drawn without replacement by the weights of `keep`.
    """
    drawn = []
    for kind in KINDS:
        choice = kind.choose(facts, rng)
        if choice is not None:
            weight = 1.0
            if keep is not None:
                rare = keep.get((kind.name, choice.answer_class), 1.0)
                weight = rare * OFTENER.get(kind.name, 1.0)
            drawn.append((rng.random() ** (1.0 / weight), kind, choice))
    drawn.sort(key=lambda each: -each[0])
    return [exercise(kind, choice, rng) for _, kind, choice in drawn[:count]]


def exercise(kind: Kind, choice: Choice, rng: Random) -> Exercise:
    """One exercise: a random wording, the options in a random order, at times one fewer."""
    if kind.name == "left-right-extent":
        choice = _moved(choice, rng)
    if len(choice.options) > 2 and rng.random() < FEWER:
        choice = _fewer(choice, rng)
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


def _fewer(choice: Choice, rng: Random) -> Choice:
    """The same without one of the wrong options."""
    left_out = rng.choice([n for n in range(len(choice.options)) if n != choice.truth])
    options = tuple(option for n, option in enumerate(choice.options) if n != left_out)
    return replace(choice, options=options, truth=choice.truth - (left_out < choice.truth))


def _moved(choice: Choice, rng: Random) -> Choice:
    """The same truth at any place of its list of numbers: its rank tells nothing then."""
    right = float(choice.options[choice.truth].split()[0])
    step, count = EXTENT_STEP_MM / 10, len(choice.options)
    place = rng.choice([place for place in range(count) if right - place * step > SMALLEST_CM])
    options = tuple(f"{right + (n - place) * step:.1f} cm" for n in range(count))
    return Choice(options, place, choice.answer_class)


def reply_text(exercise: Exercise, letters: Sequence[str], place: int, *, sees: bool) -> str:
    """The JSON reply that marks the option at `place`."""
    option = exercise.question.options[exercise.order[place]]
    reason = REASON.format(option=option) if sees else GUESS
    return f'{{"answer": "{letters[place]}", "reason": "{reason}"}}'
