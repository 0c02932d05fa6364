"""Images and labels move together."""

from __future__ import annotations

import numpy as np

from segmentation.training.warping import Motion, random_matrix, warp
from tests.segmentation.training.brains import SHAPE, specimen


def test_standing_still_changes_nothing() -> None:
    before = specimen()
    centre = np.zeros(3, np.float32)
    after = warp(before, Motion(np.eye(3, dtype=np.float32), centre, centre), SHAPE)
    np.testing.assert_allclose(after.image, before.image, atol=1e-4)
    np.testing.assert_array_equal(after.labels, before.labels)


def test_a_mirror_takes_labels_along_with_the_image() -> None:
    before = specimen()
    centre = (np.array(SHAPE, np.float32) - 1) / 2
    matrix = np.diag([-1, 1, 1]).astype(np.float32)
    after = warp(before, Motion(matrix, centre, centre), SHAPE)
    np.testing.assert_allclose(after.image, before.image[:, ::-1], atol=1e-4)
    np.testing.assert_array_equal(after.labels, before.labels[::-1])


def test_outside_there_is_nothing() -> None:
    centre = np.zeros(3, np.float32)
    far = np.full(3, 500, np.float32)
    after = warp(specimen(), Motion(np.eye(3, dtype=np.float32), centre, far), (8, 8, 8))
    assert not after.image.any() and not after.labels.any() and not after.brain.any()


def test_a_random_motion_mirrors_only_when_asked_to() -> None:
    rng = np.random.default_rng(0)
    for mirror in (False, True) * 5:
        turned = np.linalg.det(random_matrix(rng, 20, 0.25, mirror)) < 0
        assert turned == mirror
