"""Who asks what: several processes share one database and nothing is asked twice.

A claim is a row with a date of expiry. A run that was killed leaves its claims
behind; on the same machine they fall at once, elsewhere when they expire.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Row, delete, insert, select, update

from inference.tables import CLAIMS

HOLD_S = 900.0
"""Longer than one ask takes on the slowest machine; renewed with every answer."""


def new_owner() -> str:
    """A name for this run: its machine, its process, and a part that is never used again."""
    return f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:8]}"


@dataclass(frozen=True)
class Claims:
    """The claims of one run in the database that `engine` writes to."""

    engine: Engine
    owner: str

    def take(self, keys: Sequence[str]) -> set[str]:
        """Those of `keys` that are this run's from now on; the others are somebody's."""
        now = time.time()
        with self.engine.begin() as connection:
            if connection.dialect.name == "postgresql":  # SQLite's writers hold the whole file
                connection.exec_driver_sql("LOCK TABLE claims IN EXCLUSIVE MODE")
            rows = connection.execute(select(CLAIMS).where(CLAIMS.c.key.in_(keys))).all()
            free = set(keys) - {row.key for row in rows if self._is_held(row, now)}
            if free:
                fresh = [{"key": k, "owner": self.owner, "until": now + HOLD_S} for k in free]
                connection.execute(delete(CLAIMS).where(CLAIMS.c.key.in_(free)))
                connection.execute(insert(CLAIMS), fresh)
        return free

    def renew(self) -> None:
        """Hold everything for longer."""
        mine = update(CLAIMS).where(CLAIMS.c.owner == self.owner)
        with self.engine.begin() as connection:
            connection.execute(mine.values(until=time.time() + HOLD_S))

    def release(self, keys: Sequence[str]) -> None:
        """Let go of those of `keys` that are this run's."""
        mine = CLAIMS.c.owner == self.owner
        with self.engine.begin() as connection:
            connection.execute(delete(CLAIMS).where(mine, CLAIMS.c.key.in_(keys)))

    def _is_held(self, claim: Row[Any], now: float) -> bool:
        """Whether somebody else is still at it."""
        return claim.owner != self.owner and claim.until > now and not _is_dead(claim.owner)


def _is_dead(owner: str) -> bool:
    """True where the owner was a process of this machine that is no more."""
    host, process, _ = owner.split("/")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
