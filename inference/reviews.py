"""Reviews: what a named reviewer says of an answer; nobody overwrites another reviewer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine, delete, insert, select

from inference.error_tags import CRITERIA, HIGHEST, TAGS
from inference.errors import BadReview
from inference.record_rows import storable
from inference.tables import REVIEWS


@dataclass(frozen=True)
class Review:
    """`tags` out of `error_tags.TAGS`, `scores` by criterion, 0 to 10. `time` is UTC, ISO 8601.

    A review without tags says that the answer was looked at and nothing found.
    """

    record_id: str
    reviewer: str
    tags: tuple[str, ...] = ()
    note: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    time: str = ""


def save_review(writing: Engine, review: Review) -> Review:
    """Keep it in place of what the same reviewer said of the record before; returned with its time.

    `BadReview` where the reviewer has no name, or a tag or score is none.
    """
    _check(review)
    kept = Review(
        review.record_id,
        storable(review.reviewer).strip(),
        tuple(tag for tag in TAGS if tag in review.tags),
        storable(review.note),
        dict(review.scores),
        datetime.now(UTC).isoformat(timespec="milliseconds"),
    )
    mine = REVIEWS.c.record_id == kept.record_id, REVIEWS.c.reviewer == kept.reviewer
    with writing.begin() as connection:
        connection.execute(delete(REVIEWS).where(*mine))
        _insert(connection, [kept])
    return kept


def reviews_of(engine: Engine, record_ids: Sequence[str]) -> dict[str, list[Review]]:
    """Record id -> its reviews, oldest first."""
    found: dict[str, list[Review]] = {}
    with engine.connect() as connection:
        for start in range(0, len(record_ids), 500):
            part = REVIEWS.c.record_id.in_(record_ids[start : start + 500])
            for row in connection.execute(select(REVIEWS).where(part).order_by(REVIEWS.c.time)):
                found.setdefault(row.record_id, []).append(
                    Review(
                        row.record_id,
                        row.reviewer,
                        tuple(json.loads(row.tags)),
                        row.note,
                        json.loads(row.scores),
                        row.time,
                    )
                )
    return found


def review_by(engine: Engine, record_id: str, reviewer: str) -> Review:
    """What that reviewer said of the record; an empty review where nothing yet."""
    of_record = reviews_of(engine, [record_id]).get(record_id, [])
    mine = (review for review in of_record if review.reviewer == reviewer.strip())
    return next(mine, Review(record_id, reviewer.strip()))


def _insert(connection: Connection, reviews: Sequence[Review]) -> None:
    connection.execute(
        insert(REVIEWS),
        [
            {
                "record_id": review.record_id,
                "reviewer": review.reviewer,
                "tags": json.dumps(review.tags),
                "note": review.note,
                "scores": json.dumps(dict(review.scores)),
                "time": review.time,
            }
            for review in reviews
        ],
    )


def _check(review: Review) -> None:
    unknown = [tag for tag in review.tags if tag not in TAGS]
    unknown += [name for name in review.scores if name not in CRITERIA]
    outside = [value for value in review.scores.values() if not 0 <= value <= HIGHEST]
    if not review.reviewer.strip():
        raise BadReview("Expected a reviewer's name, got none; type it above the list.")
    if unknown or outside:
        raise BadReview(
            f"Expected tags and criteria out of the lists and scores of 0 to {HIGHEST}, got "
            f"{', '.join(map(str, [*unknown, *outside]))}; choose from the page."
        )
