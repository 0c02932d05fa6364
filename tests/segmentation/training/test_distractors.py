"""Bright tissue that is no tumor: outside the tumor, in the brain, labels untouched."""

from __future__ import annotations

import numpy as np

from segmentation.training.distractors import distracted
from tests.segmentation.training.brains import specimen


def test_only_healthy_brain_gets_brighter_and_labels_stay() -> None:
    ground = specimen()
    changed = []
    for seed in range(12):
        made = distracted(ground, np.random.default_rng(seed))
        np.testing.assert_array_equal(made.labels, ground.labels)
        more = made.image - ground.image
        assert more.min() >= 0 and not more[:, ~ground.brain].any()
        assert not more[2].any()  # T1 shows neither vessels with contrast agent nor white matter
        changed.append(more.any(axis=(1, 2, 3)))
    assert any(row[1] for row in changed) and any(row[0] for row in changed)
    assert not all(row.any() for row in changed)


def test_the_core_of_a_tumor_keeps_its_look() -> None:
    ground = specimen()
    deep = ground.labels == 4
    for seed in range(6):
        made = distracted(ground, np.random.default_rng(seed))
        change = np.abs(made.image - ground.image)[:, deep]
        assert np.median(change) < 0.01
