"""The table of figures: predicted masks beside the experts'."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from segmentation.measure import Agreement, agreement, region_volumes_ml
from segmentation.predict import segment
from segmentation.regions import REGIONS
from segmentation.training.cases import CACHE_BYTES, studies_with_masks
from segmentation.weights import Weights
from viewer.cache import ArrayCache
from viewer.grids import resample_labels
from viewer.study import Study


@dataclass(frozen=True)
class Figures:
    """One study: agreement for each region, volumes in mL, seconds from files to mask."""

    study: str
    agreement: tuple[Agreement, ...]
    predicted_ml: dict[str, float]
    expert_ml: dict[str, float]
    seconds: float


def evaluate(roots: Sequence[Path], ids: Sequence[str], weights: Weights) -> list[Figures]:
    """Predict and compare each study; with no ids all that have an expert's mask."""
    return [figures_of(study, weights) for study in studies_with_masks(roots, ids)]


def figures_of(study: Study, weights: Weights) -> Figures:
    """Predict one study and compare it with its expert's mask."""
    cache = ArrayCache(CACHE_BYTES)
    mask = study.mask("expert")
    if mask is None:
        raise ValueError(f"{study.id} has no expert's mask")
    began = time.perf_counter()
    predicted = segment(study, weights, cache)
    seconds = time.perf_counter() - began
    shape = predicted.array.shape
    expert = resample_labels(cache.labels(mask), predicted.affine, shape)
    rows = tuple(agreement(predicted, expert, distances=True))
    return Figures(study.id, rows, region_volumes_ml(predicted), region_volumes_ml(expert), seconds)


def table(rows: Sequence[Figures]) -> str:
    """The figures in Markdown."""
    regions = list(REGIONS)
    head = ["study", *(f"{r} Dice" for r in regions), *(f"{r} HD95 mm" for r in regions)]
    head += ["ET mL, predicted / expert", "seconds"]
    lines = [_line(head), _line(["---"] * len(head))]
    for row in rows:
        cells = [row.study, *(_number(a.dice, ".3f") for a in row.agreement)]
        cells += [_number(a.hausdorff95_mm, ".1f") for a in row.agreement]
        cells += [f"{row.predicted_ml['ET']:.2f} / {row.expert_ml['ET']:.2f}"]
        lines.append(_line([*cells, f"{row.seconds:.1f}"]))
    return "\n".join(lines)


def _number(value: float | None, form: str) -> str:
    return "none" if value is None else format(value, form)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
