"""The table of figures: how often the answers are right, and what a guess would give.

Models are asked through the very code that the app asks them with. Questions
are balanced: of every kind, each answer is asked for equally often, so that
nothing but the pictures can tell which one is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from inference.models.protocol import GenerationSettings, Model
from inference.models.table import ModelEntry
from inference.orders import Order, cyclic_orders, shuffled_order
from inference.pictures import Picture
from inference.prompts import Prompt, PromptStyle, build_prompt
from inference.question_kinds import KINDS
from inference.questions import Question
from viewer.synthesis.facts import LesionFacts

BEGINNING = 12
"""Tokens of a free reply that are read: the letter stands among them."""

Say = Callable[[str], None]

Show = Callable[[str], tuple[Picture, ...]]
"""The pictures of one study under the representation of that name."""


@dataclass(frozen=True)
class Asked:
    """A question about one study; `kind` names its row, the classes are those of `Choice`."""

    show: Show
    question: Question
    kind: str
    answer_class: str
    list_class: str = ""


@dataclass(frozen=True)
class Given:
    """What one ask gave: original indexes of the options chosen by letter and by words."""

    kind: str
    right: int
    by_letter: int
    by_words: int | None
    letter_mass: float
    options: int


def questions_of(show: Show, facts: LesionFacts, seed: int) -> list[Asked]:
    """One question of every kind that the study of that seed can be asked."""
    asked = []
    for kind in KINDS:
        choice = kind.choose(facts, Random(f"{seed}/{kind.name}"))
        if choice is None:
            continue
        question = Question(
            f"held-out-{seed}-{kind.name}",
            f"held-out-{seed}",
            kind.stems[0],
            choice.options,
            choice.truth,
            kind.category,
        )
        asked.append(Asked(show, question, kind.name, choice.answer_class, choice.list_class))
    return asked


def balanced(asked: Sequence[Asked]) -> list[Asked]:
    """Of every kind and class of list as many of each answer as of its rarest; first come first.

    An answer that occurs in no study of a kind is not counted among its answers.
    """
    counts = Counter((each.kind, each.list_class, each.answer_class) for each in asked)
    answers = {
        kind: {answer for name, _, answer in counts if name == kind}
        for kind in {each.kind for each in asked}
    }
    least = {
        (kind, listed): min(counts[kind, listed, answer] for answer in answers[kind])
        for kind, listed, _ in counts
    }
    kept: Counter[tuple[str, str, str]] = Counter()
    chosen = []
    for each in asked:
        key = (each.kind, each.list_class, each.answer_class)
        if kept[key] < least[each.kind, each.list_class]:
            kept[key] += 1
            chosen.append(each)
    return chosen


def prompts_of(
    asked: Iterable[Asked],
    representation: str,
    order_of: Callable[[Question], Order],
    style: PromptStyle,
) -> Iterator[tuple[Asked, Prompt]]:
    """What is sent; pictures of a study are drawn once while its questions follow."""
    show: Show | None = None
    pictures: tuple[Picture, ...] = ()
    for each in asked:
        if each.show is not show:
            show = each.show
            pictures = show(representation)
        yield each, build_prompt(each.question, order_of(each.question), pictures, style)


def ask_all(
    model: Model,
    entry: ModelEntry,
    asked: Iterable[Asked],
    representation: str,
    order_of: Callable[[Question], Order],
    *,
    words: bool,
) -> Iterator[Given]:
    """Ask each question once, by letter and, if wanted, by words."""
    for each, prompt in prompts_of(asked, representation, order_of, entry.style):
        order = prompt.order
        scores = model.score_options(prompt, words=words)
        assert scores is not None and each.question.answer is not None
        spoken = scores.word_probabilities
        yield Given(
            each.kind,
            each.question.answer,
            order[_largest(scores.probabilities)],
            None if spoken is None else order[_largest(spoken)],
            scores.letter_mass,
            len(order),
        )


def shuffled(question: Question) -> Order:
    """A shuffle of its own for every question."""
    return shuffled_order(len(question.options), 0, question.id)


def rotated(turn: int) -> Callable[[Question], Order]:
    """The `turn`-th rotation of the shuffle: over all turns each option stands everywhere."""

    def order_of(question: Question) -> Order:
        start = shuffled(question)
        turns = cyclic_orders(len(start))[turn % len(start)]
        return tuple(start[place] for place in turns)

    return order_of


def share_right(given: Sequence[Given], *, words: bool = False) -> float:
    """Accuracy in percent."""
    if not given:
        return float("nan")
    chosen = [each.by_words if words else each.by_letter for each in given]
    return 100.0 * sum(c == g.right for c, g in zip(chosen, given, strict=True)) / len(given)


def guess_rate(asked: Sequence[Asked]) -> float:
    """Percent right without a picture: the commonest answer of a kind, or any one option.

    Where answers are offered in changing company (eight lobes, four at a time)
    picking an option is worth more than naming the commonest answer.
    """
    right = 0.0
    for kind in {each.kind for each in asked}:
        of_kind = [each for each in asked if each.kind == kind]
        commonest = max(Counter(each.answer_class for each in of_kind).values())
        right += max(commonest, sum(1 / len(each.question.options) for each in of_kind))
    return 100.0 * right / len(asked)


def table(
    model: Model,
    entry: ModelEntry,
    asked: Sequence[Asked],
    representations: Sequence[str],
    say: Say,
) -> None:
    """Ask, and say the table line by line as it becomes known."""
    say(f"{len(asked)} questions, balanced; a blind guess gives {guess_rate(asked):.1f} %")
    say(f"{'representation':<16} {'letter %':>8} {'words %':>8} {'mass':>5} {'n':>5}")
    for name in representations:
        given = list(ask_all(model, entry, asked, name, shuffled, words=True))
        mass = sum(each.letter_mass for each in given) / len(given)
        say(
            f"{name:<16} {share_right(given):8.1f} {share_right(given, words=True):8.1f} "
            f"{mass:5.2f} {len(given):5}"
        )
        if name == representations[0]:
            _say_kinds(asked, given, say)


def _say_kinds(asked: Sequence[Asked], given: Sequence[Given], say: Say) -> None:
    for kind in KINDS:
        of_kind = [each for each in given if each.kind == kind.name]
        blind = [each for each in asked if each.kind == kind.name]
        if of_kind:
            say(
                f"  {kind.name:<20} {share_right(of_kind):6.1f} "
                f"{share_right(of_kind, words=True):8.1f}  guess {guess_rate(blind):5.1f} "
                f"n {len(of_kind)}"
            )


def spread(
    model: Model, entry: ModelEntry, asked: Sequence[Asked], representation: str, say: Say
) -> None:
    """Accuracy in the four cyclic orders, and how far apart they lie."""
    shares = [
        share_right(list(ask_all(model, entry, asked, representation, rotated(turn), words=False)))
        for turn in range(4)
    ]
    listed = ", ".join(f"{share:.1f}" for share in shares)
    say(f"cyclic orders: {listed} %; spread {max(shares) - min(shares):.1f} points")


def replies(
    model: Model, entry: ModelEntry, asked: Sequence[Asked], representation: str, say: Say
) -> None:
    """How often a free reply names the right letter, another, one not offered, or none."""
    counts: Counter[str] = Counter()
    for each, prompt in prompts_of(asked, representation, shuffled, entry.style):
        reply = model.generate(prompt, GenerationSettings(max_tokens=BEGINNING), _ignore, _never)
        begun, letter = (
            reply.text[: len(prompt.answer_start)],
            reply.text[len(prompt.answer_start) :],
        )
        if begun != prompt.answer_start:
            counts["none"] += 1
        elif letter[:1] not in prompt.letters:
            counts["not offered"] += 1
        else:
            right = prompt.order[prompt.letters.index(letter[:1])] == each.question.answer
            counts["right" if right else "wrong"] += 1
    listed = ", ".join(
        f"{counts[name]} {name}" for name in ("right", "wrong", "not offered", "none")
    )
    say(f"free replies to {len(asked)} questions: {listed}")


def _ignore(text: str) -> None:
    pass


def _never() -> bool:
    return False


def _largest(values: Sequence[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)
