"""What a segmentation found, as the document that the command line prints."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

from segmentation.mask_files import write_mask
from segmentation.measure import largest_slices, volume_ml
from segmentation.predict import Progress, silent
from segmentation.prepare import inputs_of
from segmentation.regions import REGIONS, region_mask
from segmentation.store import MaskStore
from segmentation.tables import mask_numbers
from segmentation.weights import EMBEDDED, find_weights
from viewer.arrays import LabelMap
from viewer.study import Study


def segment_to_file(
    study: Study,
    masks: MaskStore,
    weights_name: str | None,
    file: Path,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Segment, write the mask on its source's grid, and tell what is in it.

    `seconds` is the time that this call took, short where the mask was made before.
    """
    weights = find_weights(weights_name or EMBEDDED)
    source = inputs_of(study, weights.entry)[0]
    started = perf_counter()
    predicted = masks.segment(study, weights, progress)
    seconds = perf_counter() - started
    write_mask(predicted, source, file)
    expert = masks.expert(study)
    return {
        "case": study.id,
        "weights": weights.identity,
        "seconds": round(seconds, 3),
        "regions": {name: _region(predicted, name) for name in REGIONS},
        "dice": mask_numbers(expert, predicted).dice,
        "file": str(file.resolve()),
    }


def report_lines(document: dict[str, Any]) -> list[str]:
    """The same for people."""
    dice = document["dice"] or {}
    lines = [f"{document['case']} by {document['weights']} in {document['seconds']} s"]
    for name, region in document["regions"].items():
        overlap = dice.get(name)
        against = "" if overlap is None else f"  Dice {overlap:.3f}"
        lines.append(f"{name}  {region['ml']:8.2f} mL{against}")
    return [*lines, f"written to {document['file']}"]


def _region(labels: LabelMap, name: str) -> dict[str, Any]:
    mask = region_mask(labels, name)
    return {"ml": volume_ml(mask, labels.spacing_mm), "largest_slice": largest_slices(mask)}
