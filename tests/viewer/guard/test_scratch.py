"""Temporary files end with their process, and after a kill at the next start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from viewer.errors import BadSetting
from viewer.guard.scratch import own_scratch, scratch_root

CHILD = """
import sys, time
from pathlib import Path
from viewer.guard.scratch import own_scratch
place = own_scratch(Path(sys.argv[1]))
(place / "export.csv").write_text("a patient's answers")
print(place, flush=True)
if sys.argv[2] == "wait":
    time.sleep(600)
"""


def child(root: Path, how: str) -> tuple[subprocess.Popen[str], Path]:
    command = [sys.executable, "-c", CHILD, str(root), how]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_gone_with_the_process(tmp_path: Path) -> None:
    process, place = child(tmp_path / "root", "end")
    with process:
        assert process.wait(60) == 0
    assert place.parent == tmp_path / "root"
    assert not place.exists()


def test_after_a_kill_gone_at_the_next_start(tmp_path: Path) -> None:
    process, place = child(tmp_path / "root", "wait")
    with process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(60)
    assert (place / "export.csv").is_file()
    own_scratch(tmp_path / "root")
    assert not place.exists()


def test_a_living_process_keeps_its_files(tmp_path: Path) -> None:
    process, place = child(tmp_path / "root", "wait")
    with process:
        own_scratch(tmp_path / "root")
        assert (place / "export.csv").is_file()
        process.kill()


def test_only_this_user_reads_them(tmp_path: Path) -> None:
    place = own_scratch(tmp_path / "root")
    assert place.stat().st_mode & 0o077 == place.parent.stat().st_mode & 0o077 == 0


def test_somebody_elses_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadSetting, match="belongs to somebody else"):
        own_scratch(tmp_path / "root")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    (tmp_path / "root").write_text("in the way")
    with pytest.raises(BadSetting, match="Expected a folder for temporary files"):
        own_scratch(tmp_path / "root")


def test_it_lies_among_the_temporary_files() -> None:
    assert scratch_root().parent == Path(tempfile.gettempdir())
