"""GET /healthz: whether the page can be used, for whoever watches over the process.

It is answered without a login, so it tells no study, no path and no reason: those
are in the log, and `python app.py --check` tells them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from sqlalchemy import text

from inference.desk import Desk
from inference.opening import Opening
from viewer.errors import UserError
from viewer.instance import HEALTH

State = Literal["starting", "ready", "limited", "failed"]
"""Studies are being read; all works; no answer can be kept; there is no page to use."""

STATUS: dict[State, int] = {"starting": 503, "ready": 200, "limited": 200, "failed": 503}
"""HTTP status: a limited page still shows studies, so it is not to be restarted for that."""


@dataclass(frozen=True)
class Health:
    """`records` is None as long as nobody has looked."""

    state: State
    records: Literal["reachable", "unreachable"] | None = None


def health_of(opening: Opening) -> Health:
    """How it is now; waits for nothing."""
    try:
        desk = opening.opened()
    except Exception:
        return Health("failed")
    if desk is None:
        return Health("starting")
    return Health("ready", "reachable") if _reaches(desk) else Health("limited", "unreachable")


def health_routes(opening: Opening) -> APIRouter:
    """The route."""
    router = APIRouter()

    @router.get(HEALTH)
    def healthz() -> JSONResponse:
        found = health_of(opening)
        return JSONResponse(asdict(found), STATUS[found.state], {"cache-control": "no-store"})

    return router


def _reaches(desk: Desk) -> bool:
    try:
        with desk.records.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
    except (UserError, OSError):
        return False
    return True
