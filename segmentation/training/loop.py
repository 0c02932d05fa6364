"""The training loop: steps, averaged weights, checkpoints that can be resumed."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from segmentation.errors import UnusableWeights
from segmentation.training.augmentation import Patch
from segmentation.training.losses import loss

log = logging.getLogger(__name__)

CHECKPOINT = "checkpoint.pt"


SMALLEST = "encoder10"
"""The layer that sees 2x2x2 voxels of a patch. On processors with bfloat16, oneDNN's
gradient of its convolutions holds values up to 1e31 (seen with torch 2.14)."""


@dataclass(frozen=True)
class Schedule:
    """How long and how fast. `averaging` is the decay of the averaged weights."""

    steps: int
    batch: int = 1
    rate: float = 1e-3
    warm_up: int = 100
    averaging: float = 0.99
    save_every: int = 25
    bfloat16: bool = False

    def rate_at(self, step: int) -> float:
        """Linear warm-up, then half a cosine to nothing."""
        if step < self.warm_up:
            return self.rate * (step + 1) / self.warm_up
        done = min(1.0, (step - self.warm_up) / max(1, self.steps - self.warm_up))
        return self.rate * 0.5 * (1 + math.cos(math.pi * done))


class Trainee:
    """A network, its average and its optimiser, at some step."""

    def __init__(self, network: nn.Module, schedule: Schedule) -> None:
        self.network = network.to(memory_format=torch.channels_last_3d)
        if schedule.bfloat16:
            keep_float32(network.get_submodule(SMALLEST))
        self.average = {k: v.detach().clone() for k, v in network.state_dict().items()}
        self.optimiser = torch.optim.AdamW(
            network.parameters(), lr=schedule.rate, weight_decay=1e-4, fused=True
        )
        self.step = 0

    def save(self, folder: Path) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "network": self.network.state_dict(),
            "average": self.average,
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / (CHECKPOINT + ".partial")
        torch.save(state, partial)
        partial.replace(folder / CHECKPOINT)

    def start_from(self, state: dict[str, torch.Tensor]) -> None:
        """Begin at step 0 with weights that were trained before."""
        self.network.load_state_dict(state)
        self.average = {key: value.detach().clone() for key, value in state.items()}

    def restore(self, folder: Path) -> None:
        """Continue from the checkpoint in `folder`."""
        file = folder / CHECKPOINT
        if not file.is_file():
            raise UnusableWeights(
                f"{folder}: expected a checkpoint to resume from, found no checkpoint; "
                "train without --resume first."
            )
        state: dict[str, Any] = torch.load(file, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.average = state["average"]
        self.optimiser.load_state_dict(state["optimiser"])
        self.step = state["step"]


def keep_float32(layer: nn.Module) -> None:
    """Run one layer in float32 where the rest of the network runs in bfloat16."""
    forward = layer.forward

    def precise(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", enabled=False):
            result: torch.Tensor = forward(x.float())
        return result

    layer.forward = precise


def train(
    trainee: Trainee, patches: Iterator[Patch], schedule: Schedule, folder: Path
) -> list[float]:
    """Run to `schedule.steps`; the losses of the steps run now."""
    losses: list[float] = []
    began = time.monotonic()
    while trainee.step < schedule.steps:
        losses.append(_step(trainee, patches, schedule))
        trainee.step += 1
        if trainee.step % schedule.save_every == 0 or trainee.step == schedule.steps:
            recent = float(np.nanmean(losses[-schedule.save_every :]))
            pace = (time.monotonic() - began) / len(losses)
            log.info("step %d  loss %.4f  %.2f s a step", trainee.step, recent, pace)
            trainee.save(folder)
    return losses


def _step(trainee: Trainee, patches: Iterator[Patch], schedule: Schedule) -> float:
    for group in trainee.optimiser.param_groups:
        group["lr"] = schedule.rate_at(trainee.step)
    batch = [next(patches) for _ in range(schedule.batch)]
    image = torch.from_numpy(np.stack([patch.image for patch in batch]))
    image = image.contiguous(memory_format=torch.channels_last_3d)
    labels = torch.from_numpy(np.stack([patch.labels for patch in batch]))
    with torch.autocast("cpu", torch.bfloat16, enabled=schedule.bfloat16):
        logits = trainee.network(image)
    value = loss(logits, labels)
    trainee.optimiser.zero_grad()
    torch.autograd.backward(value)
    length = nn.utils.clip_grad_norm_(trainee.network.parameters(), 1.0)
    if bool(torch.isfinite(length)) and bool(torch.isfinite(value)):
        trainee.optimiser.step()
        _average(trainee, schedule)
    else:  # one such step would spoil every weight, and the average with them
        log.warning("step %d left out: its gradient is not finite", trainee.step)
    return float(value.detach())


def _average(trainee: Trainee, schedule: Schedule) -> None:
    """Exponential average, shorter at first so that the start does not linger."""
    decay = min(schedule.averaging, (trainee.step + 1) / (trainee.step + 10))
    with torch.no_grad():
        for name, value in trainee.network.state_dict().items():
            if value.is_floating_point():
                trainee.average[name].lerp_(value, 1 - decay)
            else:
                trainee.average[name].copy_(value)
