"""MedImageInsight, built by its own package `medimageinsights` and fed by this application.

The package builds the network and its tokenizer; its loading is left aside: it
fetches weights from a place of its own whatever it is told, and never calls
`eval()`, so that dropout would answer. The published weights end in .pt but are
safetensors; what is none is refused, since nothing is unpickled.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inference.models.described import about
from inference.models.embedding import EmbeddingModel
from inference.models.entries import ModelEntry
from inference.models.errors import ModelUnavailable
from inference.models.folders import insight_weights
from inference.models.memory import memory_in_words
from inference.models.precision import choose_precision
from inference.models.protocol import Progress
from inference.models.quiet import quiet_libraries
from inference.models.weights import file_hash, find_weights
from inference.pictures import PixelArray

if TYPE_CHECKING:
    import torch

PACKAGE = "MedImageInsights"
PACKAGE_CONFIG = ("v20240927", "config.yaml")
PACKAGE_TOKENIZER = ("v20240927", "language_model", "clip_tokenizer_v4162")
CLOSED_PARTS = ("IMAGE_ENCODER", "LANG_ENCODER", "UNICL_MODEL")
"""Parts of its configuration that would each load weights by themselves."""


@dataclass(frozen=True, eq=False)
class Insight:
    """The package's network, tokenizer and picture transform, seen as an `Encoder`."""

    network: Any
    tokenizer: Any
    transform: Any
    longest: int

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text."""
        return [len(ids) for ids in self.tokenizer(list(texts), truncation=False)["input_ids"]]

    def nearness(self, pixels: PixelArray, texts: Sequence[str]) -> torch.Tensor:
        """Scaled cosines, as the package's own `predict` computes them before its softmax."""
        from PIL import Image

        device = self.network.logit_scale.device
        tokens = self.tokenizer(
            list(texts),
            padding="max_length",
            truncation=True,
            max_length=self.longest,
            return_tensors="pt",
        )
        words = {name: tokens[name].to(device) for name in ("input_ids", "attention_mask")}
        picture = self.transform(Image.fromarray(pixels))[None].to(device)
        of_picture, of_words, scale = self.network(picture, words)
        found: torch.Tensor = (of_picture @ of_words.t() * scale)[0]
        return found


def load_med_image_insight(entry: ModelEntry, progress: Progress) -> EmbeddingModel:
    """The model of that row, ready to be asked; `ModelUnavailable` where it cannot be.

    A folder with a `config.yaml` of its own is built by it, else by the package's.
    """
    progress(0.0, f"Looking for the weights of {entry.name}")
    folder = find_weights(entry)
    weights = insight_weights(folder)
    assert weights is not None, "find_weights refuses a folder without them"
    precision = choose_precision(entry.dtype)
    progress(0.2, f"Loading {entry.name}, {precision.reason}")
    config = _config(folder)
    with memory_in_words(entry.name), warnings.catch_warnings(), quiet_libraries():
        warnings.simplefilter("ignore", FutureWarning)  # of the packages that it imports
        network = _network(entry, config, weights).to(precision.device).eval()
        encoder = Insight(network, *_words_and_pictures(config))
    progress(1.0, f"{entry.name} is ready")
    told = about(entry, file_hash([weights]), precision.dtype, precision.reason)
    return EmbeddingModel(told, entry, encoder)


def _config(folder: Path) -> dict[str, Any]:
    """The network's shape, with everything off that loads or checkpoints by itself."""
    import yaml

    own = sorted(folder.rglob("config.yaml"))
    text = (own[0] if own else files(PACKAGE).joinpath(*PACKAGE_CONFIG)).read_text(encoding="utf-8")
    config: dict[str, Any] = yaml.safe_load(text)
    for part in CLOSED_PARTS:
        config[part]["LOAD_PRETRAINED"] = False
    config["IMAGE_ENCODER"]["SPEC"]["ENABLE_CHECKPOINT"] = False
    config["VERBOSE"] = False
    tokenizer = files(PACKAGE).joinpath(*PACKAGE_TOKENIZER)
    config["LANG_ENCODER"]["PRETRAINED_TOKENIZER"] = str(tokenizer)
    return config


def _network(entry: ModelEntry, config: dict[str, Any], weights: Path) -> Any:
    from MedImageInsights.Models.UniCLModel import UniCLModel
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    network = UniCLModel(config)
    try:
        stored = network._convert_old_weights(load_file(weights))
        missing = network.load_state_dict(stored, strict=False).missing_keys
    except (SafetensorError, RuntimeError, OSError) as error:
        first_line = (str(error).strip() or repr(error)).splitlines()[0]
        raise ModelUnavailable(
            f"Expected {weights.name} of {entry.source} to hold MedImageInsight as safetensors, "
            f"but it cannot be loaded ({first_line[:200]}); download it again."
        ) from error
    lost = sorted({name for name, _ in network.named_parameters()} & set(missing))
    if lost:  # they would stay at random numbers
        raise ModelUnavailable(
            f"Expected {weights.name} of {entry.source} to hold every weight of MedImageInsight, "
            f"but {len(lost)} are missing, {lost[0]} among them; download it again."
        )
    return network


def _words_and_pictures(config: dict[str, Any]) -> tuple[Any, Any, int]:
    from MedImageInsights.ImageDataLoader import build_transforms
    from MedImageInsights.LangEncoder import build_tokenizer

    tokenizer = build_tokenizer(config["LANG_ENCODER"])
    return tokenizer, build_transforms(config, False), config["LANG_ENCODER"]["CONTEXT_LENGTH"]
