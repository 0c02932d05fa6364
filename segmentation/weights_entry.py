"""What must be known of a set of weights before a network may run on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, asdict, dataclass, fields
from math import inf
from pathlib import Path
from typing import Any

from segmentation.errors import UnusableWeights
from segmentation.normalisation import NORMALISATIONS
from segmentation.regions import REGIONS
from viewer.outside_json import parsed

Triple = tuple[float, float, float]
IntTriple = tuple[int, int, int]


@dataclass(frozen=True)
class WeightsEntry:
    """A row of the table.

    `channels` are the sequences in the order the network takes them, `outputs`
    the regions in the order it gives them. `spacing_mm` is the voxel size and
    `axes` the orientation it was trained on, `roi` the window in voxels and
    `overlap` the share that windows have in common. `mirrored` also runs the
    left-right mirror image and averages. A separate part of the tumor is dropped
    where its mean probability is below `least_sure` (`segmentation.cleaning`),
    a part of a region where its volume is below `smallest_ml`. `sha256` of the file
    is None where the publisher gives none.
    """

    name: str
    channels: tuple[str, ...]
    outputs: tuple[str, ...]
    spacing_mm: Triple
    normalisation: str
    roi: IntTriple
    architecture: str = "swin-unetr"
    feature_size: int = 48
    window_size: int = 7
    overlap: float = 0.5
    axes: str = "RAS"
    mirrored: bool = False
    threshold: float = 0.5
    least_sure: float = 0.0
    smallest_ml: float = 0.0
    source: str = ""
    sha256: str | None = None
    card: str = ""
    note: str = ""


def entry_to_json(entry: WeightsEntry) -> str:
    """The text of the file that lies beside a set of weights."""
    return json.dumps(asdict(entry), indent=2) + "\n"


def entry_from_json(path: Path) -> WeightsEntry:
    """Read what lies beside a set of weights; `UnusableWeights` names what is missing or wrong."""
    try:
        told = parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnusableWeights(
            f"{path.name}: expected a readable description of the weights in JSON, got "
            f"{type(error).__name__}; write it anew."
        ) from error
    return _checked(path, told)


def _checked(path: Path, told: Any) -> WeightsEntry:
    known = {field.name for field in fields(WeightsEntry)}
    needed = [field.name for field in fields(WeightsEntry) if field.default is MISSING]
    if not isinstance(told, dict) or set(told) - known:
        extra = ", ".join(sorted(set(told) - known)) if isinstance(told, dict) else "no object"
        raise UnusableWeights(
            f"{path.name}: expected a JSON object with {', '.join(sorted(known))}, got {extra}; "
            "mend it."
        )
    missing = [name for name in needed if name not in told]
    if missing:
        raise UnusableWeights(
            f"{path.name}: expected the weights' {' and '.join(missing)}, which it does not "
            "declare; add them from the weights' own documentation."
        )
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in told.items()
    }
    entry = WeightsEntry(**values)
    for holds, sentence in CHECKS:
        if not _is_true(holds, entry):
            raise UnusableWeights(f"{path.name}: expected {sentence}; mend it.")
    return entry


def _is_true(holds: Callable[[WeightsEntry], bool], entry: WeightsEntry) -> bool:
    """A value of another type than the field's fails its check, it does not break it."""
    try:
        return holds(entry)
    except (TypeError, AttributeError):
        return False


AXIS_PAIRS = str.maketrans("LPI", "RAS")
"""Either end of an axis names the axis."""

TEXTS = ("name", "architecture", "source", "card", "note")


def _whole(value: object) -> bool:
    """A whole number above 0: JSON's true is none, nor is 48.0."""
    return type(value) is int and value > 0


def _number(value: object) -> bool:
    return type(value) in (int, float)


CHECKS: tuple[tuple[Callable[[WeightsEntry], bool], str], ...] = (
    (
        lambda e: (
            isinstance(e.channels, tuple)
            and len(e.channels) > 0
            and all(isinstance(name, str) for name in e.channels)
            and len(set(e.channels)) == len(e.channels)
        ),
        "channels to list each sequence once, in the order the network takes them",
    ),
    (
        lambda e: sorted(e.outputs) == sorted(REGIONS),
        f"outputs to list {', '.join(REGIONS)}, in the order the network gives them",
    ),
    (
        lambda e: e.normalisation in NORMALISATIONS,
        f"normalisation to be one of {', '.join(NORMALISATIONS)}",
    ),
    (
        lambda e: len(e.spacing_mm) == 3 and all(0 < mm < inf for mm in e.spacing_mm),
        "spacing_mm to hold three lengths in mm",
    ),
    (
        lambda e: len(e.roi) == 3 and all(_whole(side) and side % 32 == 0 for side in e.roi),
        "roi to hold three sides divisible by 32",
    ),
    (lambda e: _whole(e.feature_size), "feature_size to be a whole number above 0"),
    (lambda e: _whole(e.window_size), "window_size to be a whole number of voxels above 0"),
    (lambda e: 0 <= e.overlap < 1, "overlap to lie between 0 and 1"),
    (lambda e: type(e.mirrored) is bool, "mirrored to be true or false"),
    (
        lambda e: _number(e.threshold) and 0 < e.threshold < 1,
        "threshold to lie between 0 and 1",
    ),
    (lambda e: 0 <= e.least_sure < 1, "least_sure to lie between 0 and 1"),
    (lambda e: 0 <= e.smallest_ml < inf, "smallest_ml to be a volume in mL, at least 0"),
    (
        lambda e: sorted(e.axes.translate(AXIS_PAIRS)) == ["A", "R", "S"],
        "axes to name an orientation such as RAS or LPS",
    ),
    (
        lambda e: all(isinstance(getattr(e, name), str) for name in TEXTS),
        f"{', '.join(TEXTS)} to be texts",
    ),
    (
        lambda e: e.sha256 is None or isinstance(e.sha256, str),
        "sha256 to be a checksum in text, or null",
    ),
)
