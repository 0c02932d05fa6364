from __future__ import annotations

from pathlib import Path

import pytest

from viewer.errors import UnwritableFile
from viewer.written import whole_file, writing


def test_a_file_appears_whole_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    with whole_file(path) as fresh:
        fresh.write_text("all of it")
        assert not path.exists() and fresh.name.endswith("a.txt")
    assert path.read_text() == "all of it"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    with pytest.raises(ValueError, match="torn"), whole_file(path) as fresh:
        fresh.write_text("half")
        raise ValueError("torn")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_refuses_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, reason in ((tmp_path / "file" / "a", "exists|directory"), (tmp_path, "directory")):
        with (
            pytest.raises(UnwritableFile, match=f"Expected to write {path}, got: .*({reason})"),
            writing(path),
            whole_file(path) as fresh,
        ):
            fresh.write_text("x")
    with pytest.raises(UnwritableFile, match="got: disk full; name"), writing(tmp_path):
        raise OSError("disk full")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
