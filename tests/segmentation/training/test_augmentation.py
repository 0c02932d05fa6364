"""Variety that leaves labels true and numbers finite."""

from __future__ import annotations

import numpy as np

from segmentation.training.augmentation import patches, rescanned
from segmentation.training.specimen import brain_statistics
from tests.segmentation.training.brains import specimen


def test_rescanned_channels_are_z_scored() -> None:
    image = rescanned(specimen(), np.random.default_rng(0))
    mean, deviation = brain_statistics(image, specimen().brain)
    np.testing.assert_allclose(mean, 0.0, atol=1e-4)
    np.testing.assert_allclose(deviation, 1.0, atol=1e-3)
    assert not image[:, ~specimen().brain].any()


def test_patches_have_their_shape_and_stay_finite() -> None:
    rng = np.random.default_rng(0)
    made = patches(specimen(), rescanned(specimen(), rng), (32, 16, 24), 8, rng)
    for patch in made:
        assert patch.image.shape == (4, 32, 16, 24) and patch.labels.shape == (32, 16, 24)
        assert np.isfinite(patch.image).all()
    assert any(patch.labels.any() for patch in made)


def test_a_patch_that_can_hold_the_brain_holds_it() -> None:
    rng = np.random.default_rng(0)
    for patch in patches(specimen(), rescanned(specimen(), rng), (64, 64, 64), 6, rng):
        seen = np.count_nonzero(patch.image.any(axis=0))
        assert seen > 0.35 * specimen().brain.sum()
        assert patch.labels.any()


def test_a_patch_narrower_than_the_brain_stays_on_it() -> None:
    """Along the axis that is too short it looks at tissue, along the others at the middle."""
    rng = np.random.default_rng(0)
    shape = (32, 16, 32)
    image = rescanned(specimen(), rng)
    shares = [
        np.count_nonzero(patch.image.any(axis=0)) / specimen().brain.sum()
        for patch in patches(specimen(), image, shape, 12, rng)
    ]
    assert np.median(shares) > 0.4
