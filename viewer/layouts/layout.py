"""A layout is a row: which file names belong to it, and what each file is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

RoleKind = Literal["sequence", "frames", "mask", "aside", "skip"]
IMAGE_NAME = re.compile(r"(?P<stem>.+?)\.(nii\.gz|nii|hdr)", re.IGNORECASE)
UNKNOWN_SCHEME = "unknown"
"""The scheme of a label map whose name does not tell what its values mean."""


@dataclass(frozen=True)
class Role:
    """What a file is for its study.

    `name` is the sequence of a "sequence", the kind of a "mask", the reason of
    a "skip" or of what is left "aside", where nothing is to be mended; "frames"
    are the sequences of one 4-D file, in the order of `names`.
    """

    kind: RoleKind
    name: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """A row of the table.

    `file` must match a file's whole name without its extension. Its group
    `study` (or that of `folder`, which must match the folder's name) is the
    study id; without either the folder's name is. Its group `what`, in lower
    case, is looked up in `roles`. `scheme` names what the labels mean. `marker`
    is a file that must lie in the folder. `up` is how many folders above the
    file its study lies.
    """

    name: str
    file: re.Pattern[str]
    roles: Mapping[str, Role]
    scheme: str
    folder: re.Pattern[str] = re.compile(".*")
    marker: str | None = None
    up: int = 0
    synthetic: bool = False


@dataclass(frozen=True)
class Claim:
    """A file and what it claims to be in which study."""

    path: Path
    study: str
    folder: Path
    role: Role
    layout: str
    scheme: str
    synthetic: bool = False


def stem_of(name: str) -> str | None:
    """A file's name without .nii, .nii.gz or .hdr; None for any other file."""
    match = IMAGE_NAME.fullmatch(name)
    return match["stem"] if match else None


def claim_of(layout: Layout, path: Path, names: frozenset[str]) -> Claim | None:
    """What `path` is by this row, or None where the row is not about it.

    `names` are all files of the folder.
    """
    stem = stem_of(path.name)
    file = layout.file.fullmatch(stem) if stem else None
    folder = layout.folder.fullmatch(path.parent.name)
    if file is None or folder is None or (layout.marker and layout.marker not in names):
        return None
    found = {**file.groupdict(), **folder.groupdict()}
    role = layout.roles.get((found.get("what") or "").lower())
    return Claim(
        path=path,
        study=found.get("study") or path.parent.name,
        folder=path.parents[layout.up],
        role=role or Role("skip", f"no file of the {layout.name} layout that is shown"),
        layout=layout.name,
        scheme=layout.scheme,
        synthetic=layout.synthetic,
    )
