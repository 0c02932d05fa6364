"""Lessons as tensors: ids, positions, attention, targets.

Attention is the app's own (causal, pictures both ways inside themselves) with
one cut: a branch does not see the branches beside it, and starts at the
position where the prefix ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.training.lessons import Lesson
from inference.training.slots import SlotMask, packed
from inference.training.statements import FACTS

if TYPE_CHECKING:
    import torch

PADDING = -1
ROOM = 112
"""Tokens of a slot: two questions of usual length, or the longest one."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Batch:
    """B lessons padded to L = P + K * S tokens, with their N pictures one after the other.

    `ids`, `positions` int64 (B, L); `mask` says who attends to whom;
    `pixels` float32 (N, 3, side, side) in -1..1, None without pictures;
    `patches` float32 (N, regions, rows, columns) in 0..1, the share of each patch.
    `rows`, `columns` say where a target is predicted, `targets` and `weights`
    what it is and counts; `option_rows`, `option_columns`, `option_right` the
    line break after every option. `start_rows`, `start_columns` say where a
    letter is about to be said, and `telling` float32 (starts, vocabulary) is
    spread evenly over the words of the option that it stands for. After every
    picture (`after_rows`, `after_columns`) the `facts` float32 (n, FACTS) hold.
    """

    ids: torch.Tensor
    positions: torch.Tensor
    mask: SlotMask
    pixels: torch.Tensor | None
    patches: torch.Tensor | None
    rows: torch.Tensor
    columns: torch.Tensor
    targets: torch.Tensor
    weights: torch.Tensor
    option_rows: torch.Tensor
    option_columns: torch.Tensor
    option_right: torch.Tensor
    start_rows: torch.Tensor
    start_columns: torch.Tensor
    telling: torch.Tensor
    after_rows: torch.Tensor
    after_columns: torch.Tensor
    facts: torch.Tensor


@dataclass(frozen=True)
class Tokens:
    """What the fixed places of a batch mean to the tokenizer, and the patches along a side."""

    picture: int
    after_picture: int
    padding: int
    patches: int
    vocabulary: int


def batch_of(lessons: Sequence[Lesson], tokens: Tokens) -> Batch:
    """One batch; the lessons should have about as many pictures each."""
    import torch

    longest = max(len(branch.ids) for lesson in lessons for branch in lesson.branches)
    room = max(ROOM, longest)
    plans = [packed([len(b.ids) for b in lesson.branches], room) for lesson in lessons]
    start = max(len(lesson.prefix) for lesson in lessons)
    count = max(len(plan) for plan in plans)
    shape = (len(lessons), start + count * room)
    ids = np.full(shape, tokens.padding, dtype=np.int64)
    positions = np.zeros(shape, dtype=np.int64)
    parts = np.full(shape, PADDING, dtype=np.int64)
    weights = np.zeros(shape)
    options: list[tuple[int, int, bool]] = []
    starts: list[tuple[int, int, tuple[int, ...]]] = []
    for row, (lesson, plan) in enumerate(zip(lessons, plans, strict=True)):
        length = len(lesson.prefix)
        ids[row, :length] = lesson.prefix
        positions[row, :length] = np.arange(length)
        parts[row, :length] = 0
        for place, members in enumerate(plan):
            at = start + place * room
            for member in members:
                branch = lesson.branches[member]
                here = slice(at, at + len(branch.ids))
                ids[row, here] = branch.ids
                positions[row, here] = length + np.arange(len(branch.ids))
                parts[row, here] = member + 1
                weights[row, here] = branch.weights
                options += [(row, at + offset, right) for offset, right in branch.options]
                if branch.start is not None:
                    starts.append((row, at + branch.start, branch.telling))
                at = here.stop
    at_row, at_column = np.nonzero(weights)
    shown = np.array([lesson.facts is not None for lesson in lessons])
    after_row, after_column = np.nonzero((ids == tokens.after_picture) & shown[:, None])
    facts = [told for row in after_row if (told := lessons[int(row)].facts) is not None]
    return Batch(
        ids=torch.from_numpy(ids),
        positions=torch.from_numpy(positions),
        mask=_mask(parts, ids == tokens.picture, start, room),
        pixels=scaled_pixels([lesson.pixels for lesson in lessons]),
        patches=patch_shares([lesson.regions for lesson in lessons], tokens.patches),
        rows=torch.from_numpy(at_row),
        columns=torch.from_numpy(at_column - 1),
        targets=torch.from_numpy(ids[at_row, at_column]),
        weights=torch.from_numpy(weights[at_row, at_column]).float(),
        option_rows=torch.tensor([row for row, _, _ in options], dtype=torch.long),
        option_columns=torch.tensor([at for _, at, _ in options], dtype=torch.long),
        option_right=torch.tensor([right for _, _, right in options], dtype=torch.float32),
        start_rows=torch.tensor([row for row, _, _ in starts], dtype=torch.long),
        start_columns=torch.tensor([at for _, at, _ in starts], dtype=torch.long),
        telling=_spread([words for _, _, words in starts], tokens.vocabulary),
        after_rows=torch.from_numpy(after_row),
        after_columns=torch.from_numpy(after_column),
        facts=torch.from_numpy(np.stack(facts) if facts else np.zeros((0, FACTS), np.float32)),
    )


