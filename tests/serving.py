"""The application as its user starts it: `python app.py serve` in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OFFLINE = ROOT / "tests" / "offline"
REFUSED = "refused to call"
"""What `offline/sitecustomize.py` says of a call that it did not let out."""
START_SECONDS = 400


@dataclass(frozen=True)
class Served:
    """A running application; what it printed stands in `log`."""

    port: int
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        """The page."""
        return f"http://127.0.0.1:{self.port}/"


@contextmanager
def served(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> Iterator[Served]:
    """Serve until the block ends; records and the log lie in `folder`.

    The process calls nobody but loopback, and fails the test where it tries.
    """
    port = free_port()
    log = folder / f"{port}.log"
    own = {"MRI_VQA_DATA": str(folder / f"data-{port}"), "PYTHONPATH": str(OFFLINE)}
    known = os.environ | own | dict(environment or {})
    command = [sys.executable, "app.py", "serve", "--port", str(port), *arguments]
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file, env=known)
    try:
        _wait_until_up(port, process, log)
        yield Served(port, log, process)
    finally:
        process.terminate()
        process.wait(timeout=60)
    assert REFUSED not in log.read_text(errors="replace")


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"the server stopped:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5):
                return
        except urllib.error.HTTPError:
            return  # it answers, and wants a login
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"no page after {START_SECONDS} s:\n{log.read_text()}")
