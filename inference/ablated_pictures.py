"""Pictures with what they show taken away: black, scattered, or drawn as published.

Size, caption and place in the prompt stay; only pixels change, and the
picture's own hash and names say so.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from inference.pictures import Picture, PictureSettings, PixelArray, freeze, pixel_hash
from inference.slice_pictures import slice_picture
from inference.slices import slice_in
from inference.study_views import StudyView
from viewer.arrays import Volume
from viewer.planes import PLANES, cut
from viewer.windows import PERCENTILES, Window

NOISE_SEED = 0


def blackened(picture: Picture) -> Picture:
    """The picture with every pixel black."""
    return _without_anatomy(picture, np.zeros_like(picture.pixels), "blank")


def scattered(picture: Picture) -> Picture:
    """The picture's own pixels in a random order: same size, mean and histogram, no anatomy.

    The order depends on `NOISE_SEED` and the picture's size alone.
    """
    flat = picture.pixels.reshape(-1, 3)
    order = np.random.default_rng(NOISE_SEED).permutation(len(flat))
    return _without_anatomy(picture, flat[order].reshape(picture.pixels.shape), "noise")


def published_settings(settings: PictureSettings) -> PictureSettings:
    """The published benchmark's rules: whole slices, patient right on image right, no captions."""
    return replace(
        settings,
        convention="neurological",
        crop="full",
        include_masks=False,
        captions=False,
        edge_letters=False,
    )


def published_pictures(view: StudyView, settings: PictureSettings) -> tuple[Picture, ...]:
    """The axial slice of every file of the study, masks among them, by file name.

    Each slice has a window of its own, the 0.5th to the 99.5th percentile of
    its finite pixels. A study that has no expert's mask shows the predicted one.
    """
    volumes = _with_a_mask(view)
    places = {volume.name: slice_in(volume, view.slices, "axial") for volume in volumes}
    windows = {volume.name: _slice_window(volume, places[volume.name]) for volume in volumes}
    one_by_one = replace(view, window=lambda name, rule: windows[name])
    return tuple(
        slice_picture(one_by_one, volume, "axial", places[volume.name], settings)
        for volume in volumes
    )


def _with_a_mask(view: StudyView) -> list[Volume]:
    volumes, labels = list(view.files()), view.labels()
    if labels is not None and labels.source not in {volume.path.name for volume in volumes}:
        array = labels.array.astype(np.float32)
        volumes.append(Volume("tumor mask", array, labels.affine, Path(labels.source)))
    return sorted(volumes, key=lambda volume: volume.path.name.lower())


def _slice_window(volume: Volume, index: int) -> Window:
    pixels = cut(volume.array, PLANES["axial"], index, "neurological")
    finite = pixels[np.isfinite(pixels)]
    low, high = np.percentile(finite, PERCENTILES) if finite.size else (0.0, 1.0)
    return Window(float(low), float(max(high, low + 1e-6)), "percentile of the slice")


def _without_anatomy(picture: Picture, pixels: PixelArray, name: str) -> Picture:
    frozen = freeze(pixels)
    return replace(
        picture,
        pixels=frozen,
        sha256=pixel_hash(frozen),
        sequence=name,
        window=None,
        includes_mask=False,
        tiles=(),
    )
