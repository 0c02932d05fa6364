"""A real server and a real browser. Any request that leaves this machine fails the test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import skip

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
START_SECONDS = 400

Serve = Callable[..., str]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium with software WebGL 2.

    Closed with the package: Playwright keeps an event loop running in this thread.
    """
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own; it fails the test on foreign requests and on uncaught script errors."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    foreign: list[str] = []
    errors: list[str] = []
    opened.on("request", lambda r: foreign.append(r.url) if _is_foreign(r.url) else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not foreign, f"requests left this machine: {foreign}"
    assert not errors, f"uncaught errors in the page: {errors}"


@pytest.fixture(scope="package")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Start `python app.py serve` with the arguments given; the address comes back."""
    running: list[subprocess.Popen[bytes]] = []
    logs = tmp_path_factory.mktemp("logs")

    def start(*arguments: str) -> str:
        port = _free_port()
        log = logs / f"{port}.log"
        command = [sys.executable, "app.py", "serve", "--port", str(port), *arguments]
        environment = os.environ | {"MRI_VQA_DATA": str(logs / f"data-{port}")}
        with log.open("wb") as file:
            process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file, env=environment)
        running.append(process)
        _wait_until_up(port, process, log)
        return f"http://127.0.0.1:{port}/"

    yield start
    for process in running:
        process.terminate()
        process.wait(timeout=20)


def _is_foreign(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in {"data", "blob", "about"} and parts.hostname != "127.0.0.1"


def _free_port() -> int:
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
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"no page after {START_SECONDS} s:\n{log.read_text()}")
