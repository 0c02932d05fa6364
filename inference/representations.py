"""Input representations: how one study becomes the pictures that a model gets.

A representation is a row of `REPRESENTATIONS`. Its pictures depend on the view
and the settings alone, so the page, the record and the model share them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from inference.coverage import checked, drawable
from inference.errors import MissingSequence, TooManyPictures
from inference.pictures import Picture, PictureSettings, freeze, pixel_hash
from inference.slice_pictures import montage_picture, slice_picture
from inference.slices import slice_in
from inference.study_views import StudyView
from viewer.arrays import Volume
from viewer.brain import brain_box
from viewer.errors import NoBrain, UnknownName
from viewer.planes import PLANES

Pictures = tuple[Picture, ...]
Draw = Callable[[StudyView, PictureSettings, int], Pictures]

UNLIMITED = 1_000_000
"""Most pictures of a model that states no limit."""


@dataclass(frozen=True)
class Representation:
    """A row: `draw(view, settings, most)` makes the pictures; `about` is one line for people.

    `planes` are those in which it draws every sequence that can be read and has
    the chosen slice; none where it draws one sequence only.
    """

    name: str
    about: str
    draw: Draw
    planes: tuple[str, ...] = ()

    @property
    def every_sequence(self) -> bool:
        """Whether it draws all sequences."""
        return bool(self.planes)


def represent(
    name: str, view: StudyView, settings: PictureSettings, max_pictures: int | None = None
) -> Pictures:
    """The pictures of `view` under that representation, in the order that they are sent.

    Raises `UnknownName`, `MissingSequence` where the study lacks the sequence
    that the representation draws, `OutsideSequence` where that does not lie where
    the slices were chosen, `NoMask` where masks are wanted and absent,
    `TooManyPictures` where the model takes fewer (`volume` draws fewer instead).
    """
    row = representation_named(name)
    most = UNLIMITED if max_pictures is None else max_pictures
    pictures = row.draw(view, settings, most)
    check_count(pictures, max_pictures, name, view.study_id)
    return pictures


def check_count(
    pictures: Pictures, most: int | None, name: str, study_id: str, instead: str = "montage"
) -> None:
    """`TooManyPictures` where a model takes fewer; `most` is None where nobody knows."""
    if most is not None and len(pictures) > most:
        raise TooManyPictures(
            f"Expected at most {most} pictures for this model, but {name} of study "
            f"{study_id} has {len(pictures)}; choose "
            f"{'text-only' if most == 0 else instead}."
        )


def representation_named(name: str) -> Representation:
    """The row of that name; `UnknownName` lists the others."""
    try:
        return REPRESENTATIONS[name]
    except KeyError:
        raise UnknownName(
            f"Expected a representation out of {', '.join(REPRESENTATIONS)}, got {name!r}; "
            "choose one of them."
        ) from None


def _single_slice(view: StudyView, settings: PictureSettings, most: int) -> Pictures:
    volume = checked(view, _volume(view, settings.sequence), "axial", settings)
    return (slice_picture(view, volume, "axial", slice_in(volume, view.slices, "axial"), settings),)


def _multi_slice(view: StudyView, settings: PictureSettings, most: int) -> Pictures:
    volumes, _ = drawable(view, "axial", settings)
    return tuple(
        slice_picture(view, volume, "axial", slice_in(volume, view.slices, "axial"), settings)
        for volume in volumes
    )


def _montage(view: StudyView, settings: PictureSettings, most: int) -> Pictures:
    return (montage_picture(view, "axial", settings),)


def _multi_montage(view: StudyView, settings: PictureSettings, most: int) -> Pictures:
    return tuple(montage_picture(view, plane, settings) for plane in PLANES)


def _volume_slices(view: StudyView, settings: PictureSettings, most: int) -> Pictures:
    volume = _volume(view, settings.sequence)
    indexes = evenly_spaced(volume, min(most, settings.volume_pictures))
    return tuple(slice_picture(view, volume, "axial", index, settings) for index in indexes)


def _blank(view: StudyView, settings: PictureSettings, most: int) -> Pictures:
    """Single-slice with every pixel black: the words around it stay what they were."""
    black = []
    for picture in _single_slice(view, replace(settings, include_masks=False), most):
        pixels = freeze(np.zeros_like(picture.pixels))
        black.append(
            replace(
                picture, pixels=pixels, sha256=pixel_hash(pixels), sequence="blank", window=None
            )
        )
    return tuple(black)


def _text_only(view: StudyView, settings: PictureSettings, most: int) -> Pictures:
    return ()


ROWS = (
    Representation(
        "single-slice", "One axial slice of one sequence (FLAIR) through the tumor", _single_slice
    ),
    Representation(
        "multi-slice", "That axial slice of every sequence, with captions", _multi_slice, ("axial",)
    ),
    Representation("montage", "Those axial slices in one labelled grid", _montage, ("axial",)),
    Representation(
        "multi-montage",
        "Three labelled grids: axial, coronal, sagittal",
        _multi_montage,
        tuple(PLANES),
    ),
    Representation(
        "volume", "Evenly spaced axial slices of one sequence, bottom to top", _volume_slices
    ),
    Representation("blank", "One black picture of single-slice's size, with its words", _blank),
    Representation("text-only", "No picture at all, only the question", _text_only),
)
REPRESENTATIONS: dict[str, Representation] = {row.name: row for row in ROWS}


def evenly_spaced(volume: Volume, most: int) -> tuple[int, ...]:
    """Up to `most` axial indexes from the brain's bottom to its top, evenly spaced.

    The ends are half a step inside the brain, where there is something to see.
    """
    try:
        brain = brain_box(volume)[2]
    except NoBrain:
        brain = slice(0, volume.array.shape[2])
    count = min(most, brain.stop - brain.start)
    step = (brain.stop - brain.start) / count if count else 0.0
    return tuple(int(brain.start + (n + 0.5) * step) for n in range(count))


def _volume(view: StudyView, name: str) -> Volume:
    if name not in view.sequences:
        raise MissingSequence(
            f"Expected sequence {name} in study {view.study_id}, found "
            f"{', '.join(view.sequences)}; choose one of them."
        )
    return view.volume(name)