def _mask(parts: Integers, in_picture: NDArray[np.bool_], start: int, room: int) -> SlotMask:
    import torch

    before, pictures = parts[:, :start], in_picture[:, :start]
    first = pictures & ~np.pad(pictures, ((0, 0), (1, 0)))[:, :-1]
    number = np.where(pictures, first.cumsum(1), 0)
    together = (number[:, :, None] == number[:, None, :]) & pictures[:, :, None]
    known = before != PADDING
    prefix = (np.tril(np.ones((start, start), bool)) | together) & known[:, None, :]
    slots = parts[:, start:].reshape(len(parts), -1, room)
    own = (slots[:, :, :, None] == slots[:, :, None, :]) & np.tril(np.ones((room, room), bool))
    seen = np.broadcast_to(known[:, None, None, :], (*slots.shape, start))
    both = np.concatenate((seen, own), axis=3)
    # Padding attends to something, whatever it is: no row may be empty.
    prefix |= np.eye(start, dtype=bool)
    return SlotMask(
        torch.from_numpy(prefix[:, None]), torch.from_numpy(both.reshape(-1, 1, *both.shape[2:]))
    )


def scaled_pixels(grey: Sequence[NDArray[np.uint8]]) -> torch.Tensor | None:
    """Float32 (N, 3, side, side) in -1..1, as the processor scales them; None for none."""
    import torch

    whole = np.concatenate(list(grey))
    if not len(whole):
        return None
    return (torch.from_numpy(whole).float() / 127.5 - 1.0)[:, None].expand(-1, 3, -1, -1)


def patch_shares(regions: Sequence[NDArray[np.uint8] | None], patches: int) -> torch.Tensor | None:
    """Share of each patch that the nested regions >= 1, 2, 3 cover; None where none is known."""
    import torch

    known = [each for each in regions if each is not None]
    if not known:
        return None
    whole = np.concatenate(known)
    n, side = whole.shape[:2]
    blocks = side // patches
    layers = [
        (whole >= least).reshape(n, patches, blocks, patches, blocks).mean(axis=(2, 4))
        for least in (1, 2, 3)
    ]
    return torch.from_numpy(np.stack(layers, axis=1)).float()


def _spread(words: Sequence[tuple[int, ...]], vocabulary: int) -> torch.Tensor:
    """Float32 (n, vocabulary): each row sums to one over its words."""
    import torch

    rows = torch.zeros(len(words), vocabulary)
    for row, ids in zip(rows, words, strict=True):
        row[list(ids)] = 1.0 / len(ids)
    return rows
