"""Random fields are smooth, rotations are rotations."""

from __future__ import annotations

import numpy as np

from segmentation.training.fields import random_rotation, smooth_field


def test_a_field_is_smooth_and_about_standard_normal() -> None:
    field = smooth_field((60, 50, 40), 5.0, np.random.default_rng(0))
    assert field.shape == (60, 50, 40) and field.dtype == np.float32
    assert 0.3 < field.std() < 1.0
    assert np.abs(np.diff(field, axis=0)).max() < np.ptp(field) / 3


def test_a_rotation_keeps_lengths_and_handedness() -> None:
    for seed in range(5):
        matrix = random_rotation(np.random.default_rng(seed)).astype(float)
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-5)
        assert np.linalg.det(matrix) > 0
