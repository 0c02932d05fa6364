"""The folders below the data roots and the images in them, by name alone.

Every folder is visited once, however many roots or links lead to it, so a loop
of links ends. Hidden names (`.git`, the `._*` of macOS) are no data.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from viewer.formats import reason_of
from viewer.study import Problem

IMAGE = re.compile(
    r".+\.(nii|nii\.gz|hdr|img|img\.gz|mgz|mgh|mnc|nrrd|nhdr|mha|mhd)", re.IGNORECASE
)
"""Names that promise an image, in whatever format."""
NO_DATA = frozenset({"__MACOSX"})


@dataclass(frozen=True)
class Folder:
    """One folder: all its file names, and those that promise an image, both sorted."""

    path: Path
    names: frozenset[str]
    images: tuple[str, ...]


def folders_below(roots: Sequence[Path]) -> Iterator[Folder | Problem]:
    """Every folder of the roots in order, depth first by name; a problem for one unreadable."""
    seen: set[tuple[int, int]] = set()
    for root in roots:
        yield from _walk(root, seen)


def _walk(path: Path, seen: set[tuple[int, int]]) -> Iterator[Folder | Problem]:
    try:
        stat = path.stat()
        if (stat.st_dev, stat.st_ino) in seen:
            return
        seen.add((stat.st_dev, stat.st_ino))
        with os.scandir(path) as entries:
            visible = [e for e in entries if not e.name.startswith(".") and e.name not in NO_DATA]
        folders = sorted(e.name for e in visible if _is_folder(e))
    except OSError as error:
        yield Problem(str(path), f"expected a readable folder, got {reason_of(error)}")
        return
    inner = frozenset(folders)
    names = frozenset(e.name for e in visible) - inner
    yield Folder(path, names, _images(names))
    for name in folders:
        yield from _walk(path / name, seen)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _images(names: frozenset[str]) -> tuple[str, ...]:
    """Image names, without the .img files that a .hdr of the folder speaks for."""
    stems = [name[: -len(".hdr")] for name in names if name.lower().endswith(".hdr")]
    spoken_for = {stem + end for stem in stems for end in (".img", ".img.gz")}
    return tuple(sorted(name for name in names - spoken_for if IMAGE.fullmatch(name)))
