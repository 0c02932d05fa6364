"""Fixtures of the records: the same tests on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inference.record_store import RecordStore
from tests.inference.postgres import empty_database, running_server


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL server that may be written to."""
    with running_server(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RecordStore]:
    """An empty store on either kind of database."""
    url = None
    if request.param == "postgresql":
        url = empty_database(request.getfixturevalue("postgres"))
    made = RecordStore(tmp_path / "new", url)
    yield made
    made.close()
