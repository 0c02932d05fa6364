"""Lessons as tensors: ids, positions, attention, targets.

Attention is the app's own (causal, pictures both ways inside themselves) with
one cut: a branch does not see the branches beside it, nor one of its replies
the other, and each starts at the position where what it follows ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.training.lessons import ASKED, Branch, Lesson
from inference.training.looking import Looks, looks_of
from inference.training.slots import SlotMask, least_room
from inference.training.statements import FACTS

if TYPE_CHECKING:
    import torch

PADDING = -1
MOST_OPTIONS = 4
FINE = 7
"""Parts along each side of what one picture token covers: 4 pixels each."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Targets:
    """What is predicted where, n tokens in all.

    `rows`, `columns` say where a token is predicted, `ids` which and `weights`
    what it counts; `letters` bool (n,) which of them are the answers' letters.
    For those, in order: `kinds` of question, and `answers`, what they say
    (`meaning_of`), -1 where nothing tells.
    """

    rows: torch.Tensor
    columns: torch.Tensor
    ids: torch.Tensor
    weights: torch.Tensor
    letters: torch.Tensor
    kinds: tuple[str, ...]
    answers: torch.Tensor


@dataclass(frozen=True, eq=False)
class Marks:
    """Where the letters behind the options of m questions stand: `rows` (m,), `columns` (m, 4).

    `shares` (m, 4) is what is right: one of them, or all alike where nothing
    tells, and -1 where there is no such option; `meanings` (m, 4) is what the
    options say and `facts` (m, FACTS) what holds, not a number where nothing
    is shown.
    """

    rows: torch.Tensor
    columns: torch.Tensor
    shares: torch.Tensor
    meanings: torch.Tensor
    facts: torch.Tensor


@dataclass(frozen=True, eq=False)
class Batch:
    """B lessons padded to L = P + K * S tokens, with their N pictures one after the other.

    `ids`, `positions` int64 (B, L); `mask` says who attends to whom;
    `pixels` float32 (N, 3, side, side) in -1..1, None without pictures;
    `shares` float32 (N, tokens, parts) in 0..1, how much of every part of a
    picture token each region covers. After every picture (`after_rows`,
    `after_columns`) the `facts` float32 (n, FACTS) hold. `looks` is what the
    pictures alone are asked, None where they show nothing.
    """

    ids: torch.Tensor
    positions: torch.Tensor
    mask: SlotMask
    pixels: torch.Tensor | None
    shares: torch.Tensor | None
    targets: Targets
    marks: Marks
    after_rows: torch.Tensor
    after_columns: torch.Tensor
    facts: torch.Tensor
    looks: Looks | None


@dataclass(frozen=True)
class Tokens:
    """What the fixed places of a batch mean to the tokenizer, and a picture's tokens a side."""

    picture: int
    after_picture: int
    padding: int
    side: int


@dataclass(frozen=True)
class _Placed:
    """A branch with its lesson and where in the batch it begins."""

    row: int
    at: int
    lesson: Lesson
    branch: Branch


@dataclass(frozen=True, eq=False)
class _Layout:
    """Arrays (B, L): token ids, positions, weights, whose branch and which part of it."""

    ids: Integers
    positions: Integers
    weights: NDArray[np.float64]
    owners: Integers
    parts: Integers
    start: int
    room: int
    placed: tuple[_Placed, ...]


def batch_of(lessons: Sequence[Lesson], tokens: Tokens) -> Batch:
    """One batch; the lessons should have about as many pictures each."""
    import torch

    layout = _laid_out(lessons, tokens.padding)
    shown = np.array([lesson.facts is not None for lesson in lessons])
    after = np.nonzero((layout.ids == tokens.after_picture) & shown[:, None])
    return Batch(
        ids=torch.from_numpy(layout.ids),
        positions=torch.from_numpy(layout.positions),
        mask=_mask(layout, layout.ids == tokens.picture),
        pixels=scaled_pixels([lesson.pixels for lesson in lessons]),
        shares=token_shares([lesson.regions for lesson in lessons], tokens.side),
        targets=_targets(layout),
        marks=_marks([each for each in layout.placed if each.branch.marks]),
        after_rows=torch.from_numpy(after[0]),
        after_columns=torch.from_numpy(after[1]),
        facts=_facts_of([lessons[int(row)] for row in after[0]]),
        looks=_looks(lessons),
    )


def _looks(lessons: Sequence[Lesson]) -> Looks | None:
    """All lessons of a batch show something, or none does."""
    looks = [lesson.look for lesson in lessons if lesson.look is not None]
    return looks_of(looks) if looks and len(looks) == len(lessons) else None


