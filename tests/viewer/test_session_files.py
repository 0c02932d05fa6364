"""Files of one session: limits, names, and that they go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import viewer.session_files as session_files
from viewer.errors import UserError
from viewer.session_files import IDLE_S, LOOSE, SessionFiles, _checked
from viewer.study import Study, session_id


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., SessionFiles]]:
    """Starts a process's store below `tmp_path`; it ends with the test."""
    started: list[SessionFiles] = []

    def begin(*arguments: Any, **options: Any) -> SessionFiles:
        started.append(SessionFiles(tmp_path, *arguments, **options))
        return started[-1]

    yield begin
    for files in started:
        files.close()


Start = Callable[..., SessionFiles]


def receive(files: SessionFiles, token: str, batch: str, path: str, content: bytes = b"x") -> None:
    with files.receiving(token, batch, path) as write:
        write(content)


def everything(root: Path) -> set[str]:
    return {p.name for p in root.rglob("*") if p.is_file()}


def test_a_session_writes_below_its_own_random_folder(tmp_path: Path, start: Start) -> None:
    files = start()
    token = files.begin("page 1")
    assert not list(tmp_path.iterdir())
    batch = files.new_batch(token)
    receive(files, token, batch, "case/t1.nii.gz", b"abc")
    receive(files, token, batch, "loose.nii")
    folder = files.batch(token, batch)
    assert (folder / "case" / "t1.nii.gz").read_bytes() == b"abc"
    assert (folder / LOOSE / "loose.nii").is_file()
    assert os.name != "posix" or folder.parent.parent.stat().st_mode & 0o077 == 0
    assert files.begin("page 1") == token != files.begin("page 2")


def test_files_go_with_their_page_and_no_other(tmp_path: Path, start: Start) -> None:
    forgotten: list[Path] = []
    files = start(forgotten.append)
    for page in ("one", "two"):
        token = files.begin(page)
        receive(files, token, files.new_batch(token), f"{page}_t1.nii")
        study = Study(session_id(page), "plain", tmp_path, ())
        files.session(token).studies[study.id] = study
    folder = files.session(files.begin("one")).folder
    files.end("one")
    assert everything(tmp_path) == {"lock", "two_t1.nii"}
    assert forgotten == [folder]
    assert files.study(study.id) is study
    files.end("one")
    files.close()
    assert not list(tmp_path.iterdir())
    assert files.study(study.id) is None
    with pytest.raises(UserError, match="session that is over"):
        files.session(token)


def test_idle_sessions_and_strays_go(tmp_path: Path, start: Start) -> None:
    now = 0.0
    files = start(clock=lambda: now)
    late = files.begin("late")
    receive(files, late, files.new_batch(late), "late_t1.nii")
    now = IDLE_S - 1
    busy = files.begin("busy")
    receive(files, busy, files.new_batch(busy), "busy_t1.nii")
    stray = files.session(late).folder.parent / "0123456789abcdef"
    stray.mkdir()
    now = 2 * IDLE_S - 2
    files.session(busy)
    now = 2 * IDLE_S + 1
    files.begin("another")
    assert everything(tmp_path) == {"lock", "busy_t1.nii"}
    assert not stray.exists()


KILLED = """
import sys, time
from pathlib import Path
from viewer.session_files import SessionFiles
files = SessionFiles(Path(sys.argv[1]))
token = files.begin("page")
with files.receiving(token, files.new_batch(token), "t1.nii") as write:
    write(b"patient")
print("ready", flush=True)
time.sleep(60)
"""


def test_what_a_killed_process_left_goes_at_the_next_start(tmp_path: Path, start: Start) -> None:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        start()
        assert "t1.nii" in everything(tmp_path), "another running process keeps its files"
        running.send_signal(signal.SIGKILL)
        running.wait()
    start()
    assert everything(tmp_path) == set()


@pytest.mark.parametrize(
    ("limit", "value", "words"),
    [
        ("MOST_FILES", 0, "at most 0 files"),
        ("MOST_BYTES", 2, "GiB in one session"),
        ("ROOM_BYTES", 1 << 62, "room on the server's disk"),
    ],
)
def test_limits_are_sentences_and_leave_nothing(
    tmp_path: Path,
    start: Start,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    value: int,
    words: str,
) -> None:
    monkeypatch.setattr(session_files, limit, value)
    files = start()
    token = files.begin("page")
    batch = files.new_batch(token)
    with pytest.raises(UserError, match=words):
        receive(files, token, batch, "t1.nii", b"abc")
    assert everything(tmp_path) == {"lock"}


def test_a_file_twice_is_refused(tmp_path: Path, start: Start) -> None:
    files = start()
    token = files.begin("page")
    batch = files.new_batch(token)
    receive(files, token, batch, "t1.nii", b"first")
    with pytest.raises(UserError, match="twice"):
        receive(files, token, batch, "t1.nii", b"second")
    assert (files.batch(token, batch) / LOOSE / "t1.nii").read_bytes() == b"first"


@pytest.mark.parametrize(
    "path",
    ["../t1.nii", "a/../t1.nii", "/t1.nii", "a//t1.nii", ".t1.nii", "a\\t1.nii", "C:t1.nii",
     "t1\n.nii", "t1\x00.nii", "a/" * 9 + "t1.nii", "x" * 200 + ".nii", ""],
)  # fmt: skip
def test_no_path_leads_out(path: str) -> None:
    with pytest.raises(UserError, match="Expected"):
        _checked(path)


@pytest.mark.parametrize("name", ["IM00001", "scan.dcm", "notes.txt", "t1.nii.exe"])
def test_other_kinds_are_refused_with_the_way_out(name: str) -> None:
    with pytest.raises(UserError, match="dcm2niix"):
        _checked(name)


@given(st.text())
def test_whatever_the_browser_sends_stays_below_its_batch(path: str) -> None:
    try:
        place = _checked(path)
    except UserError:
        return
    assert not place.is_absolute() and ".." not in place.parts


def test_a_batch_of_another_session_is_refused(tmp_path: Path, start: Start) -> None:
    files = start()
    first, second = files.begin("one"), files.begin("two")
    batch = files.new_batch(first)
    for name in (batch, "..", "", "masks"):
        with pytest.raises(UserError, match="choose them again"):
            files.batch(second, name)
