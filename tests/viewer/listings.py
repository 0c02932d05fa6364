"""Short ways to write a study's files and to look at what was listed."""

from __future__ import annotations

from pathlib import Path

from tests.viewer.images import save
from viewer.catalogue import Catalogue
from viewer.study import Study

BRATS = ("flair", "t1", "t1ce", "t2", "seg")
FOUR = ["T1", "T1c", "T2", "FLAIR"]


def write(root: Path, *names: str) -> None:
    """Small images under these names."""
    for name in names:
        save(root / name)


def only(catalogue: Catalogue) -> Study:
    """The one study there is."""
    (study,) = catalogue.studies
    return study


def names(study: Study) -> list[str]:
    """Its sequences, in order."""
    return [sequence.name for sequence in study.sequences]


def problems(study: Study) -> dict[str, str]:
    """File -> reason of what was left out."""
    return {problem.file: problem.reason for problem in study.problems}
