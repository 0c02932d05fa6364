"""All studies below the data roots, found by names and headers, never by voxels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import count
from pathlib import Path

from viewer.assembly import assemble
from viewer.claims import FolderClaims, claims_in
from viewer.errors import UnknownStudy
from viewer.folders import folders_below
from viewer.layouts.layout import Claim
from viewer.study import MaskFile, Problem, Study


@dataclass(frozen=True)
class Catalogue:
    """Studies in the order of their roots and folders; problems that belong to none of them."""

    studies: tuple[Study, ...]
    problems: tuple[Problem, ...] = ()

    def study(self, study_id: str) -> Study:
        """The study of that id; `UnknownStudy` names the nearest ids."""
        found = next((study for study in self.studies if study.id == study_id), None)
        if found is not None:
            return found
        ids = [study.id for study in self.studies]
        near = ", ".join(get_close_matches(study_id, ids)) or "none like it"
        raise UnknownStudy(
            f"Expected one of the {len(ids)} studies listed, got {study_id!r} "
            f"(nearest: {near}); check the id or add its folder with --data."
        )


def find_studies(roots: Sequence[Path]) -> Catalogue:
    """Find the studies in and below `roots`.

    A root may be a collection at any depth or a study itself. What cannot be
    used is a `Problem` of its study, or of the catalogue where there is none.
    """
    return catalogue_of(claims_below(roots))


def claims_below(roots: Sequence[Path]) -> FolderClaims:
    """What the files in and below `roots` claim to be, and those that belong to no study."""
    claims: list[Claim] = []
    problems: list[Problem] = []
    for folder in folders_below(roots):
        if isinstance(folder, Problem):
            problems.append(folder)
            continue
        found = claims_in(folder)
        claims += found.claims
        problems += found.problems
    return FolderClaims(tuple(claims), tuple(problems))


def catalogue_of(found: FolderClaims) -> Catalogue:
    """The studies that the claims make up."""
    grouped: dict[tuple[Path, str, str], list[Claim]] = {}
    for claim in found.claims:
        grouped.setdefault((claim.folder, claim.layout, claim.study), []).append(claim)
    assembled = [assemble(claims) for claims in grouped.values()]
    problems = list(found.problems)
    for study in assembled:
        if not study.sequences:
            problems += _problems_of_no_study(study)
    studies, renamed = _with_unique_ids([study for study in assembled if study.sequences])
    return Catalogue(tuple(studies), (*problems, *renamed))


def with_label_scheme(catalogue: Catalogue, scheme: str) -> Catalogue:
    """The same studies, with the expert masks' labels read by `scheme`, whatever the layout."""

    def renamed(mask: MaskFile) -> MaskFile:
        return replace(mask, scheme=scheme) if mask.kind == "expert" else mask

    studies = (
        replace(study, masks=tuple(renamed(mask) for mask in study.masks))
        for study in catalogue.studies
    )
    return replace(catalogue, studies=tuple(studies))


def _problems_of_no_study(study: Study) -> Iterator[Problem]:
    """Why a folder's claims made no study: its files' problems, and masks left alone."""
    for problem in study.problems:
        yield Problem(str(study.folder / problem.file), problem.reason)
    for mask in study.masks:
        yield Problem(str(mask.path), "a label map without a readable sequence beside it")


def _with_unique_ids(studies: Sequence[Study]) -> tuple[list[Study], list[Problem]]:
    """The first study of an id keeps it; a later one is named after its folder, else numbered."""
    owners: dict[str, Study] = {}
    own_ids = {study.id for study in studies}
    problems: list[Problem] = []
    for study in studies:
        if study.id not in owners:
            owners[study.id] = study
            continue
        names = (n for n in _other_names(study) if n not in own_ids and n not in owners)
        new_id = next(names)
        first = owners[study.id].folder
        owners[new_id] = replace(study, id=new_id)
        reason = f"study id {study.id} is also that of {first}; listed as {new_id}"
        problems.append(Problem(str(study.folder), reason))
    return list(owners.values()), problems


def _other_names(study: Study) -> Iterator[str]:
    yield study.folder.name
    for number in count(2):
        yield f"{study.id}~{number}"
