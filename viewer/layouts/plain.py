"""Folders that follow no layout: file names say the sequence, and whose it is.

What stands before the first telling word of a name is its prefix. Files with
different prefixes belong to different studies where a prefix holds several
files, or where two prefixes claim one sequence; otherwise the folder is one
study. Numbers that no two files share are series numbers, not patients.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from viewer.layouts.layout import UNKNOWN_SCHEME, Claim, Role, stem_of
from viewer.layouts.tokens import WORDS, role_of, words_of

LAYOUT = "plain folder"
ACQUISITION = re.compile(
    r"(?<![a-z0-9])(?:ax|axial|sag|sagittal|cor|coronal|tra|trans|2d|3d|iso|tse|se|fse|gre|ir|mr"
    r"|mri|brain|head|tumou?r|lesion|glioma|whole|expert|manual|final|stripped)(?![a-z0-9])",
    re.IGNORECASE,
)
"""Words of a prefix that describe the picture, not the patient."""
GENERIC = {"anat", "nifti", "nii", "mri", "mr", "images", "image", "scans", "raw", "data"}
"""Folder names that name no patient: the folder above does."""


@dataclass(frozen=True)
class _Named:
    path: Path
    role: Role
    prefix: str


def plain_claims(paths: Sequence[Path]) -> tuple[list[Claim], list[Path]]:
    """Claims of one folder's files, and the files whose names say nothing."""
    named, silent = [], []
    for path in paths:
        stem = stem_of(path.name) or ""
        role = role_of(stem)
        if role is None:
            silent.append(path)
        else:
            named.append(_Named(path, role, _prefix(stem)))
    split = _several_studies(named)
    return [_claim(file, split) for file in named], silent


def _claim(file: _Named, split: bool) -> Claim:
    folder = file.path.parent
    named = folder.parent if folder.name.lower() in GENERIC else folder
    study = file.prefix if split and file.prefix else named.name
    return Claim(file.path, study, folder, file.role, LAYOUT, UNKNOWN_SCHEME)


def _prefix(stem: str) -> str:
    """The name up to its first telling word, without words that describe the picture."""
    position = 0
    for word in words_of(stem):
        position = stem.lower().index(word, position)
        if word in WORDS:
            break
        position += len(word)
    return ACQUISITION.sub("", stem[:position]).strip(" ._-")


def _several_studies(named: Sequence[_Named]) -> bool:
    sizes = Counter(file.prefix for file in named if file.prefix)
    if len(sizes) < 2:
        return False
    if max(sizes.values()) > 1:
        return True
    if all(prefix.isdigit() for prefix in sizes):
        return False
    claimed = Counter(f.role for f in named if f.role.kind == "sequence")
    return max(claimed.values(), default=0) > 1
