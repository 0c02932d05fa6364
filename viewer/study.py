"""What a study is: one patient at one time point, as a list of files.

Nothing here holds voxels. A `Study` is what the catalogue finds by looking at
names and headers; `viewer.volume` and `viewer.labelmap` read the arrays.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MaskKind = Literal["expert", "predicted", "brain"]

SEQUENCE_ORDER = ("T1", "T1c", "T2", "FLAIR", "SWI", "DWI", "ADC", "ASL", "FA", "MD")
"""Reading order of the sequences; any other name follows in alphabetical order."""

SESSION_ID = re.compile(r".+~[0-9a-f]{24}", re.DOTALL)


@dataclass(frozen=True)
class SequenceFile:
    """One 3-D sequence of a study.

    `frame` is the index on the fourth axis when several sequences share one
    4-D file (MSD), else None. `shape` is (i, j, k) as stored, `spacing_mm` the
    voxel size along those axes.
    """

    name: str
    path: Path
    shape: tuple[int, int, int]
    spacing_mm: tuple[float, float, float]
    frame: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class MaskFile:
    """A label map that belongs to a study. `scheme` names what its labels mean."""

    kind: MaskKind
    path: Path
    scheme: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """A file that was left out, and why, in one sentence.

    `by_rule` marks a file that a layout always leaves out: nothing is to be mended.
    """

    file: str
    reason: str
    by_rule: bool = False


@dataclass(frozen=True)
class Study:
    """One patient, one time point. `id` is unique within a catalogue.

    `session_folder` is set for a study that a browser session opened from its
    own files: whatever is made from the study lies in there and nowhere else,
    and goes with the session.
    """

    id: str
    layout: str
    folder: Path
    sequences: tuple[SequenceFile, ...]
    masks: tuple[MaskFile, ...] = ()
    problems: tuple[Problem, ...] = ()
    synthetic: bool = False
    session_folder: Path | None = None

    def sequence(self, name: str) -> SequenceFile | None:
        """The sequence of that name, or None."""
        return next((s for s in self.sequences if s.name == name), None)

    def mask(self, kind: MaskKind) -> MaskFile | None:
        """The mask of that kind, or None."""
        return next((m for m in self.masks if m.kind == kind), None)


def in_reading_order(names: list[str]) -> list[str]:
    """Sequence names sorted as a radiologist reads them."""
    rank = {name: place for place, name in enumerate(SEQUENCE_ORDER)}
    return sorted(names, key=lambda name: (rank.get(name, len(rank)), name))


def session_id(name: str) -> str:
    """An id for a study that one browser session opened: nobody else can guess it."""
    return f"{name}~{secrets.token_hex(12)}"


def is_of_one_session(study_id: str) -> bool:
    """Whether `session_id` made that id."""
    return SESSION_ID.fullmatch(study_id) is not None


def shown_name(study_id: str) -> str:
    """The id as people read it: without what `session_id` added."""
    return study_id.rpartition("~")[0] if is_of_one_session(study_id) else study_id
