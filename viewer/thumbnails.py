"""A small picture of a study for the list: one axial slice, the patient's right on the left."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from viewer.arrays import LabelMap, Volume
from viewer.brain import brain_box
from viewer.errors import NoBrain, UnreadableFile, UserError
from viewer.labelmap import read_labelmap
from viewer.planes import PLANES, Convention, cut, edges, pixel_size_mm, slice_count
from viewer.study import SequenceFile, Study
from viewer.volume import read_volume
from viewer.windows import display_window, to_uint8

SIDE = 112
"""Pixels of the square picture; shown at half that size, sharp on a dense screen."""
LETTER_PIXELS = 22
PREFERRED = ("FLAIR", "T1c", "T2", "T1")
"""The sequence that shows a glioma's extent best comes first."""
PLANE = PLANES["axial"]
CONVENTION: Convention = "radiological"
VERSION = 1
"""Raised when the same study would give another picture: kept ones are then made anew."""


class Thumbnails:
    """Thumbnails kept below `folder`, found by the content that they were made from.

    A study of one session keeps its own in the session's folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def png(self, study: Study) -> bytes:
        """The picture; made now if it is not kept. Raises `UserError` where there is none."""
        kept = (study.session_folder or self.folder) / "thumbnails" / f"{content_key(study)}.png"
        try:
            return kept.read_bytes()
        except OSError:
            made = thumbnail(study)
            _keep(made, kept)
            return made


def content_key(study: Study) -> str:
    """A name for what the thumbnail is made of: file paths, sizes and modification times.

    Raises `UnreadableFile` for a file that is gone.
    """
    sequence, mask = _shown_sequence(study), study.mask("expert")
    paths = [sequence.path, *([mask.path] if mask else [])]
    try:
        states = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
    except OSError as error:
        raise UnreadableFile(
            f"{study.id}: expected its files, one is gone; list the studies again."
        ) from error
    return hashlib.sha256(repr((VERSION, sequence.frame, states)).encode()).hexdigest()[:32]


def thumbnail(study: Study) -> bytes:
    """A PNG of `SIDE`×`SIDE` grey pixels with the letter of the side on the image's left.

    The slice is that of the largest expert mask, else the middle of the brain.
    Volumes are read past the shared cache: looking through a list must not push
    out what is being read. Raises `UnreadableFile`.
    """
    volume = read_volume(_shown_sequence(study))
    index = _slice_index(study, volume)
    drawn = cut(volume.array, PLANE, index, CONVENTION)
    grey = to_uint8(drawn, display_window(volume))
    return _framed(grey, pixel_size_mm(volume.spacing_mm, PLANE))


def _shown_sequence(study: Study) -> SequenceFile:
    found = (study.sequence(name) for name in PREFERRED)
    return next((sequence for sequence in found if sequence), study.sequences[0])


def _slice_index(study: Study, volume: Volume) -> int:
    last = slice_count(volume.array, PLANE) - 1
    mask = study.mask("expert")
    try:
        found = None if mask is None else _largest_slice(read_labelmap(mask), volume)
    except UserError:  # the list shows the brain; the reader is told when the study is opened
        found = None
    return min(max(_middle(volume) if found is None else found, 0), last)


def _largest_slice(labels: LabelMap, volume: Volume) -> int | None:
    """The volume's slice nearest to the mask's largest one, by millimetres."""
    others = tuple(axis for axis in range(3) if axis != PLANE.through)
    areas = np.count_nonzero(labels.array, axis=others)
    if not areas.any():
        return None
    at = np.ones(4)
    at[:3] = [(size - 1) / 2 for size in labels.array.shape]
    at[PLANE.through] = int(areas.argmax())
    index = np.linalg.solve(volume.affine, labels.affine @ at)
    return round(float(index[PLANE.through]))


def _middle(volume: Volume) -> int:
    try:
        box = brain_box(volume)[PLANE.through]
    except NoBrain:
        return slice_count(volume.array, PLANE) // 2
    return int(box.start + box.stop) // 2


def _framed(grey: NDArray[np.uint8], size_mm: tuple[float, float]) -> bytes:
    """The slice in its true proportions on black, with its letter, as PNG."""
    height, width = grey.shape[0] * size_mm[0], grey.shape[1] * size_mm[1]
    scale = SIDE / max(height, width)
    shown = max(round(width * scale), 1), max(round(height * scale), 1)
    slice_picture = Image.fromarray(grey).resize(shown, Image.Resampling.BILINEAR)
    picture = Image.new("L", (SIDE, SIDE))
    picture.paste(slice_picture, ((SIDE - shown[0]) // 2, (SIDE - shown[1]) // 2))
    write = partial(ImageDraw.Draw(picture).text, anchor="lm", stroke_width=2, stroke_fill=0)
    letter = edges(PLANE, CONVENTION).left
    write((4, SIDE // 2), letter, fill=255, font=ImageFont.load_default(LETTER_PIXELS))
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _keep(content: bytes, path: Path) -> None:
    """Whole or not at all; a full or read-only disk costs only the next making."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".making-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError:
        return
