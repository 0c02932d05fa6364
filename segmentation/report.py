"""What a segmentation found, as the document that the command line prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any, get_args

from segmentation.batch import Row, Status
from segmentation.mask_files import write_mask
from segmentation.measure import largest_slices, volume_ml
from segmentation.predict import Progress, silent
from segmentation.prepare import inputs_of
from segmentation.regions import REGIONS, region_mask
from segmentation.store import MaskStore
from segmentation.tables import mask_numbers
from segmentation.weights import EMBEDDED, Weights, find_weights
from viewer.arrays import LabelMap
from viewer.study import Study
from viewer.written import writing


def segment_to_file(
    study: Study,
    masks: MaskStore,
    weights_name: str | None,
    file: Path,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Segment, write the mask on its source's grid, and tell what is in it.

    `seconds` is the time that this call took, short where the mask was made before.
    `UnwritableFile` where the disk refuses the file.
    """
    weights = find_weights(weights_name or EMBEDDED)
    source = inputs_of(study, weights.entry)[0]
    started = perf_counter()
    predicted = masks.segment(study, weights, progress)
    seconds = perf_counter() - started
    with writing(file):
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


def batch_document(weights: Weights, jobs: int, rows: Sequence[Row]) -> dict[str, Any]:
    """What became of many studies, as `segment --all --json` prints it."""
    counts = Counter(row.status for row in rows)
    return {
        "weights": weights.identity,
        "jobs": jobs,
        **{status: counts[status] for status in get_args(Status)},
        "studies": [asdict(row) | {"seconds": round(row.seconds, 3)} for row in rows],
    }


def row_line(row: Row) -> str:
    """The same of one study, for people; a failure is its sentence."""
    if row.reason:
        return row.reason if row.study in row.reason else f"{row.study}: {row.reason}"
    how = {"made": f"made in {row.seconds:.1f} s", "stored": "stored before"}
    told = f"{row.study}  {how.get(row.status, row.status)}"
    volumes = [f"{name} {ml:.1f} mL" for name, ml in (row.ml or {}).items()]
    return "  ".join([told, *volumes])


def batch_line(document: Mapping[str, Any]) -> str:
    """How many studies ended how."""
    return ", ".join(f"{status} {document[status]}" for status in get_args(Status))
