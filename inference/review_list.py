"""The records as a list to work through: pages, what is next, and how often each tag was given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, func, select

from inference.error_tags import TAGS
from inference.filters import EVERYTHING, RecordFilter, where
from inference.tables import RECORDS, REVIEWS

PAGE = 50
EXAMPLES = 5


@dataclass(frozen=True)
class Item:
    """One record in a list."""

    id: str
    case: str
    stem: str
    model: str
    representation: str
    ordering: str
    ablation: str | None
    answer: str | None
    truth: str | None
    status: str
    score: str


@dataclass(frozen=True)
class Listed:
    """One page of the records that pass, newest first, and how many there are in all."""

    total: int
    items: tuple[Item, ...]


@dataclass(frozen=True)
class TagCount:
    """How many records of a model got a tag from anybody, and the ids of a few of them."""

    model: str
    tag: str
    records: int
    examples: tuple[str, ...]


COLUMNS = tuple(RECORDS.c[name] for name in Item.__dataclass_fields__)


def listed(engine: Engine, chosen: RecordFilter = EVERYTHING, page: int = 0) -> Listed:
    """The `page`-th page (from 0)."""
    passes = where(chosen)
    wanted = select(*COLUMNS).where(*passes).order_by(RECORDS.c.number.desc())
    with engine.connect() as connection:
        total = connection.scalar(select(func.count()).select_from(RECORDS).where(*passes)) or 0
        rows = connection.execute(wanted.limit(PAGE).offset(page * PAGE)).all()
    return Listed(total, tuple(Item(*row) for row in rows))


def next_unreviewed(
    engine: Engine, reviewer: str, chosen: RecordFilter = EVERYTHING, after: str | None = None
) -> str | None:
    """The oldest record that passes and that this reviewer has not reviewed.

    Only later ones than the record `after`, then from the start again; None
    where everything is reviewed.
    """
    mine = select(REVIEWS.c.record_id).where(REVIEWS.c.reviewer == reviewer.strip())
    left = select(RECORDS.c.id).where(*where(chosen), RECORDS.c.id.not_in(mine))
    first = left.order_by(RECORDS.c.number).limit(1)
    with engine.connect() as connection:
        if after is not None:
            number = select(RECORDS.c.number).where(RECORDS.c.id == after).scalar_subquery()
            later = connection.scalar(first.where(RECORDS.c.number > number))
            if later is not None:
                return str(later)
        found = connection.scalar(first.where(RECORDS.c.id != (after or "")))
    return None if found is None else str(found)


def reviewed(engine: Engine, reviewer: str, chosen: RecordFilter = EVERYTHING) -> tuple[int, int]:
    """How many of the records that pass this reviewer has reviewed, and how many pass."""
    passes = where(chosen)
    mine = select(REVIEWS.c.record_id).where(REVIEWS.c.reviewer == reviewer.strip())
    count = select(func.count()).select_from(RECORDS)
    with engine.connect() as connection:
        done = connection.scalar(count.where(*passes, RECORDS.c.id.in_(mine))) or 0
        return done, connection.scalar(count.where(*passes)) or 0


def tag_counts(engine: Engine, chosen: RecordFilter = EVERYTHING) -> tuple[TagCount, ...]:
    """Model by model, in the order of the tags; a record counts once however many gave the tag."""
    rows = select(RECORDS.c.model, REVIEWS.c.record_id, REVIEWS.c.tags)
    rows = rows.join(REVIEWS, REVIEWS.c.record_id == RECORDS.c.id).where(*where(chosen))
    found: dict[tuple[str, str], dict[str, None]] = {}
    with engine.connect() as connection:
        for model, record_id, tags in connection.execute(rows.order_by(RECORDS.c.number)):
            for tag in json.loads(tags):
                found.setdefault((model, tag), {})[record_id] = None
    order: Sequence[str] = list(TAGS)
    return tuple(
        TagCount(model, tag, len(ids), tuple(ids)[:EXAMPLES])
        for (model, tag), ids in sorted(
            found.items(), key=lambda e: (e[0][0], order.index(e[0][1]))
        )
    )


def values_of(engine: Engine, column: str) -> list[str]:
    """What occurs in a column, in alphabetical order: the choices of a filter."""
    wanted = select(RECORDS.c[column]).distinct().where(RECORDS.c[column].is_not(None))
    with engine.connect() as connection:
        return sorted(connection.scalars(wanted))
