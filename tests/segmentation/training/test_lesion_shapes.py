"""Invented tumors: nested, in the brain, of every kind."""

from __future__ import annotations

import numpy as np
import pytest

from segmentation.training.lesion_shapes import ENHANCEMENTS, lesion_labels
from tests.segmentation.training.brains import specimen


def test_the_shares_of_the_kinds_add_up() -> None:
    assert sum(share for share, _ in ENHANCEMENTS.values()) == pytest.approx(1.0)


def test_some_enhance_and_some_do_not() -> None:
    brain = specimen().brain
    made = [lesion_labels(brain, ~brain, np.random.default_rng(seed)) for seed in range(20)]
    shares = [np.mean(labels == 4) for labels in made]
    assert min(shares) == 0.0 and max(shares) > 0.0
    assert not any(labels[~brain].any() for labels in made)


def test_edema_mostly_spares_fluid() -> None:
    brain = specimen().brain
    i = np.arange(brain.shape[0])[:, None, None]
    fluid = brain & (i % 2 == 0)
    edema = np.zeros(2)
    for seed in range(10):
        labels = lesion_labels(brain, fluid, np.random.default_rng(seed))
        edema += [np.mean(labels[fluid] == 2), np.mean(labels[brain & ~fluid] == 2)]
    assert edema[0] < edema[1]
