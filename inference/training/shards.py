"""Drawn studies on disk: one .npz a study, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.errors import UserError
from viewer.synthesis.facts import LesionFacts


class NoStudies(UserError):
    """A folder without the drawn studies that are wanted."""


Caption = tuple[str, str, str, int]
"""Caption, sequence, plane, slice index (-1 for a montage)."""


@dataclass(frozen=True, eq=False)
class Shard:
    """One study: `pixels` uint8 (n, side, side) grey, `regions` uint8 (n, side / 2, side / 2).

    `regions` says what fills each block of 2 x 2 pixels: 0 no tumor, 1 edema,
    2 tumor core, 3 enhancing tumor. `spans[representation]` is the (start, stop)
    of its pictures among the n.
    """

    seed: int
    facts: Mapping[str, Any]
    spans: Mapping[str, tuple[int, int]]
    captions: tuple[Caption, ...]
    pixels: NDArray[np.uint8]
    regions: NDArray[np.uint8]

    @property
    def lesion(self) -> LesionFacts:
        """The facts as the synthesis states them."""
        return LesionFacts.from_json(self.facts)


def shard_path(folder: Path, seed: int) -> Path:
    """Where the study of that seed lies."""
    return folder / f"{seed:07d}.npz"


def save_shard(folder: Path, shard: Shard) -> None:
    """Write one study under a temporary name, then rename it."""
    about = {
        "seed": shard.seed,
        "facts": shard.facts,
        "spans": shard.spans,
        "captions": shard.captions,
    }
    target = shard_path(folder, shard.seed)
    part = target.with_suffix(".part.npz")
    np.savez_compressed(
        part, about=np.array(json.dumps(about)), pixels=shard.pixels, regions=shard.regions
    )
    part.rename(target)


def load_shard(file: Path) -> Shard:
    """Read one study; nothing in it is unpickled."""
    with np.load(file, allow_pickle=False) as data:
        about = json.loads(str(data["about"]))
        return Shard(
            seed=about["seed"],
            facts=about["facts"],
            spans={name: (span[0], span[1]) for name, span in about["spans"].items()},
            captions=tuple((c[0], c[1], c[2], c[3]) for c in about["captions"]),
            pixels=data["pixels"],
            regions=data["regions"],
        )
