"""Patterns among recorded answers: rows of one table, each picking questions worth opening."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from inference.answer_sets import Answers, Arm, Key
from inference.categories import category_of
from inference.posteriors import probability_of_answer
from inference.record_rows import WITHOUT_PICTURE
from inference.records import Record

CONFIDENT = 0.8
"""An answer at least this probable is called confident."""

UNREAD = frozenset({"unparsed", "refused", "no answer", "unfinished"})


@dataclass(frozen=True)
class Choice:
    """The arms that a pattern compares: A, and B where it needs one."""

    first: Arm
    second: Arm | None = None


Picks = Callable[[Answers, Choice, Key], bool]


@dataclass(frozen=True)
class Pattern:
    """A row. `picks` says whether a question shows the pattern; `about` is its definition."""

    name: str
    about: str
    picks: Picks


@dataclass(frozen=True)
class Found:
    """A question that shows a pattern, with what A and B answered."""

    case: str
    question_id: str
    stem: str
    category: str
    truth: str
    first: str
    second: str


def _score(answers: Answers, arm: Arm | None, key: Key) -> str:
    record = answers.get(arm, {}).get(key) if arm is not None else None
    return record.score if record is not None else ""


def _only_first(answers: Answers, choice: Choice, key: Key) -> bool:
    scores = _score(answers, choice.first, key), _score(answers, choice.second, key)
    return scores == ("right", "wrong")


def _only_without(answers: Answers, choice: Choice, key: Key) -> bool:
    if (
        choice.first.representation in WITHOUT_PICTURE
        or _score(answers, choice.first, key) != "wrong"
    ):
        return False
    arms = (replace(choice.first, representation=name) for name in WITHOUT_PICTURE)
    return any(_score(answers, arm, key) == "right" for arm in arms)


def _by_order(answers: Answers, choice: Choice, key: Key) -> bool:
    mine = choice.first
    given = {
        records[key].answer.index
        for arm, records in answers.items()
        if (arm.model, arm.representation) == (mine.model, mine.representation) and key in records
    }
    return len(given - {None}) > 1


def _sure_and_wrong(answers: Answers, choice: Choice, key: Key) -> bool:
    record = answers[choice.first][key]
    sure = probability_of_answer(record)
    return record.score == "wrong" and sure is not None and sure >= CONFIDENT


ROWS = (
    Pattern("A right, B wrong", "A's answer is right and B's is wrong.", _only_first),
    Pattern(
        "right only without the picture",
        "A is wrong with the picture; the same model in the same order is right by text only or "
        "with a black picture.",
        _only_without,
    ),
    Pattern(
        "changed by order",
        "A's model gives different answers to the question in different orders of the options.",
        _by_order,
    ),
    Pattern(
        "confident and wrong",
        f"A is wrong with a probability of at least {CONFIDENT:.0%}.",
        _sure_and_wrong,
    ),
    Pattern(
        "unparsed",
        "No option could be read from A's reply (unparsed, refused, unfinished or empty).",
        lambda answers, choice, key: _score(answers, choice.first, key) in UNREAD,
    ),
    Pattern(
        "wrong",
        "A's answer is wrong.",
        lambda answers, choice, key: _score(answers, choice.first, key) == "wrong",
    ),
)
PATTERNS: Mapping[str, Pattern] = {row.name: row for row in ROWS}


def find(pattern: Pattern, answers: Answers, choice: Choice) -> tuple[Found, ...]:
    """The questions that A answered and that show the pattern, by study and question."""
    mine = answers.get(choice.first, {})
    other = answers.get(choice.second, {}) if choice.second else {}
    return tuple(
        _found(record, other.get(key))
        for key, record in sorted(mine.items())
        if pattern.picks(answers, choice, key)
    )


def _found(record: Record, other: Record | None) -> Found:
    return Found(
        case=record.case,
        question_id=record.question_id,
        stem=record.stem,
        category=category_of(record.category, record.stem),
        truth="" if record.truth is None else record.options[record.truth],
        first=record.answer.text or record.answer.status,
        second="" if other is None else other.answer.text or other.answer.status,
    )
