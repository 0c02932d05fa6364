"""Where the expert's mask and the predicted one agree: maps for the panes, numbers, lesions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from urllib.parse import quote

import numpy as np

from segmentation.lesions import LESION_RULE, SMALLEST_ML, lesions_of
from segmentation.measure import agreement, volume_ml
from segmentation.regions import REGIONS, BoolArray, region_mask
from viewer.arrays import LabelMap
from viewer.grids import resample_labels
from viewer.panes import OverlayEntry

BOTH, ONLY_EXPERT, ONLY_PREDICTED = 1, 2, 3

ENTRIES: tuple[OverlayEntry, ...] = (
    OverlayEntry(BOTH, "both", "#009e73"),
    OverlayEntry(ONLY_EXPERT, "only expert", "#f0e442"),
    OverlayEntry(ONLY_PREDICTED, "only predicted", "#d55e00"),
)
"""Colours of Okabe and Ito that no compartment has."""

SCHEME = "agreement"
"""Not a scheme of tumor labels: values say who marked a voxel."""


def on_grid_of(expert: LabelMap, predicted: LabelMap) -> LabelMap:
    """The predicted mask on the expert's grid, each voxel from the nearest one."""
    return resample_labels(predicted, expert.affine, expert.array.shape)


def agreement_map(expert: LabelMap, predicted: LabelMap, region: str) -> LabelMap:
    """1 both, 2 only expert, 3 only predicted, 0 neither, for two masks on one grid."""
    drawn, seen = region_mask(expert, region), region_mask(predicted, region)
    labels = np.zeros(drawn.shape, np.uint8)
    labels[drawn] = ONLY_EXPERT
    labels[seen] = ONLY_PREDICTED
    labels[drawn & seen] = BOTH
    return LabelMap(labels, expert.affine, SCHEME, f"{expert.source} and {predicted.source}")


def agreement_document(
    study_id: str, expert: LabelMap | None, predicted: LabelMap | None
) -> dict[str, Any]:
    """Numbers and lesions of each region, in the shape that `segmentation.routes` describes.

    One of the masks may be missing, then only the other's volumes and lesions
    are told. `ValueError` when both are.
    """
    if expert is not None and predicted is not None:
        predicted = on_grid_of(expert, predicted)
    grid = expert if expert is not None else predicted
    if grid is None:
        raise ValueError("expected at least one mask")
    overlaps = _overlaps(study_id, expert, predicted)
    return {
        "study": study_id,
        "sources": {
            "expert": None if expert is None else expert.source,
            "predicted": None if predicted is None else predicted.source,
        },
        "grid": {"shape": list(grid.array.shape), "affine": grid.affine.tolist()},
        "entries": [asdict(entry) for entry in ENTRIES],
        "rule": LESION_RULE,
        "smallest_ml": SMALLEST_ML,
        "regions": {
            name: {
                "title": region.title,
                **overlaps[name],
                **_extents(grid, _mask(expert, name), _mask(predicted, name)),
            }
            for name, region in REGIONS.items()
        },
    }


def agreement_url(study_id: str, region: str, predicted: LabelMap) -> str:
    """Where the agreement map of a region is fetched from, relative to the page.

    The weights stand in the address, so that a mask of other weights is another address.
    """
    by = quote(predicted.source, safe="")
    return f"agreement/{quote(study_id, safe='')}/{region}.nii?by={by}"


def _overlaps(
    study_id: str, expert: LabelMap | None, predicted: LabelMap | None
) -> dict[str, dict[str, Any]]:
    """Address and agreement of each region; nothing where a mask is missing."""
    if expert is None or predicted is None:
        return {name: {"url": None, "dice": None, "hausdorff95_mm": None} for name in REGIONS}
    return {
        row.region: {
            "url": agreement_url(study_id, row.region, predicted),
            "dice": row.dice,
            "hausdorff95_mm": row.hausdorff95_mm,
        }
        for row in agreement(predicted, expert, distances=True)
    }


def _mask(labels: LabelMap | None, region: str) -> BoolArray | None:
    return None if labels is None else region_mask(labels, region)


def _extents(grid: LabelMap, drawn: BoolArray | None, seen: BoolArray | None) -> dict[str, Any]:
    """Volumes and lesions of one region in both masks."""
    both = None if drawn is None or seen is None else drawn & seen

    def lesions(mask: BoolArray | None, other: BoolArray | None) -> list[dict[str, Any]] | None:
        if mask is None:
            return None
        return [asdict(lesion) for lesion in lesions_of(mask, grid.affine, other)]

    masks = {"expert": drawn, "predicted": seen, "both": both}
    return {
        "ml": {
            kind: None if mask is None else volume_ml(mask, grid.spacing_mm)
            for kind, mask in masks.items()
        },
        "lesions": {"expert": lesions(drawn, seen), "predicted": lesions(seen, drawn)},
    }
