"""What the files of one session are: by the same rules as a data folder, else by the user's word.

Nothing is guessed. A file whose name does not say what it is, and a mask whose
layout does not say what its labels mean, are asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from viewer.catalogue import catalogue_of, claims_below
from viewer.claims import FolderClaims, is_undecided
from viewer.layouts.layout import UNKNOWN_SCHEME, Claim, Role, stem_of
from viewer.layouts.plain import LAYOUT
from viewer.session_files import LOOSE
from viewer.study import Problem, Study, session_id

EXPERT = "expert mask"
ROLES = {
    **{name: Role("sequence", name) for name in ("T1", "T1c", "T2", "FLAIR")},
    EXPERT: Role("mask", "expert"),
    "brain mask": Role("mask", "brain"),
    "leave out": Role("aside", "left out by you"),
}
OTHER = "other sequence"
"""A sequence of another kind; it keeps its file's name."""


@dataclass(frozen=True)
class Choice:
    """The user's word about a file: a key of `ROLES` or `OTHER`, and what its labels mean."""

    role: str = ""
    scheme: str = ""


@dataclass(frozen=True)
class Asked:
    """A file that is asked about; `role` is set where only its labels' scheme is unknown."""

    file: str
    role: str = ""


@dataclass(frozen=True)
class Reading:
    """The studies, what must be asked before there are any, and what was left out."""

    studies: tuple[Study, ...]
    asked: tuple[Asked, ...]
    problems: tuple[Problem, ...]


def read_files(folder: Path, session_folder: Path, choices: Mapping[str, Choice]) -> Reading:
    """The studies of the files below `folder`, a batch of the session in `session_folder`.

    `choices` answers for files, by their paths below `folder`. While a file is
    asked about, no study is made.
    """
    found = claims_below([folder])
    problems = tuple(p for p in found.problems if not is_undecided(p.reason))
    claims, asked = [], []
    for claim in [*_decided(found), *_undecided(found)]:
        name = claim.path.relative_to(folder).as_posix()
        chosen = _chosen(claim, choices.get(name))
        claims.append(chosen)
        if chosen.role.kind == "skip" and is_undecided(chosen.role.name):
            asked.append(Asked(name))
        elif _is_unclear_mask(chosen) and name not in choices:
            asked.append(Asked(name, EXPERT))
    if asked:
        return Reading((), tuple(asked), problems)
    catalogue = catalogue_of(FolderClaims(tuple(claims), problems))
    studies = tuple(_of_session(study, folder, session_folder) for study in catalogue.studies)
    return Reading(studies, (), catalogue.problems)


def _decided(found: FolderClaims) -> Iterator[Claim]:
    return (c for c in found.claims if not (c.role.kind == "skip" and is_undecided(c.role.name)))


def _undecided(found: FolderClaims) -> Iterator[Claim]:
    """Claims for the files that say nothing: of their folder's study, else one of their own."""
    for claim in found.claims:
        if claim.role.kind == "skip" and is_undecided(claim.role.name):
            yield claim
    for problem in found.problems:
        if is_undecided(problem.reason):
            path = Path(problem.file)
            role = Role("skip", problem.reason)
            yield Claim(path, path.parent.name, path.parent, role, LAYOUT, UNKNOWN_SCHEME)


def _chosen(claim: Claim, choice: Choice | None) -> Claim:
    """The claim by the user's word, where there is one and the name said nothing."""
    if choice is None:
        return claim
    if choice.role == OTHER:
        return replace(claim, role=Role("sequence", stem_of(claim.path.name) or claim.path.name))
    role = ROLES.get(choice.role, claim.role) if claim.role.kind == "skip" else claim.role
    return replace(claim, role=role, scheme=choice.scheme or claim.scheme)


def _is_unclear_mask(claim: Claim) -> bool:
    return claim.role == ROLES[EXPERT] and claim.scheme == UNKNOWN_SCHEME


def _of_session(study: Study, folder: Path, session_folder: Path) -> Study:
    name = LOOSE if study.id == folder.name else study.id
    return replace(study, id=session_id(name), session_folder=session_folder)
