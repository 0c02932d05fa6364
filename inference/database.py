"""The database: one SQLite file by default, PostgreSQL by URL for a group.

SQLite runs with a write-ahead log and `synchronous=NORMAL`: a transaction is
in the operating system's hands when it returns, so killing the process at any
moment loses nothing; a power cut may lose the last transactions, never half
of one. That is what makes some thousand records a second possible on a disk
that takes milliseconds to flush.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

from inference.database_faults import first_line, tell_in_words, watch_file
from inference.errors import NoDatabase
from inference.tables import METADATA
from viewer.formats import reason_of

URL_VARIABLE = "MRI_VQA_DATABASE"
DATA_VARIABLE = "MRI_VQA_DATA"
"""Where the SQLite file lies that is used without an address."""
FILE_NAME = "records.sqlite"
WAIT_MS = 30_000
"""How long a writer waits for another before it gives up."""

PASSWORD = re.compile(r"(://[^/@]*:).*@")

WRITES = {"writes": True}
"""Execution options of an engine whose transactions take the write lock first."""


def database_url(folder: Path) -> str:
    """MRI_VQA_DATABASE, else the SQLite file in `folder`."""
    return os.environ.get(URL_VARIABLE) or f"sqlite:///{folder / FILE_NAME}"


def open_database(url: str) -> Engine:
    """An engine with every table made. `NoDatabase` where the address leads nowhere."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        engine = create_engine(parsed, pool_pre_ping=True)
        if parsed.get_backend_name() == "sqlite":
            if parsed.database:
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
                if ":memory:" not in parsed.database:
                    watch_file(engine, Path(parsed.database))
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        with engine.execution_options(**WRITES).begin() as connection:
            METADATA.create_all(connection)
        tell_in_words(engine)
    except (ArgumentError, DatabaseError, ImportError, OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else first_line(error)
        raise NoDatabase(
            f"Expected a database at {_without_password(url)}, got: {reason}; {_remedy()}"
        ) from error
    return engine


def _remedy() -> str:
    """By what the place was chosen, for whoever has to choose another."""
    if not os.environ.get(URL_VARIABLE):
        return f"set {DATA_VARIABLE} to a folder that can be written to."
    return (
        f"check {URL_VARIABLE} (sqlite:///FILE or postgresql://USER@HOST/NAME, which needs "
        "pip install 'mri-vqa-viewer[postgres]')."
    )


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin_sqlite` alone
    for pragma in (
        f"busy_timeout={WAIT_MS}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"
    ):  # fmt: skip
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once: one that reads first could never get it later."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _without_password(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return repr(PASSWORD.sub(r"\1***@", url))
