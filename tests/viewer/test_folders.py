"""Every folder once, whatever links lead to it."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from viewer.folders import Folder, folders_below
from viewer.study import Problem


def touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"")


def images(*roots: Path) -> dict[str, tuple[str, ...]]:
    return {f.path.name: f.images for f in folders_below(roots) if isinstance(f, Folder)}


def test_images_by_name_and_depth(tmp_path: Path) -> None:
    touch(tmp_path, "a/b/c/x.nii.gz", "a/b/y.NII", "a/z.mgz", "a/notes.txt", "a/data.csv")
    found = images(tmp_path)
    assert (found["c"], found["b"], found["a"]) == (("x.nii.gz",), ("y.NII",), ("z.mgz",))


def test_hidden_names_are_no_data(tmp_path: Path) -> None:
    touch(tmp_path, "._x.nii.gz", ".git/y.nii", "__MACOSX/z.nii", "x.nii.gz")
    assert images(tmp_path) == {tmp_path.name: ("x.nii.gz",)}


def test_a_header_speaks_for_its_image(tmp_path: Path) -> None:
    touch(tmp_path, "x.hdr", "x.img", "lone.img")
    assert images(tmp_path)[tmp_path.name] == ("lone.img", "x.hdr")


def test_loops_of_links_end(tmp_path: Path) -> None:
    touch(tmp_path, "a/x.nii")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a" / "self")
    visited = list(folders_below([tmp_path, tmp_path / "a", tmp_path]))
    assert [f.path.name for f in visited if isinstance(f, Folder)] == [tmp_path.name, "a"]


def test_a_linked_folder_is_visited(tmp_path: Path) -> None:
    touch(tmp_path, "elsewhere/x.nii")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "link").symlink_to(tmp_path / "elsewhere")
    assert images(tmp_path / "root")["link"] == ("x.nii",)


@pytest.mark.parametrize("name", ["missing", "file.nii"])
def test_a_root_that_is_no_folder_is_a_problem(tmp_path: Path, name: str) -> None:
    touch(tmp_path, "file.nii", "good/x.nii")
    found = list(folders_below([tmp_path / name, tmp_path / "good"]))
    assert isinstance(found[0], Problem) and found[0].file.endswith(name)
    assert "expected a readable folder, got" in found[0].reason
    assert isinstance(found[1], Folder)


def test_folders_may_be_nested_deeper_than_calls(tmp_path: Path) -> None:
    deepest = tmp_path
    for _ in range(250):
        deepest = deepest / "d"
    deepest.mkdir(parents=True)
    limit, frames = sys.getrecursionlimit(), len(inspect.stack())
    sys.setrecursionlimit(frames + 100)
    try:
        found = list(folders_below([tmp_path]))
    finally:
        sys.setrecursionlimit(limit)
    assert len(found) == 251
