"""A specimen keeps its arrays, on the disk too."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from segmentation.training.specimen import brain_statistics, load, save
from tests.segmentation.training.brains import SHAPE, specimen


def test_a_specimen_survives_the_disk(tmp_path: Path) -> None:
    before = specimen()
    save(before, tmp_path / "s.npz")
    after = load(tmp_path / "s.npz")
    assert after.name == "s" and after.shape == SHAPE
    np.testing.assert_allclose(after.image, before.image, atol=2e-3)
    np.testing.assert_array_equal(after.labels, before.labels)


def test_statistics_are_those_of_the_brain_alone() -> None:
    one = specimen()
    mean, deviation = brain_statistics(one.image, one.brain)
    np.testing.assert_allclose(mean.ravel(), one.image[:, one.brain].mean(axis=1), rtol=1e-5)
    np.testing.assert_allclose(deviation.ravel(), one.image[:, one.brain].std(axis=1), rtol=1e-5)


def test_a_constant_channel_has_a_deviation_to_divide_by() -> None:
    one = specimen()
    _, deviation = brain_statistics(np.ones_like(one.image), one.brain)
    assert (deviation > 0).all()
