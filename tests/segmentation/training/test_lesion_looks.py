"""Painted tissue looks as its kind does."""

from __future__ import annotations

import numpy as np
import pytest

from segmentation.training.lesion_looks import paint
from segmentation.training.lesions import heal
from segmentation.training.specimen import brain_statistics
from tests.segmentation.training.brains import specimen


@pytest.mark.parametrize("seed", range(5))
def test_enhancing_tissue_is_brighter_in_t1c_than_in_t1(seed: int) -> None:
    ground, labels = heal(specimen()), specimen().labels
    image = paint(ground, labels, np.random.default_rng(seed))
    _, deviation = brain_statistics(ground.image, ground.brain)
    assert (image[1] - image[2])[labels == 4].mean() / deviation.max() > 0.3


def test_far_from_the_tumor_nothing_changes() -> None:
    ground, labels = heal(specimen()), specimen().labels
    image = paint(ground, labels, np.random.default_rng(0))
    np.testing.assert_array_equal(image[:, 24:], ground.image[:, 24:])


def test_what_does_not_enhance_is_often_faint() -> None:
    """Half of such tumors differ in T1 by less than half a standard deviation."""
    ground, labels = heal(specimen()), np.where(specimen().labels > 0, 1, 0).astype(np.uint8)
    _, deviation = brain_statistics(ground.image, ground.brain)
    sick = labels > 0
    changes = []
    for seed in range(40):
        image = paint(ground, labels, np.random.default_rng(seed))
        change = (image - ground.image) / deviation
        changes.append([change[channel][sick].mean() for channel in range(4)])
    flair, t1 = np.array(changes)[:, 0], np.abs(np.array(changes)[:, 2])
    assert 0.15 < np.mean(t1 < 0.5) < 0.75
    assert np.median(flair[t1 < 0.5]) > 0.2
