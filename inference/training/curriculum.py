"""Which lesson comes next: the mix of representations, and what is made of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.models.table import DEMO_STYLE
from inference.pictures import Picture
from inference.training.batches import patch_shares, scaled_pixels
from inference.training.exercises import Exercise, Shares, class_shares, exercises
from inference.training.lessons import PLAIN, Branch, Lesson, Writer
from inference.training.rendering import BLOCK_PX
from inference.training.shards import Caption, Shard
from inference.training.statements import facts_vector, findings_text, imagined_facts, mirrored
from viewer.synthesis.facts import LesionFacts

if TYPE_CHECKING:
    import torch

Mix = Mapping[str, float]

STATED = "stated"
"""Findings given as text in the place of pictures: letters are bound without sight."""

MIX: Mix = {
    STATED: 0.10,
    "multi-slice": 0.48,
    "single-slice": 0.12,
    "montage": 0.09,
    "multi-montage": 0.10,
    "volume": 0.04,
    "blank": 0.04,
    "text-only": 0.03,
}
LOOKS = 2
"""Studies per lesson's place that a step looks at without text."""

LITERAL_SHARE = 0.5
WORDS_SHARE = 0.25
REASON_SHARE = 0.2
PLAIN_STYLE_SHARE = 0.15
FINDINGS_SHARE = 0.25
FEWER_SEQUENCES = 0.5
MOST_MOVED = 2
"""Blocks of two pixels, each way."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What one lesson shows: pictures with captions, pixels, regions and the facts that hold."""

    pictures: tuple[Picture, ...]
    pixels: NDArray[np.uint8]
    regions: NDArray[np.uint8] | None
    facts: LesionFacts


@dataclass(frozen=True)
class Stages:
    """First the vision tower looks at pictures alone; from step `join` on the text
    tower is taught with it, by the shares of `MIX`."""

    join: int


