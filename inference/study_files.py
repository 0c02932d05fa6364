"""Every image file of a study, as the published benchmark's pipeline sent them all.

That pipeline walked through the folder: sequences, bias-corrected copies,
diffusion series and masks alike (23 files in UCSF-PDGM).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from viewer.arrays import Volume
from viewer.cache import ArrayCache
from viewer.errors import UnreadableFile
from viewer.headers import read_header
from viewer.layouts.layout import stem_of
from viewer.study import SequenceFile, Study
from viewer.volume import read_volume


def every_file(study: Study, cache: ArrayCache) -> tuple[Volume, ...]:
    """Each readable file as grey values, by file name without regard to case.

    A mask shows its labels as they are stored, a 4-D diffusion series its
    first volume.
    """
    volumes = [*_sequences(study, cache), *_others(study)]
    return tuple(sorted(volumes, key=lambda volume: volume.path.name.lower()))


def _sequences(study: Study, cache: ArrayCache) -> Iterator[Volume]:
    for file in study.sequences:
        try:
            yield cache.volume(file)
        except UnreadableFile:
            continue


def _others(study: Study) -> Iterator[Volume]:
    """Masks, and what the layout leaves aside. Not cached: they are asked for rarely."""
    aside = (study.folder / problem.file for problem in study.problems if problem.by_rule)
    for path in (*(mask.path for mask in study.masks), *aside):
        try:
            yield _grey(path)
        except UnreadableFile:
            continue


def _grey(path: Path) -> Volume:
    header = read_header(path)
    i, j, k = header.shape[:3]
    frame = 0 if header.frames > 1 else None
    name = stem_of(path.name) or path.name
    return read_volume(SequenceFile(name, path, (i, j, k), header.spacing_mm, frame))
