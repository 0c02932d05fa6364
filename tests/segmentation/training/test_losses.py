"""The loss is small where the regions are right."""

from __future__ import annotations

import torch

from segmentation.training.losses import loss, region_targets
from tests.segmentation.training.brains import specimen


def test_targets_are_nested_regions() -> None:
    targets = region_targets(torch.tensor([[[[0, 1, 2, 4]]]]))
    assert targets[0, :, 0, 0].tolist() == [[0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 0, 1]]


def test_the_loss_prefers_the_truth() -> None:
    labels = torch.tensor(specimen().labels)[None]
    targets = region_targets(labels)
    right, wrong = loss((targets - 0.5) * 20, labels), loss((0.5 - targets) * 20, labels)
    assert float(right) < 0.01 < 1.0 < float(wrong)


def test_inventing_a_region_that_is_not_there_costs() -> None:
    labels = torch.zeros(1, 8, 8, 8, dtype=torch.uint8)
    silent, inventing = torch.full((1, 3, 8, 8, 8), -9.0), torch.full((1, 3, 8, 8, 8), 1.0)
    assert float(loss(silent, labels)) < 0.5 < float(loss(inventing, labels))
