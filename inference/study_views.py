"""What a representation sees of a study: volumes, windows, labels, chosen slices.

A view is built either from files through the shared cache or from arrays that
were just made, so that a training sees what the page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from inference.errors import MissingSequence, NoMask
from inference.slices import (
    ChosenSlices,
    Point,
    SliceChoice,
    choose_slices,
    on_grid_of,
    slices_of_brain,
    slices_of_mask,
)
from inference.study_files import every_file
from segmentation.regions import canonical_labels
from viewer.arrays import LabelMap, Volume
from viewer.cache import ArrayCache
from viewer.errors import UnreadableFile
from viewer.study import Study, in_reading_order
from viewer.windows import Window, display_window


@dataclass(frozen=True, eq=False)
class StudyView:
    """One study as representations read it.

    `sequences` stand in reading order; `volume(name)` reads one of them;
    `window(name, rule)` its display window, computed once; `labels` is the
    mask that "include masks" draws, with canonical values, None where there is
    none; it is translated at its first use. `files` reads every image file of
    the study, masks among them, by file name.
    """

    study_id: str
    sequences: tuple[str, ...]
    volume: Callable[[str], Volume]
    window: Callable[[str, str], Window]
    labels: Callable[[], LabelMap | None]
    slices: ChosenSlices
    files: Callable[[], tuple[Volume, ...]] = tuple

    def labels_on(self, volume: Volume) -> NDArray[np.uint8]:
        """Canonical labels on the volume's grid; `NoMask` where the study has none."""
        labels = self.labels()
        if labels is None:
            raise NoMask(
                f"Expected a mask of study {self.study_id} to include in its pictures, found "
                "none; make one with segment, or untick include masks."
            )
        return on_grid_of(volume, labels).array

    def readable(self) -> tuple[tuple[Volume, ...], tuple[str, ...]]:
        """Every sequence that can be read, in reading order, and why each other cannot."""
        volumes, left_out = [], []
        for name in self.sequences:
            try:
                volumes.append(self.volume(name))
            except UnreadableFile as error:
                left_out.append(f"{name} is left out: {error}")
        if not volumes:
            raise MissingSequence(
                f"Expected a readable sequence in study {self.study_id}, found none: "
                f"{'; '.join(left_out)}"
            )
        return tuple(volumes), tuple(left_out)


def view_of_study(
    study: Study,
    cache: ArrayCache,
    which: SliceChoice = "auto",
    predicted: LabelMap | None = None,
    at_mm: Point | None = None,
) -> StudyView:
    """The view of a study on disk. `predicted` is the network's mask where one was made.

    `at_mm` is the user's own point, for `which` "user".
    """

    def volume(name: str) -> Volume:
        file = study.sequence(name)
        if file is None:
            raise MissingSequence(
                f"Expected sequence {name} in study {study.id}, found "
                f"{', '.join(s.name for s in study.sequences) or 'none'}; choose one of them."
            )
        return cache.volume(file)

    slices = choose_slices(study, cache, which, predicted, at_mm)
    expert = study.mask("expert")

    def labels() -> LabelMap | None:
        if expert is None or slices.source == "predicted":
            return predicted
        return cache.labels(expert)

    names = in_reading_order([sequence.name for sequence in study.sequences])
    view = _view(study.id, tuple(names), volume, labels, slices)
    return replace(view, files=lambda: every_file(study, cache))


def view_of_arrays(
    study_id: str, volumes: Mapping[str, Volume], labels: LabelMap | None = None
) -> StudyView:
    """The view of arrays in memory; `labels` stand for the expert's mask."""
    names = tuple(in_reading_order(list(volumes)))
    reference = volumes["FLAIR" if "FLAIR" in volumes else names[0]]
    slices = slices_of_mask(labels, reference, "expert") if labels is not None else None
    slices = slices or slices_of_brain(reference)
    view = _view(study_id, names, volumes.__getitem__, lambda: labels, slices)
    return replace(view, files=lambda: tuple(volumes.values()))


def _view(
    study_id: str,
    names: tuple[str, ...],
    volume: Callable[[str], Volume],
    labels: Callable[[], LabelMap | None],
    slices: ChosenSlices,
) -> StudyView:
    @lru_cache(maxsize=64)
    def window(name: str, rule: str) -> Window:
        return display_window(volume(name), rule)

    @lru_cache(maxsize=1)
    def canonical() -> LabelMap | None:
        found = labels()
        return replace(found, array=canonical_labels(found)) if found is not None else None

    return StudyView(study_id, names, volume, window, canonical, slices)
