"""Training goes on where it stopped, and one bad step spoils nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from segmentation.training.augmentation import Patch
from segmentation.training.loop import Schedule, Trainee, keep_float32, train
from tests.segmentation.training.brains import specimen

SCHEDULE = Schedule(steps=4, save_every=2, rate=1e-2)


def network() -> torch.nn.Module:
    torch.manual_seed(0)
    return torch.nn.Conv3d(4, 3, 3, padding=1)


def stream(start: int = 0, spoiled: int = -1) -> Iterator[Patch]:
    number = start
    while True:
        noise = np.random.default_rng(number).normal(0, 0.1, specimen().image.shape)
        image = (specimen().image + noise).astype(np.float32)
        if number == spoiled:
            image[:] = np.nan
        yield Patch(image, specimen().labels)
        number += 1


def test_the_rate_rises_and_falls() -> None:
    schedule = Schedule(steps=1000)
    rates = [schedule.rate_at(step) for step in (0, schedule.warm_up, 500, 999)]
    assert rates[0] < rates[1] == pytest.approx(schedule.rate)
    assert rates[1] > rates[2] > rates[3] > 0


def test_training_lowers_the_loss(tmp_path: Path) -> None:
    schedule = replace(SCHEDULE, steps=30, warm_up=1)
    losses = train(Trainee(network(), schedule), stream(), schedule, tmp_path)
    assert np.mean(losses[-5:]) < losses[0]


def test_a_resumed_run_ends_where_a_whole_one_does(tmp_path: Path) -> None:
    whole = Trainee(network(), SCHEDULE)
    train(whole, stream(), SCHEDULE, tmp_path / "whole")
    half = Trainee(network(), SCHEDULE)
    train(half, stream(), replace(SCHEDULE, steps=2), tmp_path / "half")
    resumed = Trainee(network(), SCHEDULE)
    resumed.restore(tmp_path / "half")
    assert resumed.step == 2
    train(resumed, stream(start=2), SCHEDULE, tmp_path / "half")
    for name, value in whole.average.items():
        torch.testing.assert_close(resumed.average[name], value)


def test_a_step_that_is_not_finite_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trainee = Trainee(network(), SCHEDULE)
    with caplog.at_level(logging.WARNING):
        train(trainee, stream(spoiled=1), SCHEDULE, tmp_path)
    assert "step 1 left out" in caplog.text
    assert all(bool(torch.isfinite(value).all()) for value in trainee.average.values())


def test_a_layer_kept_in_float32_stays_out_of_bfloat16() -> None:
    layer = torch.nn.Conv3d(2, 2, 1)
    keep_float32(layer)
    with torch.autocast("cpu", torch.bfloat16):
        answer = layer(torch.zeros(1, 2, 2, 2, 2, dtype=torch.bfloat16))
    assert answer.dtype == torch.float32
