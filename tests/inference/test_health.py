"""What a watchdog is told of the application, and what it is not."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from inference.desk import Desk
from inference.health import health_routes
from inference.opening import Opening, Say
from inference.record_store import RecordStore
from tests.inference.test_batch import desk as make_desk
from viewer.guard.login import login_of
from viewer.guard.middleware import Guard
from viewer.guard.rules import Rules
from viewer.guard.visitors import visitors
from viewer.instance import identity_routes

HERE = "http://127.0.0.1:7860"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made: Desk = make_desk.__wrapped__(tmp_path, RecordStore(tmp_path / "data"))  # type: ignore[attr-defined]
    return made


def watched(opening: Opening) -> TestClient:
    app = FastAPI()
    app.include_router(health_routes(opening))
    return TestClient(app, base_url=HERE)


def finished(opening: Opening) -> None:
    for _ in opening.watch():
        pass


def test_it_starts_and_is_ready(desk: Desk) -> None:
    going = threading.Event()

    def slowly(say: Say) -> Desk:
        going.wait(60)
        return desk

    opening = Opening(slowly)
    client = watched(opening)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"state": "starting", "records": None})
    going.set()
    finished(opening)
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"state": "ready", "records": "reachable"}
    assert answer.headers["cache-control"] == "no-store"
    desk.records.close()


def test_a_database_that_is_gone_limits_it(desk: Desk, tmp_path: Path) -> None:
    gone = RecordStore(tmp_path / "gone")
    opening = Opening(lambda say: replace(desk, records=gone))
    finished(opening)
    gone.close()
    for file in (tmp_path / "gone").iterdir():
        file.unlink()
    (tmp_path / "gone").rmdir()
    answer = watched(opening).get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"state": "limited", "records": "unreachable"}
    desk.records.close()


def test_a_start_that_failed_gives_no_reason_away() -> None:
    def fail(say: Say) -> Desk:
        raise OSError("/secret/place")

    opening = Opening(fail)
    finished(opening)
    answer = watched(opening).get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {"state": "failed", "records": None}


def test_only_these_two_need_no_login(desk: Desk, tmp_path: Path) -> None:
    opening = Opening(lambda say: desk)
    finished(opening)
    app = FastAPI()
    app.include_router(identity_routes())
    app.include_router(health_routes(opening))
    login = login_of(None, {"MRI_VQA_AUTH": "anna:correct-horse"})
    app.add_middleware(Guard, rules=Rules(visitors("127.0.0.1"), login, tmp_path))
    client = TestClient(app, base_url=HERE)
    assert client.get("/identity").json() == {"application": "MRI VQA Viewer"}
    assert client.get("/healthz").status_code == 200
    for path in ("/", "/healthz/", "/identity/x", "/volumes/x/T1.nii", "//healthz"):
        assert client.get(path).status_code == 401
    foreign = {"host": "evil.example"}
    assert client.get("/healthz", headers=foreign).status_code == 403
    desk.records.close()
