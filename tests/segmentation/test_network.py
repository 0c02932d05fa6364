"""A network runs only on weights that are its own; nothing in a file is executed."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from segmentation.errors import UnusableWeights
from segmentation.network import build_network, load_network, read_state
from segmentation.published import PUBLISHED
from segmentation.training.export import DEMO
from segmentation.weights import Weights, find_weights
from tests.segmentation.studies import ENTRY

SMALL = replace(ENTRY, architecture="seg-resnet", feature_size=8)


@pytest.fixture(scope="module")
def state() -> dict[str, torch.Tensor]:
    return dict(build_network(SMALL).state_dict())


def at(path: Path, entry: Any = SMALL) -> Weights:
    return Weights(entry, path, "0" * 64)


def test_the_embedded_network_loads_and_answers() -> None:
    network = load_network(find_weights())
    with torch.inference_mode():
        logits = network(torch.zeros(1, 4, 64, 64, 64))
    assert logits.shape == (1, 3, 64, 64, 64) and bool(torch.isfinite(logits).all())
    assert logits.dtype == torch.float32


def test_the_published_rows_build_what_they_say() -> None:
    fold = build_network(PUBLISHED["brats21-fold0"])
    assert sum(p.numel() for p in fold.parameters()) == pytest.approx(62.2e6, rel=0.01)
    build_network(PUBLISHED["monai-brats-bundle"])


@pytest.mark.parametrize("prefix", ["", "module.", "module.backbone."])
def test_wrappers_are_unwrapped(
    tmp_path: Path, state: dict[str, torch.Tensor], prefix: str
) -> None:
    wrapped = {"epoch": 3, "state_dict": {prefix + key: value for key, value in state.items()}}
    torch.save(wrapped, tmp_path / "model.pt")
    loaded = load_network(at(tmp_path / "model.pt")).state_dict()
    assert all(torch.equal(loaded[key], value) for key, value in state.items())


def test_half_precision_becomes_float32(tmp_path: Path, state: dict[str, torch.Tensor]) -> None:
    save_file({key: value.half() for key, value in state.items()}, tmp_path / "x.safetensors")
    loaded = load_network(at(tmp_path / "x.safetensors"))
    assert {value.dtype for value in loaded.state_dict().values()} == {torch.float32}


def test_weights_that_lack_more_than_one_key_in_a_hundred_are_refused(
    tmp_path: Path, state: dict[str, torch.Tensor]
) -> None:
    cut = dict(list(state.items())[:-4])
    save_file(cut, tmp_path / "x.safetensors")
    with pytest.raises(UnusableWeights, match=r"got 9\d% of them in the right shape"):
        load_network(at(tmp_path / "x.safetensors"))


def test_another_feature_size_is_refused(tmp_path: Path, state: dict[str, torch.Tensor]) -> None:
    save_file(state, tmp_path / "x.safetensors")
    with pytest.raises(UnusableWeights, match="feature size 16"):
        load_network(at(tmp_path / "x.safetensors", replace(SMALL, feature_size=16)))


def test_an_encoders_pretraining_is_refused_by_its_reason(tmp_path: Path) -> None:
    pretraining = {
        f"module.layers1.0.blocks.0.{name}": torch.zeros(3) for name in ("norm1.weight", "fc1.bias")
    }
    torch.save({"state_dict": pretraining}, tmp_path / "model_swinvit.pt")
    with pytest.raises(UnusableWeights, match="encoder's pretraining without a decoder"):
        load_network(at(tmp_path / "model_swinvit.pt", DEMO))


def test_an_unknown_architecture_is_refused() -> None:
    with pytest.raises(UnusableWeights, match="swin-unetr, seg-resnet"):
        build_network(replace(ENTRY, architecture="vit"))


@pytest.mark.parametrize(
    ("architecture", "feature_size", "reason"),
    [("swin-unetr", 40, "feature_size 40.*divisible by 12"), ("seg-resnet", 12, "feature_size 12")],
)
def test_numbers_that_make_no_network_are_refused(
    architecture: str, feature_size: int, reason: str
) -> None:
    with pytest.raises(UnusableWeights, match=reason) as refused:
        build_network(replace(ENTRY, architecture=architecture, feature_size=feature_size))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["x.pt", "x.safetensors"])
@pytest.mark.parametrize("content", [b"", b"<html>404</html>", b"PK\x03\x04 cut"])
def test_what_holds_no_weights_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnusableWeights, match="expected readable weights"):
        read_state(tmp_path / name)


class Payload:
    def __reduce__(self) -> tuple[Any, ...]:
        return (os.mkdir, ("executed",))


def test_code_in_a_file_is_not_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.save({"state_dict": Payload()}, tmp_path / "x.pt")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnusableWeights, match="more than tensors"):
        read_state(tmp_path / "x.pt")
    assert not (tmp_path / "executed").exists()
