"""Which studies have answers on record, and how many."""

from __future__ import annotations

from sqlalchemy import Engine, func, select

from inference.record_store import FAILED
from inference.tables import RECORDS


def answers_by_study(engine: Engine) -> dict[str, int]:
    """Records by study id, without the asks that failed or were cancelled."""
    counted = select(RECORDS.c.case, func.count()).where(RECORDS.c.finish.not_in(FAILED))
    with engine.connect() as connection:
        found = connection.execute(counted.group_by(RECORDS.c.case))
        return {str(case): int(number) for case, number in found}
