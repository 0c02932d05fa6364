"""What the files of one folder claim to be: by a layout's row, else by their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from viewer.errors import UnreadableFile
from viewer.folders import Folder
from viewer.headers import read_header, volume_shape
from viewer.layouts.layout import Claim, Role, claim_of
from viewer.layouts.msd import frame_names
from viewer.layouts.plain import plain_claims
from viewer.layouts.table import LAYOUTS
from viewer.layouts.tokens import AT_ONCE
from viewer.study import Problem

NO_WORD = "its name tells no sequence (T1, T1c, T2, FLAIR, SWI, DWI, ADC, ASL); rename it"


@dataclass(frozen=True)
class FolderClaims:
    """The claims of one folder's files, and the files that belong to no study."""

    claims: tuple[Claim, ...]
    problems: tuple[Problem, ...]


def claims_in(folder: Folder) -> FolderClaims:
    """Claims of every image in the folder. A layout in a folder rules out free names there."""
    found = {name: _by_layout(folder, name) for name in folder.images}
    claims = [claim for claim in found.values() if claim is not None]
    rest = [folder.path / name for name, claim in found.items() if claim is None]
    if not claims:
        claims, rest = plain_claims(rest)
    claims, problems = _with_frame_names(claims)
    left_claims, left_problems = _left_over(rest, claims)
    return FolderClaims((*claims, *left_claims), (*problems, *left_problems))


def is_undecided(reason: str) -> bool:
    """Whether a file was left out only because its name does not say what it is."""
    return reason == NO_WORD or reason.endswith(AT_ONCE)


def reason_without_name(error: UnreadableFile, path: Path) -> str:
    """The error's sentence for a place that already names the file."""
    return str(error).removeprefix(f"{path.name}: ").removesuffix(".")


def _by_layout(folder: Folder, name: str) -> Claim | None:
    path = folder.path / name
    claims = (claim_of(layout, path, folder.names) for layout in LAYOUTS)
    return next((claim for claim in claims if claim is not None), None)


def _with_frame_names(claims: list[Claim]) -> tuple[list[Claim], list[Problem]]:
    """Claims on 4-D files with the names that the data set itself gives its volumes."""
    framed = next((claim for claim in claims if claim.role.kind == "frames"), None)
    if framed is None:
        return claims, []
    names, problem = frame_names(framed.folder, framed.role.names)
    role = replace(framed.role, names=names)
    renamed = [replace(c, role=role) if c.role.kind == "frames" else c for c in claims]
    return renamed, [problem] if problem else []


def _left_over(paths: Sequence[Path], claims: Sequence[Claim]) -> tuple[list[Claim], list[Problem]]:
    """Files that claim nothing: skipped in the folder's study, where it has just one."""
    reasons = {path: _why_left_out(path) for path in paths}
    if len({claim.study for claim in claims}) == 1:
        skipped = [
            replace(claims[0], path=path, role=Role("skip", why)) for path, why in reasons.items()
        ]
        return skipped, []
    return [], [Problem(str(path), why) for path, why in reasons.items()]


def _why_left_out(path: Path) -> str:
    try:
        volume_shape(read_header(path))
    except UnreadableFile as error:
        return reason_without_name(error, path)
    return NO_WORD