def _laid_out(lessons: Sequence[Lesson], padding: int) -> _Layout:
    room, plans = least_room([[len(b.ids) for b in lesson.branches] for lesson in lessons])
    start = max(len(lesson.prefix) for lesson in lessons)
    shape = (len(lessons), start + max(len(plan) for plan in plans) * room)
    ids = np.full(shape, padding, dtype=np.int64)
    positions, parts = (np.zeros(shape, dtype=np.int64) for _ in range(2))
    owners = np.full(shape, PADDING, dtype=np.int64)
    weights = np.zeros(shape)
    placed = []
    for row, (lesson, plan) in enumerate(zip(lessons, plans, strict=True)):
        length = len(lesson.prefix)
        ids[row, :length] = lesson.prefix
        positions[row, :length] = np.arange(length)
        owners[row, :length] = 0
        for place, members in enumerate(plan):
            at = start + place * room
            for member in members:
                branch = lesson.branches[member]
                here = slice(at, at + len(branch.ids))
                ids[row, here] = branch.ids
                positions[row, here] = length + np.array(branch.places)
                owners[row, here] = member + 1
                parts[row, here] = branch.parts
                weights[row, here] = branch.weights
                placed.append(_Placed(row, at, lesson, branch))
                at = here.stop
    return _Layout(ids, positions, weights, owners, parts, start, room, tuple(placed))


def _targets(layout: _Layout) -> Targets:
    import torch

    rows, columns = np.nonzero(layout.weights)
    answered = {(each.row, each.at + each.branch.letter): each.branch for each in layout.placed}
    found = [answered.get((int(r), int(c))) for r, c in zip(rows, columns, strict=True)]
    return Targets(
        rows=torch.from_numpy(rows),
        columns=torch.from_numpy(columns - 1),
        ids=torch.from_numpy(layout.ids[rows, columns]),
        weights=torch.from_numpy(layout.weights[rows, columns]).float(),
        letters=torch.tensor([branch is not None for branch in found], dtype=torch.bool),
        kinds=tuple(branch.kind for branch in found if branch is not None),
        answers=torch.tensor(
            [branch.answer for branch in found if branch is not None], dtype=torch.long
        ),
    )


def _marks(placed: Sequence[_Placed]) -> Marks:
    import torch

    columns = np.zeros((len(placed), MOST_OPTIONS), np.int64)
    meanings = np.zeros((len(placed), MOST_OPTIONS), np.int64)
    shares = np.full((len(placed), MOST_OPTIONS), -1.0, np.float32)
    for n, each in enumerate(placed):
        count = len(each.branch.marks)
        columns[n, :count] = each.at + np.array(each.branch.marks)
        meanings[n, :count] = each.branch.meanings
        shares[n, :count] = 1.0 / count
        if each.branch.right is not None:
            shares[n, :count] = np.arange(count) == each.branch.right
    return Marks(
        rows=torch.tensor([each.row for each in placed], dtype=torch.long),
        columns=torch.from_numpy(columns),
        shares=torch.from_numpy(shares),
        meanings=torch.from_numpy(meanings),
        facts=_facts_of([each.lesson for each in placed]),
    )


def _facts_of(lessons: Sequence[Lesson]) -> torch.Tensor:
    """Float32 (n, FACTS); not a number where nothing is shown."""
    import torch

    rows = np.full((len(lessons), FACTS), np.nan, np.float32)
    for row, lesson in zip(rows, lessons, strict=True):
        if lesson.facts is not None:
            row[:] = lesson.facts
    return torch.from_numpy(rows)


def _mask(layout: _Layout, in_picture: NDArray[np.bool_]) -> SlotMask:
    import torch

    owners, start, room = layout.owners, layout.start, layout.room
    before, pictures = owners[:, :start], in_picture[:, :start]
    first = pictures & ~np.pad(pictures, ((0, 0), (1, 0)))[:, :-1]
    number = np.where(pictures, first.cumsum(1), 0)
    together = (number[:, :, None] == number[:, None, :]) & pictures[:, :, None]
    known = before != PADDING
    prefix = (np.tril(np.ones((start, start), bool)) | together) & known[:, None, :]
    slots = owners[:, start:].reshape(len(owners), -1, room)
    pieces = layout.parts[:, start:].reshape(len(owners), -1, room)
    own = (slots[:, :, :, None] == slots[:, :, None, :]) & np.tril(np.ones((room, room), bool))
    own &= (pieces[:, :, None, :] == ASKED) | (pieces[:, :, :, None] == pieces[:, :, None, :])
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


def token_shares(regions: Sequence[NDArray[np.uint8] | None], tokens: int) -> torch.Tensor | None:
    """Float32 (N, tokens * tokens, regions * FINE * FINE); None where no region is known.

    Of every part of what a picture token covers the share that the nested
    regions >= 1, 2, 3 take.
    """
    import torch

    known = [each for each in regions if each is not None]
    if not known:
        return None
    whole = np.concatenate(known)
    n, side = whole.shape[:2]
    blocks = side // (tokens * FINE)
    cut = (n, tokens, FINE, blocks, tokens, FINE, blocks)
    layers = [(whole >= least).reshape(cut).mean(axis=(3, 6)) for least in (1, 2, 3)]
    by_token = np.stack(layers, axis=1).transpose(0, 2, 4, 1, 3, 5)
    return torch.from_numpy(by_token.reshape(n, tokens * tokens, -1)).float()
