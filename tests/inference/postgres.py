"""A PostgreSQL server for the tests: the one that is given, or one of our own.

MRI_VQA_TEST_POSTGRES names a server's URL. Else a local `postgres` is started
on a socket in a temporary folder, as the user `postgres` where the tests run
as root, since it refuses to run as root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

from tests.conftest import skip

URL_VARIABLE = "MRI_VQA_TEST_POSTGRES"
DEBIAN = Path("/usr/lib/postgresql")


@contextmanager
def running_server(folder: Path) -> Iterator[str]:
    """The URL of a server for as long as it is needed; skips by name where there is none."""
    given = os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    programs = _programs()
    if programs is None:
        skip("no PostgreSQL: neither MRI_VQA_TEST_POSTGRES nor a local postgres")
        return
    # A short path of its own: a socket's name may have 107 letters, and the
    # server's user cannot enter the folders that pytest makes.
    home = Path(f"/tmp/pg-{uuid.uuid4().hex[:8]}")
    _as_server(["mkdir", "-m", "700", str(home)])
    data = home / "data"
    _as_server([str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust"])
    options = f"-k {home} -c listen_addresses='' -c fsync=off"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-t", "300"]
    control += ["-l", str(home / "log")]
    if os.geteuid() == 0:
        home.chmod(0o711)
    _as_server([*control, "-o", options, "start"])
    try:
        yield f"postgresql+psycopg://postgres@/postgres?host={home}"
    finally:
        _as_server([*control, "-m", "immediate", "stop"])
        shutil.rmtree(home, ignore_errors=True)


def empty_database(server: str) -> str:
    """The URL of a database of that server in which nothing is yet."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    engine.dispose()
    return make_url(server).set(database=name).render_as_string(hide_password=False)


def _programs() -> Path | None:
    """The folder of initdb and pg_ctl: Debian keeps them off the path."""
    found = shutil.which("pg_ctl")
    folders = [*([Path(found).parent] if found else []), *sorted(DEBIAN.glob("*/bin"))]
    return next((f for f in reversed(folders) if (f / "pg_ctl").exists()), None)


def _as_server(command: list[str]) -> None:
    who = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*who, *command],
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.decode()}")
