"""Brains with other tumors than their own."""

from __future__ import annotations

import numpy as np

from segmentation.training.lesions import heal, painted, transplanted
from tests.segmentation.training.brains import specimen


def test_healing_removes_a_tumor_on_one_side() -> None:
    healed = heal(specimen())
    assert not healed.labels.any()
    assert healed.image[:, specimen().labels > 0].mean() < 1.3


def test_painted_tumors_are_in_the_brain_and_differ_by_seed() -> None:
    ground = heal(specimen())
    made = [painted(ground, np.random.default_rng(seed)) for seed in range(4)]
    for one in made:
        assert one.labels.any() and set(np.unique(one.labels)) <= {0, 1, 2, 4}
        assert not one.labels[~one.brain].any() and not one.image[:, ~one.brain].any()
        assert np.isfinite(one.image).all() and one.image.min() >= 0
    assert len({one.labels.tobytes() for one in made}) == 4


def test_a_transplant_carries_the_donors_labels() -> None:
    donor, recipient = specimen("donor"), heal(specimen("recipient", side=6))
    made = transplanted(recipient, donor, np.random.default_rng(3))
    assert made.name == "recipient"
    assert set(np.unique(made.labels)) == {0, 2, 4}
    assert not made.labels[~made.brain].any()
    assert np.isfinite(made.image).all() and made.image.min() >= 0
