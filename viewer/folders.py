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
from viewer.printable import name_in_words
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
    waiting = list(reversed(roots))  # no recursion: folders may be nested deeper than calls
    while waiting:
        path = waiting.pop()
        inner: list[Path] = []
        yield from _look_into(path, seen, inner)
        waiting.extend(reversed(inner))


def _look_into(
    path: Path, seen: set[tuple[int, int]], folders_inside: list[Path]
) -> Iterator[Folder | Problem]:
    """The folder itself; those inside it go to `folders_inside`, sorted."""
    try:
        stat = path.stat()
        if (stat.st_dev, stat.st_ino) in seen:
            return
        seen.add((stat.st_dev, stat.st_ino))
        with os.scandir(path) as entries:
            named = [e for e in entries if not e.name.startswith(".") and e.name not in NO_DATA]
        visible = [e for e in named if _is_writable_name(e.name)]
        folders = sorted(e.name for e in visible if _is_folder(e))
    except (OSError, ValueError) as error:
        reason = f"expected a readable folder, got {reason_of(error)}"
        yield Problem(name_in_words(str(path)), reason)
        return
    for entry in named:
        if not _is_writable_name(entry.name):
            yield Problem(
                name_in_words(entry.path), "expected a name in UTF-8 on one line; rename it"
            )
    inner = frozenset(folders)
    names = frozenset(e.name for e in visible) - inner
    yield Folder(path, names, _images(names))
    folders_inside += [path / name for name in folders]


def _is_writable_name(name: str) -> bool:
    """Whether the name can stand in a list, an address and a message."""
    return name_in_words(name) == name and "\n" not in name and "\r" not in name


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
