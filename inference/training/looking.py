"""The vision tower alone: what pictures show, before any word is read.

A text tower that starts from nothing cannot tell a vision tower what to look
for: taught together from the first step, both stay near a guess. So the vision
tower and the projector learn first, from many pictures a second: a linear head
reads from every picture token which parts of it each tumor region covers, and
another, from every token in its place and averaged over a study's pictures, the
study's facts and the answers to the questions with fixed options. Both heads are
thrown away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import cross_entropy, gelu

from inference.training.exercises import FIXED_OPTIONS, Shares, answer_classes
from inference.training.statements import FACTS, facts_vector
from viewer.study import SEQUENCE_ORDER
from viewer.synthesis.facts import LesionFacts

if TYPE_CHECKING:
    import torch

    from inference.pictures import Picture
    from inference.training.architecture import Shape

ANSWERS = sum(len(options) for options in FIXED_OPTIONS.values())
NARROW, WIDE = 32, 256
GRIDS = len(SEQUENCE_ORDER)
"""What stands for a picture of several sequences where one is named by its number."""


@dataclass(frozen=True, eq=False)
class Look:
    """What one study's pictures can be asked: of which sequence each is, by number, the
    `facts_vector`, and of every kind in `FIXED_OPTIONS` the right option's place (-1 for none)
    and what it counts."""

    sequences: tuple[int, ...]
    facts: NDArray[np.float32]
    answers: NDArray[np.int64]
    weights: NDArray[np.float32]


def look_at(pictures: Sequence[Picture], facts: LesionFacts, keep: Shares) -> Look:
    """The look at a study with these facts; `keep` evens the answers out."""
    said = answer_classes(facts)
    places = [
        options.index(said[kind]) if kind in said else -1 for kind, options in FIXED_OPTIONS.items()
    ]
    weights = [keep.get((kind, said.get(kind, "")), 1.0) for kind in FIXED_OPTIONS]
    return Look(
        tuple(
            SEQUENCE_ORDER.index(each.sequence) if each.sequence in SEQUENCE_ORDER else GRIDS
            for each in pictures
        ),
        facts_vector(facts),
        np.array(places),
        np.array(weights, np.float32),
    )


@dataclass(frozen=True, eq=False)
class Looks:
    """Those of B studies with N pictures in all.

    `owners`, `sequences` int64 (N): whose a picture is, and of which sequence;
    `facts` float32 (B, FACTS), `answers` int64 and `weights` float32 (B, kinds).
    """

    owners: torch.Tensor
    sequences: torch.Tensor
    facts: torch.Tensor
    answers: torch.Tensor
    weights: torch.Tensor

    def of(self, rows: torch.Tensor) -> Looks:
        """The looks of the studies `rows`, without their pictures."""
        none = rows[:0]
        return Looks(none, none, self.facts[rows], self.answers[rows], self.weights[rows])


def looks_of(looks: Sequence[Look]) -> Looks:
    """One batch of them, the pictures one after the other."""
    import torch

    return Looks(
        torch.tensor([n for n, look in enumerate(looks) for _ in look.sequences]),
        torch.tensor([number for look in looks for number in look.sequences]),
        torch.from_numpy(np.stack([look.facts for look in looks])),
        torch.from_numpy(np.stack([look.answers for look in looks])),
        torch.from_numpy(np.stack([look.weights for look in looks])),
    )


class Reader(nn.Module):
    """Reads a study's facts and answers from where in its pictures what is seen."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(shape.text_width)
        self.narrow = nn.Linear(shape.text_width, NARROW)
        self.inner = nn.Linear(NARROW * shape.picture_tokens, WIDE)
        self.sequence = nn.Embedding(GRIDS + 1, WIDE)
        self.facts = nn.Linear(WIDE, FACTS)
        self.answers = nn.Linear(WIDE, ANSWERS)

    def forward(self, pictures: torch.Tensor, looks: Looks) -> tuple[torch.Tensor, torch.Tensor]:
        """Facts (B, FACTS) and answers (B, ANSWERS) read from `pictures` (N, tokens, width)."""
        seen = self.inner(self.narrow(self.norm(pictures)).flatten(1)).float()
        each = gelu(seen + self.sequence(looks.sequences))
        count = len(looks.answers)
        whole = each.new_zeros(count, each.shape[1]).index_add(0, looks.owners, each)
        whole = whole / looks.owners.bincount(minlength=count)[:, None]
        return self.facts(whole).float(), self.answers(whole).float()


def answers_loss(answers: torch.Tensor, looks: Looks) -> torch.Tensor:
    """Mean over the kinds of the cross-entropy with what is right."""
    sizes = [len(options) for options in FIXED_OPTIONS.values()]
    parts = answers.split(sizes, dim=1)  # type: ignore[no-untyped-call]
    total = answers.new_zeros(())
    for part, right, weights in zip(parts, looks.answers.T, looks.weights.T, strict=True):
        known = right >= 0
        if known.any():
            each = cross_entropy(part[known], right[known], reduction="none")
            total = total + (each * weights[known]).sum() / weights[known].sum()
    return total / len(parts)
