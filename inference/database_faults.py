"""A database that fails while it is in use: full, locked, damaged, gone. One sentence each.

SQLAlchemy hands every error of a driver to `handle_error`, commits included, so
that nobody who reads or writes has to think of them. One fault has no error: an
SQLite file that was deleted or replaced is still open, and what is written into
it is lost. That is looked for before every transaction.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, event
from sqlalchemy.exc import DatabaseError, IntegrityError, InterfaceError, OperationalError

from inference.errors import DatabaseFault

FAULTS = (OperationalError, InterfaceError, DatabaseError)
"""An `IntegrityError` is one too, by its class, but it is a bug of ours and not a fault."""

OPENED = "opened"
"""Where a connection keeps which file it opened (device and inode)."""


def tell_in_words(engine: Engine) -> None:
    """From now on every fault of this database is a `DatabaseFault`."""
    place = engine.url.render_as_string(hide_password=True)

    def in_words(context: ExceptionContext) -> DatabaseFault | None:
        error = context.sqlalchemy_exception
        if not isinstance(error, FAULTS) or isinstance(error, IntegrityError):
            return None
        if context.is_pre_ping:  # a connection that went stale is opened again
            return None
        return DatabaseFault(
            f"Expected the database at {place} to work, got: {first_line(error.orig or error)}; "
            "free its disk, its lock or its server and do it again: what was kept before is safe."
        )

    event.listen(engine, "handle_error", in_words, retval=True)


def watch_file(engine: Engine, file: Path) -> None:
    """Refuse to write into an SQLite file that is no longer where it was."""

    def remember(connection: Any, record: Any) -> None:
        record.info[OPENED] = _identity(file)

    def look(connection: Connection) -> None:
        now, opened = _identity(file), connection.info.get(OPENED)
        if now == opened:
            return
        if now is not None:
            connection.invalidate()  # the next use opens the file that is there now
        raise DatabaseFault(
            f"Expected the database file {file} that was opened, got "
            f"{'another file in its place' if now else 'nothing'}; put it back, or start again "
            "to begin a new one: nothing was written."
        )

    event.listen(engine, "connect", remember)
    event.listen(engine, "begin", look)


def first_line(error: BaseException) -> str:
    """The first line of what it says, else its class."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
