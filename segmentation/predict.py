"""A study's predicted mask: windows through the network, cleaned, on the study's grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from segmentation.cleaning import above, clean
from segmentation.errors import SegmentationCancelled
from segmentation.network import load_network
from segmentation.prepare import Prepared, paste, prepare, restore, stack
from segmentation.regions import paint_regions
from segmentation.weights import Weights
from segmentation.weights_entry import WeightsEntry
from viewer.arrays import FloatArray, LabelMap, spacing_of
from viewer.cache import ArrayCache
from viewer.study import Study

if TYPE_CHECKING:
    from torch import Tensor, nn

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]

PREDICTED_SCHEME = "brats-2021"
"""Predicted masks are painted 1 core, 2 edema, 4 enhancing."""


def silent(_share: float, _sentence: str) -> None:
    """Progress that nobody watches."""


def never() -> bool:
    """A run that nobody cancels."""
    return False


def segment(
    study: Study,
    weights: Weights,
    cache: ArrayCache,
    progress: Progress = silent,
    cancelled: Cancelled = never,
) -> LabelMap:
    """Predict the tumor of a study on the grid of the weights' first channel (RAS+).

    `progress(share, sentence)` is called from this thread. Raises
    `MissingSequence`, `UnusableWeights`, `SegmentationCancelled`.
    """
    entry = weights.entry
    progress(0.0, "Reading the sequences")
    stacked = stack(study, entry, cache)
    progress(0.1, "Loading the weights")
    network = load_network(weights)
    prepared = prepare(stacked, entry)
    predicted = _predicted(network, prepared, progress, cancelled)
    progress(0.95, "Cleaning the mask")
    probabilities = dict(zip(entry.outputs, restore(predicted, prepared), strict=True))
    inside = stacked.brain[prepared.box]
    regions = above(probabilities, inside, entry.threshold, entry.least_sure)
    masks = clean(regions, spacing_of(stacked.affine), entry.smallest_ml)
    labels = paste(paint_regions(masks), prepared)
    labels.flags.writeable = False
    return LabelMap(labels, stacked.affine, PREDICTED_SCHEME, weights.identity, stacked.notes)


def _predicted(
    network: nn.Module, prepared: Prepared, progress: Progress, cancelled: Cancelled
) -> FloatArray:
    """Probabilities (region, i, j, k) on the network's grid, mirrored views averaged."""
    import torch

    entry = prepared.entry
    array = torch.from_numpy(prepared.array)[None]
    views = [(), (2 + left_right_axis(entry),)] if entry.mirrored else [()]
    total = len(views) * window_count(prepared.array.shape[1:], entry)
    done = itertools.count(1)

    def run(window: Tensor) -> Tensor:
        if cancelled():
            raise SegmentationCancelled("The segmentation was cancelled; no mask was made.")
        logits: Tensor = network(window)
        progress(0.1 + 0.8 * next(done) / total, "Running the network")
        return logits

    with torch.inference_mode():
        seen = [_windowed(array.flip(view), run, entry).flip(view) for view in views]
        mean = torch.stack(seen).mean(dim=0)
    result: FloatArray = mean[0].numpy()
    return result


def left_right_axis(entry: WeightsEntry) -> int:
    """Which of the network's three axes runs between left and right."""
    return next(axis for axis, letter in enumerate(entry.axes) if letter in "RL")


def _windowed(array: Tensor, run: Callable[[Tensor], Tensor], entry: WeightsEntry) -> Tensor:
    """Blended probabilities (1, region, i, j, k) of all windows."""
    from monai.inferers import sliding_window_inference

    seen = sliding_window_inference(
        array,
        roi_size=entry.roi,
        sw_batch_size=1,
        predictor=lambda window: run(window).sigmoid(),
        overlap=entry.overlap,
        mode="gaussian",
    )
    probabilities: Tensor = seen  # one output, so one tensor
    return probabilities


def window_count(shape: Sequence[int], entry: WeightsEntry) -> int:
    """How many windows MONAI's sliding window cuts from an image of that shape."""
    count = 1
    for size, side in zip(shape, entry.roi, strict=True):
        step = max(1, int(side * (1 - entry.overlap)))
        count *= 1 + max(0, math.ceil((size - side) / step))
    return count
