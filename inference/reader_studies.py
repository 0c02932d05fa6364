"""Reader studies: a named, fixed selection of questions that humans answer.

Every question is kept by value, with the order in which its options are shown
to all readers. The order of the questions is each reader's own; both follow
from the study's seed, so that a study can be repeated anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from inference.errors import BadReading
from inference.orders import Order, shuffled_order
from inference.prompts import MARKS
from inference.questions import Question
from inference.tables import READER_STUDIES


@dataclass(frozen=True)
class ReaderItem:
    """One question of a study. `truth` is the original index, None where the file has none.

    `order[p]` is the original index of the option that every reader sees at
    position `p`.
    """

    case: str
    question_id: str
    stem: str
    options: tuple[str, ...]
    truth: int | None
    category: str | None
    order: Order

    @property
    def letters(self) -> str:
        """What stands before each option, in the order shown."""
        return MARKS["letters"][: len(self.order)]

    def position(self, option: int | None) -> int | None:
        """Where the option of that original index is shown."""
        return None if option is None else self.order.index(option)


@dataclass(frozen=True)
class ReaderStudy:
    """`time` is UTC, ISO 8601: when it was made. Items stand in the order of their files."""

    name: str
    seed: int
    items: tuple[ReaderItem, ...]
    time: str = ""

    def order_for(self, reader: str) -> Order:
        """The items' indexes in the order that this reader sees them: always the same."""
        return shuffled_order(len(self.items), self.seed, reader)


def make_study(
    writing: Engine, name: str, questions: Sequence[Question], seed: int, most: int = 0
) -> ReaderStudy:
    """Keep a new study of the questions that have options; `most` draws so many by the seed.

    `BadReading` where the name is none or taken, or no question is left.
    """
    usable = [question for question in questions if len(question.options) > 1]
    if not name.strip() or not usable:
        missing = "questions with options" if name.strip() else "a name for the study"
        raise BadReading(f"Expected {missing}, got none; correct that and make the study again.")
    if 0 < most < len(usable):
        drawn = shuffled_order(len(usable), seed, name.strip())[:most]
        usable = [usable[index] for index in sorted(drawn)]
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    study = ReaderStudy(name.strip(), seed, tuple(_item(each, seed) for each in usable), now)
    row = {
        "name": study.name,
        "seed": seed,
        "items": json.dumps([asdict(item) for item in study.items]),
        "time": now,
    }
    try:
        with writing.begin() as connection:
            connection.execute(insert(READER_STUDIES), row)
    except IntegrityError:
        raise BadReading(
            f"Expected a name that no study has, got {study.name!r}; a study is never changed: "
            "choose another name."
        ) from None
    return study


def study_names(engine: Engine) -> list[str]:
    """Every study, the newest first."""
    with engine.connect() as connection:
        newest = select(READER_STUDIES.c.name).order_by(READER_STUDIES.c.time.desc())
        return list(connection.scalars(newest))


def study_named(engine: Engine, name: str) -> ReaderStudy:
    """The study of that name; `BadReading` lists the names."""
    with engine.connect() as connection:
        row = connection.execute(
            select(READER_STUDIES).where(READER_STUDIES.c.name == name)
        ).first()
    if row is None:
        names = ", ".join(study_names(engine)) or "none is made yet"
        raise BadReading(f"Expected a reader study ({names}), got {name!r}; choose one of them.")
    return ReaderStudy(row.name, row.seed, tuple(map(_read_item, json.loads(row.items))), row.time)


def _item(question: Question, seed: int) -> ReaderItem:
    key = f"{question.study_id}/{question.id}"
    return ReaderItem(
        question.study_id,
        question.id,
        question.stem,
        question.options,
        question.answer,
        question.category,
        shuffled_order(len(question.options), seed, key),
    )


def _read_item(values: dict[str, Any]) -> ReaderItem:
    return ReaderItem(
        **{**values, "options": tuple(values["options"]), "order": tuple(values["order"])}
    )
