"""From a folder to a network and its processor, by transformers' own classes.

Only safetensors are read. Code of the model's own repository runs for no model
but one that the user named for it (`ModelEntry.remote_code`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from inference.models.described import About, about
from inference.models.entries import Kind, ModelEntry
from inference.models.errors import ModelUnavailable
from inference.models.generation import endings_only
from inference.models.memory import memory_in_words
from inference.models.precision import Precision, choose_precision
from inference.models.processors import completed
from inference.models.protocol import Progress
from inference.models.quiet import quiet_libraries
from inference.models.weights import find_weights, revision_of

CLASSES: dict[Kind, tuple[str, str, str]] = {
    "chat-vlm": (
        "AutoModelForImageTextToText",
        "AutoProcessor",
        "a chat VLM (an image-text-to-text model)",
    ),
    "text-llm": ("AutoModelForCausalLM", "AutoTokenizer", "a text-generation model"),
    "embedding": ("AutoModel", "AutoProcessor", "a SigLIP or CLIP model"),
}
"""Kind -> the classes that load its network and its processor, and what it is in words."""


@dataclass(frozen=True, eq=False)
class Parts:
    """What a load gives; network and processor are transformers' own objects."""

    about: About
    precision: Precision
    network: Any
    processor: Any


def load_parts(entry: ModelEntry, progress: Progress) -> Parts:
    """The model of that row from its files; `ModelUnavailable` where it cannot be had."""
    progress(0.0, f"Looking for the weights of {entry.name}")
    folder = find_weights(entry)
    precision = choose_precision(entry.dtype)
    progress(0.2, f"Loading {entry.name}, {precision.reason}")
    network = load_network(entry, folder, precision)
    progress(0.9, "Loading its processor")
    processor = load_processor(entry, folder)
    if entry.kind != "embedding":
        processor = completed(entry, processor, network.config)
    progress(1.0, f"{entry.name} is ready")
    told = about(entry, revision_of(folder), precision.dtype, precision.reason)
    return Parts(told, precision, network, processor)


def load_network(entry: ModelEntry, folder: Path, precision: Precision) -> Any:
    """The network, ready to compute; `ModelUnavailable` in one sentence where it cannot be."""
    with memory_in_words(entry.name):
        return _in_words(entry, lambda: _network(entry, folder, precision))


def load_processor(entry: ModelEntry, folder: Path) -> Any:
    """What turns words and pictures into tensors; `ModelUnavailable` where it cannot be had."""
    return _in_words(entry, lambda: _processor(entry, folder))


def _network(entry: ModelEntry, folder: Path, precision: Precision) -> Any:
    import transformers

    loader = getattr(transformers, CLASSES[entry.kind][0])
    fewer = _quantised(entry, precision) if entry.bits else {}
    with quiet_libraries():
        network, found = loader.from_pretrained(
            str(folder),
            dtype=precision.torch_dtype,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=entry.remote_code,
            output_loading_info=True,
            **fewer,
        )
    missing = sorted(found["missing_keys"])
    if missing:  # transformers would fill them with random numbers
        raise ValueError(f"{len(missing)} weights are missing, {missing[0]} among them")
    if getattr(network, "generation_config", None) is not None:
        network.generation_config = endings_only(network.generation_config)
    return (network if fewer else network.to(precision.device)).eval()


def _processor(entry: ModelEntry, folder: Path) -> Any:
    import transformers

    loader = getattr(transformers, CLASSES[entry.kind][1])
    with quiet_libraries():
        return loader.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=entry.remote_code
        )


def _quantised(entry: ModelEntry, precision: Precision) -> dict[str, Any]:
    if precision.device != "cuda" or find_spec("bitsandbytes") is None:
        raise ModelUnavailable(
            f"Expected a CUDA device and the package bitsandbytes for {entry.name}, found "
            f"{precision.device}; `pip install bitsandbytes` on a machine with one, or choose "
            f"{entry.name.partition('@')[0]}."
        )
    from transformers import BitsAndBytesConfig

    choice = (
        BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_compute_dtype=precision.torch_dtype,
        )
        if entry.bits == 4
        else BitsAndBytesConfig(load_in_8bit=True)
    )
    return {"quantization_config": choice, "device_map": {"": precision.device}}


def _in_words(entry: ModelEntry, load: Callable[[], Any]) -> Any:
    """What `load` gives, its failures in one sentence that names the model."""
    from safetensors import SafetensorError

    try:
        return load()
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
        first_line = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        raise ModelUnavailable(
            f"Expected {entry.source} to hold {CLASSES[entry.kind][2]}, but it cannot be loaded "
            f"({first_line[:200]}); check that its folder is complete and that it is one."
        ) from error
