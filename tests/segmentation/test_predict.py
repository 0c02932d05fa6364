"""From a study to a mask: on its own grid, in its own place, stopped when asked to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from segmentation import predict
from segmentation.errors import SegmentationCancelled
from segmentation.predict import left_right_axis, segment, window_count
from segmentation.regions import region_mask
from tests.segmentation.studies import ENTRY, BrightFlair, brain, lump, weights, write_study
from viewer.arrays import LabelMap
from viewer.cache import ArrayCache
from viewer.study import Study


@pytest.fixture
def cache() -> ArrayCache:
    return ArrayCache(2**26)


@pytest.fixture(autouse=True)
def bright_flair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predict, "load_network", lambda _weights: BrightFlair())


def segmented(study: Study, cache: ArrayCache, **changes: object) -> LabelMap:
    return segment(study, weights(replace(ENTRY, **changes)), cache)


@pytest.mark.parametrize("order", ["RAS", "LPS", "PIR", "SLA"])
@pytest.mark.parametrize("axes", ["RAS", "LPS"])
def test_the_mask_lies_on_the_tumor_however_the_axes_are_stored(
    tmp_path: Path, cache: ArrayCache, order: str, axes: str
) -> None:
    labels = segmented(write_study(tmp_path / "s", order=order), cache, axes=axes)
    np.testing.assert_array_equal(region_mask(labels, "WT"), lump() & brain())
    assert labels.array.dtype == np.uint8 and not labels.array.flags.writeable


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_coarser_network_still_finds_the_place(
    tmp_path: Path, cache: ArrayCache, mirrored: bool
) -> None:
    study = write_study(tmp_path / "s")
    labels = segmented(study, cache, spacing_mm=(2.0, 2.0, 2.0), mirrored=mirrored)
    found = np.argwhere(region_mask(labels, "WT"))
    assert len(found) == pytest.approx(lump().sum(), rel=0.35)
    np.testing.assert_allclose(found.mean(axis=0), np.argwhere(lump()).mean(axis=0), atol=0.5)


def test_the_mask_says_whose_work_it_is(tmp_path: Path, cache: ArrayCache) -> None:
    labels = segmented(write_study(tmp_path / "s"), cache)
    assert labels.source == weights().identity
    assert labels.scheme == "brats-2021"


def test_progress_rises_to_the_end_and_counts_every_window(
    tmp_path: Path, cache: ArrayCache
) -> None:
    told: list[tuple[float, str]] = []
    entry = replace(ENTRY, mirrored=True)
    study = write_study(tmp_path / "s")
    segment(study, weights(entry), cache, lambda share, text: told.append((share, text)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares) and shares[-1] <= 1.0
    running = [share for share, text in told if text == "Running the network"]
    assert running[-1] == pytest.approx(0.9)
    assert len(running) % 2 == 0


def test_window_count_is_that_of_monai() -> None:
    from monai.inferers import sliding_window_inference

    calls: list[int] = []

    def count(window: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return window

    for shape in ((20, 32, 70), (33, 64, 65), (47, 90, 31)):
        for overlap in (0.0, 0.25, 0.6):
            calls.clear()
            image = torch.zeros(1, 1, *shape)
            sliding_window_inference(image, (32, 32, 32), 1, count, overlap=overlap)
            assert window_count(shape, replace(ENTRY, overlap=overlap)) == len(calls)


def test_cancelling_stops_before_the_next_window(tmp_path: Path, cache: ArrayCache) -> None:
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 1

    with pytest.raises(SegmentationCancelled, match="no mask was made"):
        segment(write_study(tmp_path / "s"), weights(), cache, cancelled=cancelled)
    assert len(asked) == 2


@pytest.mark.parametrize(("axes", "axis"), [("RAS", 0), ("LPS", 0), ("ASR", 2), ("SLA", 1)])
def test_mirroring_swaps_left_and_right_only(axes: str, axis: int) -> None:
    assert left_right_axis(replace(ENTRY, axes=axes)) == axis
