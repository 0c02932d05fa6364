"""What remains of thresholded regions: nested, without crumbs, doubts and holes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import ndimage

from segmentation.regions import BoolArray
from segmentation.resampling import Spacing
from viewer.arrays import FloatArray

TOUCHING = np.ones((3, 3, 3), bool)
"""Voxels that share a corner are one part."""


def clean(
    regions: Mapping[str, BoolArray], spacing_mm: Spacing, smallest_ml: float
) -> dict[str, BoolArray]:
    """WT, TC and ET (i, j, k) nested, parts below `smallest_ml` dropped, holes of WT filled.

    The core is part of the whole tumor wherever the network sees it; enhancing
    tumor belongs to the core.
    """
    enhancing = without_crumbs(regions["ET"], spacing_mm, smallest_ml)
    core = without_crumbs(regions["TC"] | enhancing, spacing_mm, smallest_ml)
    whole = without_crumbs(regions["WT"] | core, spacing_mm, smallest_ml)
    if whole.any():
        whole = np.asarray(ndimage.binary_fill_holes(whole), dtype=bool)
    return {"WT": whole, "TC": core & whole, "ET": enhancing & core & whole}


LARGEST_STAYS = frozenset({"WT", "TC"})
"""Regions whose largest part stays however doubtful: a faint tumor is better shown than lost.
Enhancement is the finding that is claimed falsely in vessels."""


def above(
    probabilities: Mapping[str, FloatArray], inside: BoolArray, threshold: float, least_sure: float
) -> dict[str, BoolArray]:
    """WT, TC and ET (i, j, k) where the probability reaches `threshold` inside the brain.

    A separate part whose mean probability is below `least_sure` is dropped,
    except for the largest part of the regions in `LARGEST_STAYS`.
    """
    return {
        name: _without_doubts(
            (values >= threshold) & inside, values, least_sure, name in LARGEST_STAYS
        )
        for name, values in probabilities.items()
    }


def _without_doubts(
    mask: BoolArray, probability: FloatArray, least_sure: float, largest_stays: bool
) -> BoolArray:
    parts, count = ndimage.label(mask, TOUCHING) if least_sure > 0 else (mask, 0)
    if count == 0:
        return mask
    flat = parts.reshape(-1)
    sizes = np.bincount(flat)
    sums = np.bincount(flat, weights=probability.reshape(-1))
    kept = sums / np.maximum(sizes, 1) >= least_sure
    if largest_stays:
        kept[1 + sizes[1:].argmax()] = True
    kept[0] = False
    return np.asarray(kept[parts], dtype=bool)


def without_crumbs(mask: BoolArray, spacing_mm: Spacing, smallest_ml: float) -> BoolArray:
    """The mask without connected parts of less than `smallest_ml` millilitres."""
    parts, count = ndimage.label(mask, TOUCHING)
    if count == 0:
        return mask
    sizes = np.bincount(parts.reshape(-1)) * float(np.prod(spacing_mm)) / 1000.0
    kept = sizes >= smallest_ml
    kept[0] = False
    return np.asarray(kept[parts], dtype=bool)
