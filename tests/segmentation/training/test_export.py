"""Exported weights are described, small, and never broken."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from segmentation.network import build_network, load_network
from segmentation.training.export import DEMO, export
from segmentation.weights import find_weights


def test_exported_weights_are_found_by_their_path_and_load(tmp_path: Path) -> None:
    state = build_network(DEMO).state_dict()
    file = export(state, tmp_path)
    assert file.stat().st_size <= 12 * 2**20
    weights = find_weights(str(file))
    assert weights.entry.channels == DEMO.channels and weights.entry.sha256 == weights.sha256
    loaded = load_network(weights).state_dict()
    for name, value in state.items():
        torch.testing.assert_close(loaded[name].float(), value.float(), atol=2e-3, rtol=2e-3)


def test_weights_that_are_not_finite_are_not_exported(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not finite"):
        export({"x": torch.tensor([1.0, float("nan")])}, tmp_path)
    assert not list(tmp_path.iterdir())
