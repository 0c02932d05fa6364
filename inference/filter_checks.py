"""A filter that names what no record can have or has: said, instead of an empty table."""

from __future__ import annotations

from sqlalchemy import Engine, select

from inference.counts import SCORES
from inference.filters import RecordFilter
from inference.tables import RECORDS
from viewer.errors import UnknownName

FOUND = ("model", "representation", "ordering", "category", "case")
"""Fields whose values are those that records have."""

LISTED = 20
"""Values that a sentence lists."""


def check_filter(engine: Engine, chosen: RecordFilter) -> None:
    """`UnknownName` with the values there are. Where nothing is recorded only scores are known."""
    _refuse_others("score", chosen.score, SCORES)
    for name in FOUND:
        wanted = getattr(chosen, name)
        if wanted and (found := _values(engine, name)):
            _refuse_others(name, wanted, found)


def _values(engine: Engine, name: str) -> tuple[str, ...]:
    column = RECORDS.c[name]
    with engine.connect() as connection:
        found = connection.scalars(select(column).where(column.is_not(None)).distinct())
        return tuple(sorted(found))


def _refuse_others(name: str, wanted: tuple[str, ...], known: tuple[str, ...]) -> None:
    other = next((value for value in wanted if value not in known), None)
    if other is None:
        return
    more = f" and {len(known) - LISTED} more" if len(known) > LISTED else ""
    raise UnknownName(
        f"Expected --{name} out of {', '.join(known[:LISTED])}{more}, got {other!r}; choose one "
        "of them."
    )
