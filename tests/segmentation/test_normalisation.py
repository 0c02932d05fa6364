"""Intensities on one scale, with nothing made of nothing."""

from __future__ import annotations

import numpy as np
import pytest

from segmentation.normalisation import CLIPPED_AT, NORMALISATIONS, z_score
from tests.segmentation.studies import brain


def test_z_score_is_that_of_monai() -> None:
    from monai.transforms import NormalizeIntensity

    rng = np.random.default_rng(0)
    stack = (rng.normal(300, 40, (4, *brain().shape)) * brain()).astype(np.float32)
    theirs = NormalizeIntensity(nonzero=True, channel_wise=True)(stack.copy())
    np.testing.assert_allclose(z_score(stack), np.asarray(theirs), atol=1e-4)


@pytest.mark.parametrize("name", NORMALISATIONS)
def test_constant_and_empty_channels_stay_finite(name: str) -> None:
    stack = np.stack([np.zeros((3, 4, 5)), np.full((3, 4, 5), 37.0)]).astype(np.float32)
    np.testing.assert_array_equal(NORMALISATIONS[name](stack), np.zeros_like(stack))


def test_clipping_bounds_what_vessels_do() -> None:
    stack = np.ones((1, 20, 20, 20), np.float32)
    stack[0, 0, 0, 0] = 1e4
    assert NORMALISATIONS["nonzero-z-score-clipped"](stack).max() == CLIPPED_AT
