"""Predicted masks, kept on the disk: made once for a study's content and a set of weights."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from segmentation.errors import MaskNotKept
from segmentation.mask_files import write_mask
from segmentation.predict import PREDICTED_SCHEME, Cancelled, Progress, never, segment, silent
from segmentation.prepare import inputs_of
from segmentation.weights import Weights
from viewer.arrays import LabelMap
from viewer.cache import ArrayCache
from viewer.cache_folder import CACHE_VARIABLE
from viewer.errors import UnreadableFile
from viewer.outside_json import parsed
from viewer.study import MaskFile, Study

VERSION = 1
"""Raised when the same network would give another mask: older entries are then made anew."""


@dataclass(frozen=True)
class MaskStore:
    """Masks below `folder`, read through the shared `cache`.

    An entry is a NIfTI file and a JSON file that says whose mask it is. It is
    found by the content of the study (names, sizes and modification times of
    its files), so a changed study has no mask until one is made for it. Masks
    of a study of one session lie in that session's folder.
    """

    folder: Path
    cache: ArrayCache
    _running: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def expert(self, study: Study) -> LabelMap | None:
        """The expert's mask, if the study has one; `UnreadableFile` if it cannot be read."""
        mask = study.mask("expert")
        return None if mask is None else self.cache.labels(mask)

    def predicted(self, study: Study) -> LabelMap | None:
        """The mask that was made last for the study as it is now; None where none was."""
        notes = sorted(self._place(study).glob("*.json"), key=_age)
        read = (self._read(note) for note in reversed(notes))
        return next((labels for labels in read if labels is not None), None)

    def segment(
        self,
        study: Study,
        weights: Weights,
        progress: Progress = silent,
        cancelled: Cancelled = never,
    ) -> LabelMap:
        """The study's mask by these weights, from the disk where it was made before.

        One network runs at a time. Raises what `segmentation.predict.segment` raises,
        and `MaskNotKept` where the disk refuses the mask.
        """
        kept = self.recall(study, weights)
        if kept is not None:
            return kept
        with self._running:
            made = segment(study, weights, self.cache, progress, cancelled)
        note = self._note(study, weights)
        about = (weights.entry.note, f"card: {weights.entry.card}")
        told = {"source": made.source, "notes": [*made.notes, *filter(None, about)]}
        try:
            write_mask(made, inputs_of(study, weights.entry)[0], _image(note))
            note.write_text(json.dumps(told))
        except OSError as error:
            raise MaskNotKept(
                f"Expected room for the mask in {self.folder}, got: "
                f"{error.strerror or type(error).__name__}; free the disk or name another "
                f"folder by {CACHE_VARIABLE}, then segment again."
            ) from error
        return self._read(note) or made

    def recall(self, study: Study, weights: Weights) -> LabelMap | None:
        """The study's mask by these weights, if it was made; it is the one shown from now on."""
        note = self._note(study, weights)
        kept = self._read(note)
        if kept is not None:
            note.touch()
        return kept

    def _read(self, note: Path) -> LabelMap | None:
        """An entry, or None where it is missing or damaged: it is made anew then."""
        try:
            told = parsed(note.read_text())
            labels = self.cache.labels(MaskFile("predicted", _image(note), PREDICTED_SCHEME))
            return replace(labels, source=str(told["source"]), notes=tuple(told["notes"]))
        except (OSError, ValueError, KeyError, TypeError, UnreadableFile):
            return None

    def _note(self, study: Study, weights: Weights) -> Path:
        return self._place(study) / f"{_key(weights)}.json"

    def _place(self, study: Study) -> Path:
        own = study.session_folder
        return (self.folder if own is None else own / "masks") / _content(study)


def _content(study: Study) -> str:
    """A name for the study's files as they are now."""
    files = []
    for sequence in sorted(study.sequences, key=lambda s: s.name):
        stat = sequence.path.stat() if sequence.path.exists() else None
        state = (stat.st_size, stat.st_mtime_ns) if stat else None
        files.append((sequence.name, str(sequence.path.resolve()), sequence.frame, state))
    return hashlib.sha256(repr(files).encode()).hexdigest()[:32]


def _key(weights: Weights) -> str:
    settings = json.dumps(asdict(weights.entry), sort_keys=True)
    return hashlib.sha256(f"{VERSION}/{weights.sha256}/{settings}".encode()).hexdigest()[:32]


def _image(note: Path) -> Path:
    return note.with_suffix(".nii.gz")


def _age(note: Path) -> int:
    return note.stat().st_mtime_ns
