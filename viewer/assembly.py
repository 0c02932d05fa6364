"""From the claims on one study to the study: headers checked, conflicts settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from viewer.claims import reason_without_name
from viewer.errors import UnreadableFile
from viewer.grids import same_grid
from viewer.headers import Header, read_header, volume_shape
from viewer.layouts.layout import Claim
from viewer.study import MaskFile, MaskKind, Problem, SequenceFile, Study, in_reading_order
from viewer.voxels import canonical_grid

RULE = "the readable file with the shortest name, then the first by alphabet, is taken"
KINDS: dict[str, MaskKind] = {"expert": "expert", "predicted": "predicted", "brain": "brain"}

Candidate = tuple[Header, SequenceFile | MaskFile]


def assemble(claims: Sequence[Claim]) -> Study:
    """The study that these claims of one id and folder make up; it may have no sequence."""
    taken: dict[str, Candidate] = {}
    problems: list[Problem] = []
    for claim in sorted(claims, key=lambda claim: (len(claim.path.name), claim.path.name)):
        try:
            for name, candidate in _candidates(claim):
                if name in taken:
                    problems.append(_conflict(claim, name, taken[name][1]))
                else:
                    taken[name] = candidate
        except UnreadableFile as error:
            reason = reason_without_name(error, claim.path)
            problems.append(Problem(claim.path.name, reason, claim.role.kind == "aside"))
    headers = {f.name: header for header, f in taken.values() if isinstance(f, SequenceFile)}
    sequences = {f.name: f for _, f in taken.values() if isinstance(f, SequenceFile)}
    first = claims[0]
    return Study(
        id=first.study,
        layout=first.layout,
        folder=first.folder,
        sequences=_with_grid_notes([sequences[n] for n in in_reading_order([*sequences])], headers),
        masks=tuple(f for _, f in taken.values() if isinstance(f, MaskFile)),
        problems=tuple(sorted(problems, key=lambda problem: problem.file)),
        synthetic=first.synthetic,
    )


def _candidates(claim: Claim) -> Iterator[tuple[str, Candidate]]:
    """(slot, candidate) of a claim; raises `UnreadableFile` for one that cannot be kept."""
    role = claim.role
    if role.kind in {"aside", "skip"}:
        raise UnreadableFile(role.name)
    header = read_header(claim.path)
    if role.kind == "frames":
        yield from _frames(claim, header)
        return
    shape = volume_shape(header)
    if role.kind == "mask":
        mask = MaskFile(KINDS[role.name], claim.path, claim.scheme, header.notes)
        yield f"{role.name} mask", (header, mask)
        return
    sequence = SequenceFile(role.name, claim.path, shape, header.spacing_mm, notes=header.notes)
    yield role.name, (header, sequence)


def _frames(claim: Claim, header: Header) -> Iterator[tuple[str, Candidate]]:
    names = claim.role.names
    if header.frames != len(names) or len(header.shape) != 4:
        raise UnreadableFile(
            f"expected a 4-D file with {len(names)} volumes ({', '.join(names)}), got shape "
            f"{header.shape}; check dataset.json or the file."
        )
    i, j, k, _ = header.shape
    for frame, name in enumerate(names):
        file = SequenceFile(name, claim.path, (i, j, k), header.spacing_mm, frame, header.notes)
        yield name, (header, file)


def _conflict(claim: Claim, name: str, kept: SequenceFile | MaskFile) -> Problem:
    return Problem(claim.path.name, f"also claims {name}; {kept.path.name} is shown ({RULE})")


def _with_grid_notes(
    sequences: Sequence[SequenceFile], headers: dict[str, Header]
) -> tuple[SequenceFile, ...]:
    """The sequences, those off the first one's grid with a note that says so."""
    if not sequences:
        return ()
    first = sequences[0]
    note = f"on another grid than {first.name}; linked by millimetres"
    return tuple(
        file
        if _one_grid(headers[first.name], headers[file.name])
        else replace(file, notes=(*file.notes, note))
        for file in sequences
    )


def _one_grid(a: Header, b: Header) -> bool:
    """Whether two files share a grid once both are turned to RAS+."""
    if a.shape[:3] == b.shape[:3] and np.array_equal(a.affine, b.affine):
        return True
    grids = [canonical_grid(h.affine, (h.shape[0], h.shape[1], h.shape[2])) for h in (a, b)]
    return same_grid(*grids[0], *grids[1])
