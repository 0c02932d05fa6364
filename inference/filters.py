"""Which records are meant: one value that the page, the command line and the export share."""

from __future__ import annotations

from dataclasses import dataclass, fields

from sqlalchemy import ColumnElement, or_

from inference.tables import RECORDS


@dataclass(frozen=True)
class RecordFilter:
    """Empty means everything. Each field lists the values that pass in its column.

    `text` is looked for in the question, the answer and the truth, without
    regard to case.
    """

    model: tuple[str, ...] = ()
    representation: tuple[str, ...] = ()
    ordering: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    case: tuple[str, ...] = ()
    question_id: tuple[str, ...] = ()
    text: str = ""


EVERYTHING = RecordFilter()
SEARCHED = (RECORDS.c.stem, RECORDS.c.answer, RECORDS.c.truth)


def where(chosen: RecordFilter) -> list[ColumnElement[bool]]:
    """The conditions on `tables.RECORDS`, to be met all together."""
    listed: list[ColumnElement[bool]] = [
        RECORDS.c[field.name].in_(getattr(chosen, field.name))
        for field in fields(chosen)
        if field.name != "text" and getattr(chosen, field.name)
    ]
    if not chosen.text:
        return listed
    return [*listed, or_(*(column.icontains(chosen.text, autoescape=True) for column in SEARCHED))]
