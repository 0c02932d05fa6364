"""What readers say: rows that are only ever added, and where each reader stands by them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, Engine, insert, select

from inference.errors import BadReading
from inference.orders import Order
from inference.reader_studies import ReaderStudy, study_named
from inference.tables import READER_ANSWERS, READER_EVENTS

MOST_SURE = 10
"""Confidence runs from 0 to this, as in the benchmark's own reader study."""

Kind = Literal["began", "viewed", "paused", "resumed", "revealed"]


@dataclass(frozen=True)
class ReaderAnswer:
    """The benchmark's fields. `option` is the original index; None says that none can be chosen.

    `answerable` from the image and clinically `relevant` are None where not
    said, as is `confidence` (0 to 10). `sequences` are those needed.
    """

    option: int | None
    answerable: bool | None = None
    relevant: bool | None = None
    confidence: int | None = None
    sequences: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True)
class Given:
    """One row: an answer to the item of that index after another stretch of `seconds` in view."""

    reader: str
    item: int
    answer: ReaderAnswer
    seconds: float
    time: str


@dataclass(frozen=True)
class Event:
    """One row: what else happened. `seconds` in view, of the item, for "viewed" and "paused"."""

    reader: str
    kind: Kind
    item: int | None
    seconds: float | None
    time: str


@dataclass(frozen=True)
class Standing:
    """How far one reader is. `order` is the reader's own, `answers` are the newest by item.

    `seen` holds the seconds that each item was in view, pauses not counted.
    """

    study: ReaderStudy
    reader: str
    order: Order
    answers: dict[int, Given]
    seen: dict[int, float]
    revealed: bool

    @property
    def first_open(self) -> int | None:
        """The place (from 0) of the first unanswered question; None where all are answered."""
        places = (place for place, item in enumerate(self.order) if item not in self.answers)
        return next(places, None)

    @property
    def last_place(self) -> int:
        """The furthest place that may be looked at: what comes after it is not yet answered."""
        return len(self.order) - 1 if self.first_open is None else self.first_open


def begin(writing: Engine, study: str, reader: str) -> Standing:
    """Note that the reader began or came back, and say where the reader stands."""
    before = standing(writing, study, reader)
    if not before.revealed:
        known = bool(before.answers or before.seen)
        note(writing, study, before.reader, "resumed" if known else "began")
    return before


def standing(engine: Engine, study: str, reader: str) -> Standing:
    """Where the reader stands, from the rows alone. `BadReading` without a name."""
    if not reader.strip():
        raise BadReading("Expected a reader's name, got none; type it first.")
    found, name = study_named(engine, study), reader.strip()
    mine = [given for given in answers_of(engine, study) if given.reader == name]
    events = [event for event in events_of(engine, study) if event.reader == name]
    stretches = [(given.item, given.seconds) for given in mine]
    stretches += [(e.item, e.seconds) for e in events if e.item is not None and e.seconds]
    seen: dict[int, float] = {}
    for item, seconds in stretches:
        seen[item] = seen.get(item, 0.0) + seconds
    revealed = any(event.kind == "revealed" for event in events)
    newest = {given.item: given for given in mine}
    return Standing(found, name, found.order_for(name), newest, seen, revealed)


def save_answer(
    writing: Engine, study: str, reader: str, item: int, answer: ReaderAnswer, seconds: float
) -> Given:
    """Add a row. `seconds` is this stretch in view; stretches noted before are rows of their own.

    `BadReading` after the truth was shown, for a question further on than the
    first unanswered one, or where the answer holds what it may not.
    """
    now = standing(writing, study, reader)
    if now.revealed:
        raise BadReading(
            f"Expected answers before the truth is shown, but {now.reader} has seen it; "
            "make another study to read on."
        )
    if item not in now.order[: now.last_place + 1]:
        raise BadReading("Expected the answer to the next question or an earlier one; reload.")
    _check(answer, len(now.study.items[item].options))
    given = Given(now.reader, item, answer, max(0.0, seconds), _now())
    row = {
        "study": study,
        "reader": given.reader,
        "item": item,
        "answer": json.dumps(asdict(answer)),
        "seconds": given.seconds,
        "time": given.time,
    }
    with writing.begin() as connection:
        connection.execute(insert(READER_ANSWERS), row)
    return given


def note(
    writing: Engine,
    study: str,
    reader: str,
    kind: Kind,
    item: int | None = None,
    seconds: float | None = None,
) -> None:
    """Add a row about anything but an answer."""
    row = {"study": study, "reader": reader.strip(), "kind": kind, "item": item,
           "seconds": seconds, "time": _now()}  # fmt: skip
    with writing.begin() as connection:
        connection.execute(insert(READER_EVENTS), row)


def answers_of(engine: Engine, study: str) -> list[Given]:
    """Every row of the study, in the order of writing."""
    with engine.connect() as connection:
        return [
            Given(row.reader, row.item, _read(row.answer), row.seconds, row.time)
            for row in _rows(connection, READER_ANSWERS, study)
        ]


def events_of(engine: Engine, study: str) -> list[Event]:
    """Every other row of the study, in the order of writing."""
    with engine.connect() as connection:
        return [
            Event(row.reader, row.kind, row.item, row.seconds, row.time)
            for row in _rows(connection, READER_EVENTS, study)
        ]


def _rows(connection: Connection, table: Any, study: str) -> list[Any]:
    wanted = select(table).where(table.c.study == study).order_by(table.c.number)
    return list(connection.execute(wanted))


def _read(text: str) -> ReaderAnswer:
    values = json.loads(text)
    return ReaderAnswer(**{**values, "sequences": tuple(values["sequences"])})


def _check(answer: ReaderAnswer, options: int) -> None:
    if answer.option is None and answer.answerable is not False:
        raise BadReading(
            "Expected an option, got none; choose one, or say that the image cannot answer it."
        )
    if answer.option is not None and not 0 <= answer.option < options:
        raise BadReading(f"Expected one of {options} options, got {answer.option}; choose again.")
    if answer.confidence is not None and not 0 <= answer.confidence <= MOST_SURE:
        raise BadReading(
            f"Expected a confidence of 0 to {MOST_SURE}, got {answer.confidence}; correct it."
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
