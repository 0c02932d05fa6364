"""Where in the patient the pictures of an ask lie, so that the panes can go there.

It is told from what a record keeps of its pictures (`picture_json`) and from
the headers of the study's files; no voxel is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from viewer.errors import UnreadableFile, UserError
from viewer.grids import voxel_to_mm
from viewer.headers import read_header
from viewer.planes import PLANES
from viewer.study import SequenceFile, Study
from viewer.voxels import canonical_grid

OF_ANOTHER_STUDY = "wrong-study"
"""The ablation whose pictures lie in another study than the record's."""

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class ShownSlice:
    """One slice that a model was shown: `mm` is its middle (x, y, z), world mm."""

    sequence: str
    plane: str
    mm: tuple[float, float, float]


@dataclass(frozen=True)
class ShownSlices:
    """The slices of one ask about one study."""

    study: str
    question: str
    slices: tuple[ShownSlice, ...]

    def to_json(self) -> str:
        """The slices, as the panes read them."""
        return json.dumps([asdict(one) for one in self.slices])


def shown_slices(study: Study, question: str, details: Sequence[Fields]) -> ShownSlices:
    """The slices of pictures that `picture_json` describes.

    A picture without anatomy (black, noise) has none, nor has a sequence that
    the study no longer has or whose file cannot be read.
    """
    found = dict.fromkeys(_located(study, details))
    return ShownSlices(study.id, question, tuple(found))


def slices_of_record(study: Study, record: Fields) -> ShownSlices:
    """The slices of a record's JSON; none where its pictures are another study's."""
    elsewhere = (record["ablation"] or "").startswith(OF_ANOTHER_STUDY)
    details = [] if elsewhere else record["picture_details"]
    return shown_slices(study, record["question_id"], details)


def recorded_slices(find: Callable[[str], Study], record: Fields) -> ShownSlices:
    """`slices_of_record` where the record's study is known by `find`, else none."""
    try:
        return slices_of_record(find(record["case"]), record)
    except UserError:
        return ShownSlices(record["case"], record["question_id"], ())


def _located(study: Study, details: Sequence[Fields]) -> Iterator[ShownSlice]:
    for detail in details:
        for tile in detail["tiles"] or [detail]:
            file = study.sequence(tile["sequence"])
            if file is None or tile["index"] is None or tile["plane"] not in PLANES:
                continue
            middle = _middle(file, tile["plane"], int(tile["index"]))
            if middle is not None:
                yield ShownSlice(file.name, tile["plane"], middle)


def _middle(file: SequenceFile, plane: str, index: int) -> tuple[float, float, float] | None:
    """World mm of the middle of a slice; None where the file's header cannot be read."""
    try:
        header = read_header(file.path)
    except UnreadableFile:
        return None
    i, j, k = header.shape[:3]
    affine, shape = canonical_grid(header.affine, (i, j, k))
    voxel = [(size - 1) / 2 for size in shape]
    voxel[PLANES[plane].through] = index
    x, y, z = (round(float(value), 3) for value in voxel_to_mm(affine, voxel))
    return (x, y, z)
