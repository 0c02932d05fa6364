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


def above(
    probabilities: Mapping[str, FloatArray], inside: BoolArray, threshold: float, least_sure: float
) -> dict[str, BoolArray]:
    """WT, TC and ET (i, j, k) where the probability reaches `threshold` inside the brain.

    A separate part of all tumor whose mean probability of being tumor is below
    `least_sure` is dropped with everything in it, unless it is the largest: a
    faint tumor is better shown than lost. Core and enhancement are not judged
    on their own, since of a thin rim a network is never sure.
    """
    seen = {name: (values >= threshold) & inside for name, values in probabilities.items()}
    if least_sure <= 0:
        return seen
    tumor = np.logical_or.reduce(list(seen.values()))
    kept = _without_doubts(tumor, probabilities["WT"], least_sure)
    return {name: mask & kept for name, mask in seen.items()}


def _without_doubts(mask: BoolArray, probability: FloatArray, least_sure: float) -> BoolArray:
    parts, count = ndimage.label(mask, TOUCHING)
    if count == 0:
        return mask
    flat = parts.reshape(-1)
    sizes = np.bincount(flat)
    kept = np.bincount(flat, weights=probability.reshape(-1)) / np.maximum(sizes, 1) >= least_sure
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
