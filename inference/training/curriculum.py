"""Which lesson comes next: the mix of representations, and what is made of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from inference.models.table import DEMO_STYLE
from inference.pictures import Picture
from inference.training.exercises import Exercise, Shares, class_shares, exercises
from inference.training.lessons import PLAIN, Branch, Lesson, Writer
from inference.training.looking import look_at
from inference.training.rendering import BLOCK_PX
from inference.training.shards import Caption, Shard
from inference.training.statements import facts_vector, imagined_facts, mirrored
from viewer.synthesis.facts import LesionFacts

LOOK = "look"
"""Pictures for the vision tower alone, in many studies a step."""

STATED = "stated"
"""Right options as text in the place of pictures: letters are found without sight."""

READ = "read"
"""Multi-slice pictures without a question: only what they show is asked for, which is cheap."""

MIX: Mapping[str, float] = {
    READ: 0.03,
    "multi-slice": 0.77,
    "single-slice": 0.04,
    "montage": 0.03,
    "multi-montage": 0.04,
    "volume": 0.03,
    "blank": 0.04,
    "text-only": 0.02,
}
"""What the steps that are not STATED are about."""

READS = {LOOK: 4, READ: 2}
"""Studies that such a step shows for each one of a step with questions."""

LOOKED_AT = ("multi-slice",) * 8 + ("volume", "multi-montage")
"""What the vision tower is shown, each as often as the others."""

WORDS_SHARE = 0.6
REASON_SHARE = 0.08
PLAIN_STYLE_SHARE = 0.05
FEWER_SEQUENCES, USUAL, MOST_SEQUENCES = 0.6, 4, 4
"""Of BraTS's four sequences one is left out now and then; of seven never all are shown,
for steps to stay short."""

MOST_MOVED = 2
"""Blocks of two pixels, each way."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What one lesson shows: pictures with captions, pixels, regions and the facts that hold."""

    pictures: tuple[Picture, ...]
    pixels: NDArray[np.uint8]
    regions: NDArray[np.uint8] | None
    facts: LesionFacts


class Curriculum:
    """Draws what each step is taught with. Studies may be added while it runs.

    For `look` steps the vision tower learns alone. For `read` more the text tower
    reads pictures without questions. Then questions are asked: a share of
    `stated` without pictures, the others by the shares of `MIX`.
    """

    def __init__(
        self,
        writer: Writer,
        *,
        look: int,
        read: int,
        stated: float,
        batch: int,
        questions: int,
    ) -> None:
        self._writer = writer
        self._look = look
        self._read = read
        self._stated = stated
        self._batch = batch
        self._questions = questions
        self._shards: list[Shard] = []
        self._keep: Shares = {}

    def add(self, shards: Sequence[Shard]) -> None:
        """More studies to draw from; the answers' shares are counted anew."""
        self._shards += shards
        self._keep = class_shares([shard.lesion for shard in self._shards])

    def kind_at(self, step: int, rng: Random) -> str:
        """What the step is about: LOOK, READ, STATED or a representation."""
        if step < self._look:
            return LOOK
        if step < self._look + self._read:
            return READ
        if rng.random() < self._stated:
            return STATED
        return rng.choices(list(MIX), weights=list(MIX.values()))[0]

    def lessons(self, kind: str, rng: Random) -> list[Lesson]:
        """A batch of lessons of one kind."""
        if kind == STATED:
            side = self._shards[0].pixels.shape[1]
            return [
                stated_lesson(self._writer, rng, self._questions, side) for _ in range(self._batch)
            ]
        shards = rng.choices(self._shards, k=self._batch * READS.get(kind, 1))
        questions = 0 if kind in READS else self._questions
        name = {LOOK: rng.choice(LOOKED_AT), READ: "multi-slice"}.get(kind, kind)
        return [_lesson(name, shard, self._writer, rng, questions, self._keep) for shard in shards]


def stated_lesson(writer: Writer, rng: Random, questions: int, side: int) -> Lesson:
    """The right options in their own words, questions behind them; no study is needed."""
    asked = exercises(imagined_facts(rng), questions, rng)
    said = " ".join(f"{each.right_option}." for each in rng.sample(asked, len(asked)))
    no_pixels = np.zeros((0, side, side), np.uint8)
    branches = _branches(writer, asked, rng, sees=True)
    return Lesson(writer.prefix((), said), branches, no_pixels, None)


def _lesson(
    kind: str, shard: Shard, writer: Writer, rng: Random, questions: int, keep: Shares
) -> Lesson:
    seen = show(kind, shard, rng)
    sees = kind not in ("blank", "text-only")
    branches = _branches(writer, exercises(seen.facts, questions, rng, keep), rng, sees=sees)
    facts = facts_vector(seen.facts) if sees else None
    look = look_at(seen.pictures, seen.facts, keep) if sees else None
    return Lesson(writer.prefix(seen.pictures), branches, seen.pixels, seen.regions, facts, look)


def _branches(
    writer: Writer, asked: Sequence[Exercise], rng: Random, *, sees: bool
) -> tuple[Branch, ...]:
    return tuple(
        writer.question(
            exercise,
            rng,
            sees=sees,
            with_reason=rng.random() < REASON_SHARE,
            with_words=rng.random() < WORDS_SHARE,
            style=PLAIN if rng.random() < PLAIN_STYLE_SHARE else DEMO_STYLE,
        )
        for exercise in asked
    )


def show(kind: str, shard: Shard, rng: Random) -> Seen:
    """The pictures of one study as that representation has them, slightly varied."""
    if kind == "text-only":
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
    if kind == "multi-slice" and (len(places) > USUAL or rng.random() < FEWER_SEQUENCES):
        places = sorted(rng.sample(places, rng.randint(3, min(len(places), MOST_SEQUENCES))))
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