class Curriculum:
    """Draws what each step is taught with. Studies may be added while it runs."""

    def __init__(self, writer: Writer, stages: Stages, batch: int, questions: int) -> None:
        self._writer = writer
        self._stages = stages
        self._batch = batch
        self._questions = questions
        self._shards: list[Shard] = []
        self._keep: Shares = {}

    def add(self, shards: Sequence[Shard]) -> None:
        """More studies to draw from; the answers' shares are counted anew."""
        self._shards += shards
        self._keep = class_shares([shard.lesion for shard in self._shards])

    def kind_at(self, step: int, rng: Random) -> str:
        """What the step is about: "look", "stated" or a representation."""
        if step < self._stages.join:
            return "look"
        return rng.choices(list(MIX), weights=list(MIX.values()))[0]

    def lessons(self, kind: str, rng: Random) -> list[Lesson]:
        """A batch of lessons of one kind."""
        side = self._shards[0].pixels.shape[1]
        if kind == STATED:
            return [
                stated_lesson(self._writer, rng, self._questions, side) for _ in range(self._batch)
            ]
        shards = rng.choices(self._shards, k=self._batch)
        return [
            _lesson(kind, shard, self._writer, rng, self._questions, self._keep) for shard in shards
        ]

    def pictures(self, rng: Random, patches: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Pictures alone with the share of each patch that each region covers."""
        kinds = rng.choices(("multi-slice", "multi-montage", "volume"), (6, 2, 2), k=self._batch)
        seen = [show(kind, rng.choice(self._shards), rng) for kind in kinds for _ in range(LOOKS)]
        pixels = scaled_pixels([each.pixels for each in seen])
        shares = patch_shares([each.regions for each in seen], patches)
        assert pixels is not None and shares is not None
        return pixels, shares


def stated_lesson(writer: Writer, rng: Random, questions: int, side: int) -> Lesson:
    """Findings as text, questions behind them; no study is needed.

    Half of the lessons state the right options in their own words: finding an
    option again is learnt first, and what the findings mean is built on it.
    """
    facts = imagined_facts(rng)
    asked = exercises(facts, questions, rng)
    said = findings_text(facts, rng)
    if rng.random() < LITERAL_SHARE:
        said = " ".join(f"{each.right_option}." for each in rng.sample(asked, len(asked)))
    return Lesson(
        writer.prefix((), said),
        _questions(writer, asked, (), rng, sees=True),
        np.zeros((0, side, side), np.uint8),
        None,
    )


def _lesson(
    kind: str, shard: Shard, writer: Writer, rng: Random, questions: int, keep: Shares
) -> Lesson:
    seen = show(kind, shard, rng)
    sees = kind not in ("blank", "text-only")
    asked = exercises(seen.facts, questions, rng, keep)
    branches = _questions(writer, asked, seen.pictures, rng, sees=sees)
    if sees and rng.random() < FINDINGS_SHARE:
        said = findings_text(seen.facts)
        branches = (*branches, writer.findings(seen.pictures, said))
    facts = facts_vector(seen.facts) if sees else None
    return Lesson(writer.prefix(seen.pictures, None), branches, seen.pixels, seen.regions, facts)


def _questions(
    writer: Writer,
    asked: Sequence[Exercise],
    pictures: Sequence[Picture],
    rng: Random,
    *,
    sees: bool,
) -> tuple[Branch, ...]:
    return tuple(
        writer.question(
            exercise,
            pictures,
            "words" if rng.random() < WORDS_SHARE else "letter",
            rng,
            sees=sees,
            with_reason=rng.random() < REASON_SHARE,
            style=PLAIN if rng.random() < PLAIN_STYLE_SHARE else DEMO_STYLE,
        )
        for exercise in asked
    )


def show(kind: str, shard: Shard, rng: Random) -> Seen:
    """The pictures of one study as that representation has them, slightly varied."""
    if kind in ("text-only", STATED):
        side = shard.pixels.shape[1]
        return Seen((), np.zeros((0, side, side), np.uint8), None, shard.lesion)
    places = _places(kind, shard, rng)
    pictures = tuple(_picture(shard.captions[n]) for n in places)
    pixels, regions, facts = shard.pixels[places], shard.regions[places], shard.lesion
    if kind == "blank":
        return Seen(pictures, np.zeros_like(pixels), np.zeros_like(regions), facts)
    if "montage" not in kind and rng.random() < 0.5:
        pixels, regions, facts = pixels[:, :, ::-1], regions[:, :, ::-1], mirrored(facts)
    pixels, regions = moved(pixels, regions, rng)
    return Seen(pictures, varied(pixels, rng), regions, facts)


def _places(kind: str, shard: Shard, rng: Random) -> list[int]:
    if kind in ("single-slice", "blank"):
        start, stop = shard.spans["multi-slice"]
        return [n for n in range(start, stop) if shard.captions[n][1] == "FLAIR"]
    start, stop = shard.spans[kind]
    places = list(range(start, stop))
    if kind == "multi-slice" and rng.random() < FEWER_SEQUENCES:
        places = sorted(rng.sample(places, rng.randrange(2, len(places) + 1)))
    return places


def moved(
    pixels: NDArray[np.uint8], regions: NDArray[np.uint8], rng: Random
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Pictures and regions of a study, all moved by the same few blocks."""
    down, right = (rng.randint(-MOST_MOVED, MOST_MOVED) for _ in range(2))
    return (
        np.roll(pixels, (down * BLOCK_PX, right * BLOCK_PX), axis=(1, 2)),
        np.roll(regions, (down, right), axis=(1, 2)),
    )


def varied(pixels: NDArray[np.uint8], rng: Random) -> NDArray[np.uint8]:
    """Each picture with other contrast, brightness and noise; black stays black."""
    noise = np.random.default_rng(rng.getrandbits(32))
    n = len(pixels)
    values = pixels.astype(np.float32) / 255.0
    gamma = np.exp(noise.normal(0.0, 0.2, (n, 1, 1))).astype(np.float32)
    gain = noise.uniform(0.85, 1.15, (n, 1, 1)).astype(np.float32)
    inside = values > 0
    values = gain * values**gamma
    values += inside * noise.standard_normal(values.shape, np.float32) * np.float32(0.02)
    return np.rint(values.clip(0.0, 1.0) * 255.0).astype(np.uint8)


def _picture(caption: Caption) -> Picture:
    """A picture that only lends its caption to a prompt; its pixels travel in the lesson."""
    words, sequence, plane, index = caption
    empty = np.zeros((1, 1, 3), np.uint8)
    return Picture(empty, words, sequence, plane, index, None, "radiological", "")
