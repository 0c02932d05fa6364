"""The files that studies are read from, which nothing may be written over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from viewer.catalogue import Catalogue
from viewer.errors import BadSetting
from viewer.study import Study

VOXELS = (".img", ".img.gz")
"""Endings of the file that holds the voxels beside a .hdr."""


def refuse_source_files(out: Path, catalogue: Catalogue) -> None:
    """`BadSetting` where writing to `out`, a file or a folder of PNG files, meets a source file.

    Links are followed, and a second name of one file (a hard link) counts as that
    file. In a folder only what ends in .png could be written over.
    """
    meant = [path for path in (out, *out.glob("*.png")) if path.is_file()]
    if not meant:
        return
    sources = {_identity(source): source for source in source_files(catalogue)}
    for path in meant:
        if source := sources.get(_identity(path)):
            raise BadSetting(
                f"Expected --out to lead to no file of a study, got {path}, which is "
                f"{source.name} in {source.parent}; give another name."
            )


def source_files(catalogue: Catalogue) -> Iterator[Path]:
    """Every file of the listed studies, those that could not be used too."""
    named = [path for study in catalogue.studies for path in _named(study)]
    for path in (*named, *(Path(problem.file) for problem in catalogue.problems)):
        for each in (path, *(path.with_name(path.stem + end) for end in VOXELS)):
            if each.is_file():
                yield each


def _named(study: Study) -> Iterator[Path]:
    yield from (sequence.path for sequence in study.sequences)
    yield from (mask.path for mask in study.masks)
    yield from (study.folder / problem.file for problem in study.problems)


def _identity(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_dev, stat.st_ino
