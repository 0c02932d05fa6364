"""Overlap plus cross-entropy on the three nested regions."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits


def region_targets(labels: Tensor) -> Tensor:
    """Labels (batch, i, j, k) of 0, 1, 2, 4 -> TC, WT, ET as float (batch, 3, i, j, k)."""
    core = (labels == 1) | (labels == 4)
    return torch.stack([core, labels > 0, labels == 4], dim=1).float()


def loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Soft Dice over the whole batch, one term for each region, plus mean cross-entropy."""
    targets = region_targets(labels)
    logits = logits.float()
    probabilities = logits.sigmoid()
    axes = (0, 2, 3, 4)
    overlap = (probabilities * targets).sum(axes)
    total = probabilities.sum(axes) + targets.sum(axes)
    dice = (2 * overlap + 1.0) / (total + 1.0)
    return (1 - dice).mean() + binary_cross_entropy_with_logits(logits, targets)
