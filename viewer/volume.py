"""One sequence, read from the disk: float32, RAS+, with notes on what was odd."""

from __future__ import annotations

import numpy as np

from viewer.arrays import FloatArray, Volume
from viewer.headers import read_header
from viewer.study import SequenceFile
from viewer.voxels import read_voxels, to_canonical


def read_volume(file: SequenceFile) -> Volume:
    """Read one sequence. The array is read-only: the cache shares it.

    Raises `UnreadableFile` with the file's name and the reason.
    """
    header = read_header(file.path)
    voxels, affine = to_canonical(read_voxels(header, file.frame), header.affine)
    with np.errstate(over="ignore", invalid="ignore"):  # beyond float32 becomes infinite
        array = np.array(voxels, dtype=np.float32, order="C")
    array.flags.writeable = False
    notes = dict.fromkeys((*file.notes, *header.notes, *value_notes(array)))
    return Volume(file.name, array, affine, file.path, tuple(notes))


def value_notes(array: FloatArray) -> tuple[str, ...]:
    """Notes on voxels that are not numbers and on a volume without contrast."""
    finite = np.isfinite(array)
    if finite.all():
        low, high = float(array.min()), float(array.max())
        return (f"constant: every voxel is {low:g}",) if low == high else ()
    nan = int(np.isnan(array).sum())
    infinite = int(array.size - finite.sum()) - nan
    counts = ((nan, "NaN"), (infinite, "infinite"))
    return tuple(f"{count} {what} voxels" for count, what in counts if count)
