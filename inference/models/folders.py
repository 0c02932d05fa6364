"""What a model's folder tells without loading it: its kind, its size, whether it is whole.

Reads JSON and file sizes only, so the page can ask at once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inference.models.entries import Family, Kind
from viewer.outside_json import parsed

ITEM_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2, "float64": 8}
ORIGINAL_LLAVA = (
    "Its published weights need the LLaVA package of transformers 4.3x; give the hub id or the "
    "folder of a port to LlavaForConditionalGeneration instead."
)
REFUSED_TYPES = {"llava_mistral": ORIGINAL_LLAVA, "llava_llama": ORIGINAL_LLAVA}
"""model_type of a configuration -> why what it belongs to cannot be loaded as it is."""

EMBEDDING_TYPES = {"siglip", "siglip2", "clip"}


def hub_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where the hub's client keeps what it fetched, by its own rules."""
    known = os.environ if environment is None else environment
    if known.get("HF_HUB_CACHE"):
        return Path(known["HF_HUB_CACHE"]).expanduser()
    home = known.get("HF_HOME") or "~/.cache/huggingface"
    return Path(home).expanduser() / "hub"


def cached_snapshot(hub_id: str, environment: Mapping[str, str] | None = None) -> Path | None:
    """The newest snapshot of that hub id on this disk; None where there is none."""
    root = hub_folder(environment) / ("models--" + hub_id.replace("/", "--"))
    main = root / "refs" / "main"
    try:
        named = root / "snapshots" / main.read_text(encoding="utf-8").strip()
        return named if named.is_dir() else None
    except OSError:
        return None


def insight_weights(folder: Path) -> Path | None:
    """The file with MedImageInsight's weights, in `vision_model/` or beside; None without one."""
    found = [*folder.rglob("vision_model/*.pt"), *folder.glob("medimageinsight*.pt")]
    return min(found, default=None)


def missing_files(folder: Path, family: Family = "transformers") -> list[str]:
    """Names of files that a load would want and the folder lacks."""
    if family == "medimageinsight":
        return [] if insight_weights(folder) else ["vision_model/*.pt"]
    missing = [] if (folder / "config.json").is_file() else ["config.json"]
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        missing += _missing_parts(index)
    elif not (folder / "model.safetensors").is_file():
        missing.append("model.safetensors")
    return missing


def family_of(folder: Path) -> Family:
    """Whose layout the folder has."""
    whole = (folder / "config.json").is_file() or insight_weights(folder) is None
    return "transformers" if whole else "medimageinsight"


def _missing_parts(index: Path) -> list[str]:
    """Files that the index names and its folder lacks; the index itself where it is broken."""
    try:
        parts = {
            str(part) for part in parsed(index.read_text(encoding="utf-8"))["weight_map"].values()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [f"a readable {index.name}"]
    return sorted(part for part in parts if not (index.parent / Path(part).name).is_file())


def kind_of(folder: Path) -> Kind:
    """What its configuration says it is; a chat VLM where that says nothing we know."""
    config = _config(folder)
    if family_of(folder) == "medimageinsight":
        return "embedding"
    if str(config.get("model_type")) in EMBEDDING_TYPES:
        return "embedding"
    named = config.get("architectures")
    architecture = str(named[0]) if isinstance(named, list) and named else ""
    return "text-llm" if architecture.endswith("ForCausalLM") else "chat-vlm"


def refusal_of(folder: Path) -> str | None:
    """Why a folder that is whole cannot be loaded all the same; None where nothing is known."""
    return REFUSED_TYPES.get(str(_config(folder).get("model_type")))


def parameters_in(folder: Path) -> float:
    """How many weights its safetensors hold, by their size and their number format."""
    config = _config(folder)
    stored = str(config.get("dtype") or config.get("torch_dtype") or "bfloat16")
    if (insight := insight_weights(folder)) is not None and not config:
        return insight.stat().st_size / 4  # published in float32
    size = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    return size / ITEM_BYTES.get(stored, 2)


def _config(folder: Path) -> dict[str, Any]:
    try:
        found = parsed((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
