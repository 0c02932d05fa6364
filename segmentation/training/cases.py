"""Real studies as specimens: the same stack that prediction reads, with the expert's labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from segmentation.prepare import brain_box, stack
from segmentation.regions import COMPARTMENTS, canonical_labels
from segmentation.resampling import Shape, Spacing, resample, resampled_shape
from segmentation.training.specimen import Specimen, brain_statistics
from segmentation.weights_entry import WeightsEntry
from viewer.arrays import LabelArray, spacing_of
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies
from viewer.errors import UnknownStudy
from viewer.grids import resample_labels
from viewer.study import Study

CACHE_BYTES = 2**30


def studies_with_masks(roots: Sequence[Path], ids: Sequence[str]) -> list[Study]:
    """Those studies below the roots, or with no ids all that have an expert's mask."""
    catalogue = find_studies(roots)
    if ids:
        return [catalogue.study(name) for name in ids]
    found = [study for study in catalogue.studies if study.mask("expert") is not None]
    if not found:
        listed = ", ".join(str(root) for root in roots)
        raise UnknownStudy(f"Expected studies with an expert's mask in {listed}, found none.")
    return found


def specimen_of(study: Study, entry: WeightsEntry) -> Specimen:
    """One study on the entry's grid, cropped to its brain."""
    cache = ArrayCache(CACHE_BYTES)
    stacked = stack(study, entry, cache)
    mask = study.mask("expert")
    if mask is None:
        raise UnknownStudy(f"{study.id}: expected an expert's mask to train on, found none.")
    labels = resample_labels(cache.labels(mask), stacked.affine, stacked.shape)
    box = brain_box(stacked.brain)
    spacing, target = spacing_of(stacked.affine), entry.spacing_mm
    i, j, k = (side.stop - side.start for side in box)
    shape = resampled_shape((i, j, k), spacing, target)
    inside = stacked.brain[box].astype(np.float32)
    brain = resample(inside, spacing, target, shape) >= 0.5
    image = resample(stacked.array[(slice(None), *box)], spacing, target, shape) * brain
    small = _resampled_labels(canonical_labels(labels)[box], spacing, target, shape) * brain
    mean, _ = brain_statistics(image, brain)
    return Specimen(study.id, image / mean, small, brain)


def _resampled_labels(
    labels: LabelArray, spacing: Spacing, target: Spacing, shape: Shape
) -> LabelArray:
    """The label that covers most of each new voxel."""
    values = np.array([0, *(compartment.value for compartment in COMPARTMENTS)], np.uint8)
    shares = [
        resample((labels == value).astype(np.float32), spacing, target, shape) for value in values
    ]
    return np.asarray(values[np.argmax(shares, axis=0)], dtype=np.uint8)
