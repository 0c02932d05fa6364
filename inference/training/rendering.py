"""Synthetic studies as the pictures the app would send, kept on disk.

Pictures come from `represent` itself, so a training sees the very pixels that
the page shows. Beside each picture lies where its tumor regions are, drawn by
the same functions from the labels: the vision tower is taught with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from inference.pictures import Picture, PictureSettings, freeze, pixel_hash
from inference.representations import represent
from inference.study_views import StudyView, view_of_arrays
from inference.training.shards import Shard
from viewer.arrays import LabelMap, Volume
from viewer.synthesis import SyntheticStudy, load_anatomy, synthesise
from viewer.synthesis.anatomy import Anatomy
from viewer.windows import Window

DRAWN = ("multi-slice", "montage", "multi-montage", "volume")
"""Representations that are drawn; single-slice is a part of multi-slice, blank is black."""

FIRST_HELD_OUT = 1_000_000
"""Seeds from here on are only measured with; training draws from the seeds below."""

SPACING_MM = 2.0
"""A pixel of the demo model's pictures is 1.8 mm: finer studies would look the same."""

BRATS = ("T1", "T1c", "T2", "FLAIR")
MORE = (*BRATS, "SWI", "DWI", "ADC")

BLOCK_PX = 2
REGIONS: tuple[tuple[int, ...], ...] = ((1, 2, 4), (1, 4), (4,))
"""Labels of the whole tumor, the tumor core and the enhancing tumor."""


@dataclass(frozen=True)
class Plan:
    """How one study of a training is made."""

    seed: int
    contrast: Literal["plausible", "randomised"]
    sequences: tuple[str, ...]


def plan_of(seed: int) -> Plan:
    """Two in three studies look plausible, one in three has random contrasts; two in five
    have seven sequences, the others BraTS's four."""
    contrast: Literal["plausible", "randomised"] = "randomised" if seed % 3 == 2 else "plausible"
    return Plan(seed, contrast, MORE if seed % 5 < 2 else BRATS)


def held_out_plan(seed: int) -> Plan:
    """A study to measure with: plausible contrasts, BraTS's four sequences."""
    return Plan(seed, "plausible", BRATS)


def rendered(plan: Plan, settings: PictureSettings, anatomy: Anatomy) -> Shard:
    """One study, drawn in every representation."""
    study = synthesise(
        plan.seed,
        spacing_mm=SPACING_MM,
        contrast=plan.contrast,
        sequences=plan.sequences,
        anatomy=anatomy,
    )
    view = study_view(f"synthetic-{plan.seed}", study)
    pictures: list[Picture] = []
    spans: dict[str, tuple[int, int]] = {}
    for name in DRAWN:
        start = len(pictures)
        pictures += represent(name, view, settings)
        spans[name] = (start, len(pictures))
    return Shard(
        seed=plan.seed,
        facts=study.facts.to_json(),
        spans=spans,
        captions=tuple(
            (p.caption, p.sequence, p.plane, -1 if p.index is None else p.index) for p in pictures
        ),
        pixels=np.stack([p.pixels[:, :, 0] for p in pictures]),
        regions=_regions(view, study, settings),
    )


def shown(shard: Shard, name: str) -> tuple[Picture, ...]:
    """The drawn study's pictures in the representation of that name."""
    if name == "text-only":
        return ()
    start, stop = shard.spans[name if name in shard.spans else "multi-slice"]
    pictures = tuple(_picture(shard, n) for n in range(start, stop))
    if name in shard.spans:
        return pictures
    (single,) = (picture for picture in pictures if picture.sequence == PictureSettings().sequence)
    return (single,) if name == "single-slice" else (_black(single),)


def _picture(shard: Shard, n: int) -> Picture:
    caption, sequence, plane, index = shard.captions[n]
    pixels = freeze(np.repeat(shard.pixels[n][:, :, None], 3, axis=2))
    place = None if index < 0 else index
    return Picture(
        pixels, caption, sequence, plane, place, None, "radiological", pixel_hash(pixels)
    )


def _black(picture: Picture) -> Picture:
    pixels = freeze(np.zeros_like(picture.pixels))
    return replace(picture, pixels=pixels, sha256=pixel_hash(pixels))


def study_view(name: str, study: SyntheticStudy) -> StudyView:
    """The study as representations read it, its own labels picking the slices."""
    volumes = {
        sequence: Volume(sequence, array, study.affine, Path(name))
        for sequence, array in study.volumes.items()
    }
    labels = LabelMap(study.labels, study.affine, "demo", "synthesis")
    return view_of_arrays(name, volumes, labels)


def _regions(
    view: StudyView, study: SyntheticStudy, settings: PictureSettings
) -> NDArray[np.uint8]:
    """Which region fills each block of `BLOCK_PX` pixels: (pictures, rows, columns).

    0 none, 1 edema, 2 tumor core, 3 enhancing tumor; the regions are nested.
    """
    empty = _drawn_as(view, np.zeros_like(study.labels, dtype=np.float32), settings)
    inside = np.zeros((len(empty), *(side // BLOCK_PX for side in empty.shape[1:])), np.uint8)
    for labels in REGIONS:
        mask = np.isin(study.labels, labels).astype(np.float32)
        # A montage's lettering is drawn in both and cancels out.
        drawn = _drawn_as(view, mask, settings) - empty
        n, rows, columns = inside.shape
        blocks = drawn.reshape(n, rows, BLOCK_PX, columns, BLOCK_PX).mean(axis=(2, 4))
        inside += blocks > 127.5
    return inside


def _drawn_as(
    view: StudyView, array: NDArray[np.float32], settings: PictureSettings
) -> NDArray[np.float32]:
    """Every picture of the study with `array` (0..1) in the place of each sequence."""

    def volume(name: str) -> Volume:
        return replace(view.volume(name), array=array)

    def window(name: str, rule: str) -> Window:
        return Window(0.0, 1.0, rule)

    # `volume` spaces its slices by the brain, which `array` does not hold: the real box decides.
    masked = replace(view, volume=volume, window=window)
    pictures = [p for name in DRAWN if name != "volume" for p in represent(name, masked, settings)]
    pictures += _same_slices(view, masked, settings)
    return np.stack([p.pixels[:, :, 0] for p in pictures]).astype(np.float32)


def _same_slices(
    view: StudyView, masked: StudyView, settings: PictureSettings
) -> tuple[Picture, ...]:
    from inference.slice_pictures import slice_picture

    volume = masked.volume(settings.sequence)
    return tuple(
        slice_picture(masked, volume, "axial", p.index, settings)
        for p in represent("volume", view, settings)
        if p.index is not None
    )


def render_many(plans: Iterator[Plan] | list[Plan], settings: PictureSettings) -> Iterator[Shard]:
    """Studies one after the other; the anatomy is loaded once."""
    anatomy = load_anatomy(SPACING_MM)
    for plan in plans:
        yield rendered(plan, settings, anatomy)
