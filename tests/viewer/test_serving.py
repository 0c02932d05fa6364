"""One application a port, and what a start says where it cannot go on."""

from __future__ import annotations

import http.server
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.errors import UserError
from viewer.instance import PortTaken, address_of, listen, runs_at
from viewer.window import require_window, window_toolkit

ROOT = Path(__file__).resolve().parents[2]
SLOW_S = 120
SOON_S = 120

Running = tuple[int, subprocess.Popen[bytes]]


def start(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "app.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True,
        timeout=SLOW_S,
    )  # fmt: skip


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Running]:
    """The port and the process of a running application without studies."""
    with listen("127.0.0.1", 0) as probe:
        port = int(probe.getsockname()[1])
    (tmp_path / "none").mkdir()
    folders = {"MRI_VQA_CACHE": str(tmp_path / "cache"), "MRI_VQA_DATA": str(tmp_path / "data")}
    command = [sys.executable, "app.py", "--port", str(port), "--data", str(tmp_path / "none")]
    environment = os.environ | folders
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as running:
        try:
            deadline = time.monotonic() + SLOW_S
            while not runs_at(address_of("127.0.0.1", port)):
                assert running.poll() is None and time.monotonic() < deadline
                time.sleep(0.2)
            yield port, running
        finally:
            running.terminate()


@pytest.fixture
def stranger() -> Iterator[int]:
    """The port of another program's web server."""
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def test_a_second_start_finds_the_first(first: Running, tmp_path: Path) -> None:
    port, _ = first
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    plain = start("--port", str(port))
    assert plain.returncode == 0
    assert plain.stdout == f"MRI VQA Viewer already runs: http://127.0.0.1:{port}/\n"
    assert not (tmp_path / "opened").exists()
    assert start("--port", str(port), "--open", BROWSER=str(browser)).returncode == 0
    assert (tmp_path / "opened").read_text().strip() == f"http://127.0.0.1:{port}/"


def test_it_ends_although_a_page_is_still_open(first: Running) -> None:
    port, running = first
    address = f"http://127.0.0.1:{port}/gradio_api/heartbeat/apage"
    with urllib.request.urlopen(address, timeout=SLOW_S) as page:
        assert page.readline()
        running.send_signal(signal.SIGINT)
        running.wait(SOON_S)


def test_another_program_on_the_port_is_one_sentence(stranger: int) -> None:
    done = start("--port", str(stranger))
    assert done.returncode == 2
    assert done.stderr == (
        f"Expected port {stranger} to be free, got another program on it; end that program or "
        "choose another port with --port.\n"
    )


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("999.1.1.1", 0)])
def test_an_impossible_place_is_one_sentence(host: str, port: int) -> None:
    with pytest.raises(UserError, match="Expected a"):
        listen(host, port)


def test_a_port_is_held_once() -> None:
    with (
        listen("127.0.0.1", 0) as held,
        pytest.raises(PortTaken, match=str(held.getsockname()[1])),
    ):
        listen("127.0.0.1", held.getsockname()[1])


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:7860/"),
        ("0.0.0.0", "http://127.0.0.1:7860/"),
        ("::", "http://[::1]:7860/"),
        ("mri.local", "http://mri.local:7860/"),
    ],
)
def test_the_address_can_be_opened_here(host: str, address: str) -> None:
    assert address_of(host, 7860) == address


def test_a_window_without_its_package_or_a_screen_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("viewer.window.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r'pip install -e "\.\[window\]"'):
        require_window()
    monkeypatch.setattr("viewer.window.find_spec", lambda name: object())
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(UserError, match="got none"):
        require_window({})
    require_window({"DISPLAY": ":0"})


@pytest.mark.parametrize(
    ("platform", "environment", "installed", "toolkit"),
    [
        ("linux", {}, True, "qt"),
        ("linux", {}, False, None),
        ("linux", {"PYWEBVIEW_GUI": "gtk"}, True, None),
        ("darwin", {}, True, None),
    ],
)
def test_qt_is_taken_where_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    environment: dict[str, str],
    installed: bool,
    toolkit: str | None,
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr("viewer.window.find_spec", lambda name: installed or None)
    assert window_toolkit(environment) == toolkit
