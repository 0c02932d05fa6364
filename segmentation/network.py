"""Networks by architecture, filled with weights only when nearly every key fits."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segmentation.errors import UnusableWeights
from segmentation.weights import Weights
from segmentation.weights_entry import WeightsEntry

if TYPE_CHECKING:
    from torch import Tensor, nn

PREFIXES = ("module.", "backbone.")
"""Left by data-parallel training and by wrappers."""

LEAST_MATCH = 0.99
"""A network of which more than 1 % stays random still draws masks, so it is refused."""


def build_network(entry: WeightsEntry) -> nn.Module:
    """An untrained network of the entry's architecture; `UnusableWeights` where none can be."""
    try:
        make = ARCHITECTURES[entry.architecture]
    except KeyError:
        raise UnusableWeights(
            f"{entry.name}: expected an architecture out of {', '.join(ARCHITECTURES)}, got "
            f"{entry.architecture!r}; mend its description."
        ) from None
    try:
        network: nn.Module = make(entry)
    except (ValueError, TypeError, RuntimeError, ArithmeticError, MemoryError) as error:
        why = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        raise UnusableWeights(
            f"{entry.name}: expected numbers that {entry.architecture} can be built with, got "
            f"feature_size {entry.feature_size} and window_size {entry.window_size} ({why}); "
            "mend its description."
        ) from error
    return network


def _swin_unetr(entry: WeightsEntry) -> nn.Module:
    from monai.networks.nets import SwinUNETR

    network: nn.Module = SwinUNETR(
        in_channels=len(entry.channels),
        out_channels=len(entry.outputs),
        feature_size=entry.feature_size,
        window_size=entry.window_size,
    )
    return network


def _seg_resnet(entry: WeightsEntry) -> nn.Module:
    from monai.networks.nets import SegResNet

    network: nn.Module = SegResNet(
        in_channels=len(entry.channels),
        out_channels=len(entry.outputs),
        init_filters=entry.feature_size,
        blocks_down=(1, 2, 2, 4),
        blocks_up=(1, 1, 1),
        dropout_prob=0.2,
    )
    return network


ARCHITECTURES: dict[str, Callable[[WeightsEntry], Any]] = {
    "swin-unetr": _swin_unetr,
    "seg-resnet": _seg_resnet,
}


def load_network(weights: Weights) -> nn.Module:
    """The network with its weights in float32, ready to predict.

    Raises `UnusableWeights` for a file that cannot be read and for one that
    does not hold at least 99 % of the network's keys in the right shapes.
    """
    state = read_state(weights.path)
    network = build_network(weights.entry)
    _refuse_mismatch(weights, network.state_dict(), state)
    network.load_state_dict({key: value.float() for key, value in state.items()}, strict=False)
    return network.eval()


def read_state(path: Path) -> dict[str, Tensor]:
    """Tensors by key, wrappers' prefixes removed. Nothing in the file is executed."""
    try:
        held = _read_safetensors(path) if path.suffix == ".safetensors" else _read_torch(path)
    except (OSError, RuntimeError, ValueError, pickle.UnpicklingError, EOFError) as error:
        raise UnusableWeights(
            f"{path.name}: expected readable weights ({type(error).__name__}); "
            "the file is damaged or holds more than tensors: fetch it again."
        ) from error
    return {_bare(key): value for key, value in held.items() if hasattr(value, "shape")}


def _read_safetensors(path: Path) -> Mapping[str, Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        state: dict[str, Tensor] = load_file(path)
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    return state


def _read_torch(path: Path) -> Mapping[str, Any]:
    import torch

    held = torch.load(path, map_location="cpu", weights_only=True)
    while isinstance(held, dict) and "state_dict" in held:
        held = held["state_dict"]
    if not isinstance(held, dict):
        raise ValueError(f"a {type(held).__name__}")
    return held


def _bare(key: str) -> str:
    while key.startswith(PREFIXES):
        key = key.split(".", 1)[1]
    return key


def _refuse_mismatch(
    weights: Weights, wanted: Mapping[str, Tensor], state: Mapping[str, Tensor]
) -> None:
    shared = [key for key in wanted if key in state]
    fits = [key for key in shared if state[key].shape == wanted[key].shape]
    share = len(fits) / len(wanted)
    if share >= LEAST_MATCH and len(fits) == len(shared):
        return
    name = weights.path.name
    if _is_encoder_only(state):
        raise UnusableWeights(
            f"{name}: expected a whole segmentation network, got an encoder's pretraining "
            "without a decoder, which would draw random masks; choose fine-tuned weights."
        )
    raise UnusableWeights(
        f"{name}: expected the {len(wanted)} tensors of {weights.entry.architecture} with "
        f"feature size {weights.entry.feature_size}, got {share:.0%} of them in the right shape; "
        "choose the row that these weights belong to."
    )


def _is_encoder_only(state: Mapping[str, Tensor]) -> bool:
    """Pretraining such as model_swinvit.pt: the transformer's layers, nothing that decodes."""
    encodes = any("layers1." in key for key in state)
    return encodes and not any(key.startswith("decoder") for key in state)
