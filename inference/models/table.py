"""From a name to a row: the table's own, or one made for a folder, a hub id, a server.

NAME             a row of the table
fake:TEXT        the fake with another answer
server:NAME      model NAME of the server that MRI_VQA_SERVER_URL names
volume-server:NAME  the same for volumes, at MRI_VQA_VOLUME_URL (`volume_requests.py`)
FOLDER           a folder with config.json and safetensors
OWNER/NAME       a hub id
…@4bit, …@8bit   any model that runs here, with its weights in so many bits (CUDA)
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from inference.models.entries import Bits, Family, Kind, ModelEntry
from inference.models.folders import cached_snapshot, family_of, kind_of
from inference.models.protocol import GenerationSettings
from inference.models.rows import ASSETS, DEFAULT_MODEL, DEMO_PICTURES, DEMO_STYLE, HUB_CARD, ROWS
from inference.pictures import PictureSettings
from viewer.errors import UnknownName

__all__ = [
    "ASSETS",
    "DEFAULT_MODEL",
    "DEMO_PICTURES",
    "DEMO_STYLE",
    "MODELS",
    "ModelEntry",
    "model_entry",
]

MODELS: dict[str, ModelEntry] = {row.name: row for row in ROWS}

HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
BITS: dict[str, Bits] = {"@4bit": 4, "@8bit": 8}
HERE: set[Kind] = {"chat-vlm", "text-llm"}
"""Kinds whose weights this application loads and can load in fewer bits."""

GENERIC_PICTURES = PictureSettings(volume_pictures=16)
GENERIC_MOST: dict[Kind, int] = {"text-llm": 0, "embedding": 1}
"""Most pictures by kind where no card was read; 16 for any other."""

SERVED: dict[str, Kind] = {"server:": "server", "volume-server:": "volume-server"}
"""What a name begins with -> how it is asked."""

VOLUME_CARD = "the server at MRI_VQA_VOLUME_URL"

SERVER_MOST = 64
"""The server's own limit is told by its refusal."""


def model_entry(name: str) -> ModelEntry:
    """The row of that name, or one made for it. `UnknownName` where nothing fits."""
    for ending, bits in BITS.items():
        if name.endswith(ending):
            row = model_entry(name.removesuffix(ending))
            if row.kind in HERE:
                return replace(row, name=name, bits=bits, dtype="auto")
    if name in MODELS:
        return MODELS[name]
    if name.startswith("fake:") and name.removeprefix("fake:").strip():
        return replace(
            MODELS["fake"], name=name, source=name.removeprefix("fake:"), note="No network."
        )
    for prefix, kind in SERVED.items():
        if name.startswith(prefix) and name != prefix:
            return _served(name, prefix, kind)
    if name and Path(name).expanduser().is_dir():
        folder = Path(name).expanduser().resolve()
        card = str(folder / "README.md")
        return _generic(name, str(folder), card, kind_of(folder), family_of(folder), hub=False)
    if HUB_ID.fullmatch(name) and Path(name).suffix != ".safetensors":
        cached = cached_snapshot(name)
        kind = kind_of(cached) if cached else "chat-vlm"
        family = family_of(cached) if cached else "transformers"
        return _generic(name, name, HUB_CARD.format(name), kind, family, hub=True)
    raise UnknownName(
        f"Expected a model out of {', '.join(MODELS)}, a folder, a hub id (owner/name), "
        f"server:NAME or fake:LETTER, got {name!r}; choose one of them."
    )


def _generic(
    name: str, source: str, card: str, kind: Kind, family: Family, *, hub: bool
) -> ModelEntry:
    return ModelEntry(
        name=name,
        kind=kind,
        source=source,
        max_pictures=GENERIC_MOST.get(kind, 16),
        card=card,
        note="Not in the table: loaded with general conventions; see its card.",
        hub=hub,
        takes_text_only=kind != "embedding",
        pictures=GENERIC_PICTURES,
        dtype="float32" if family == "medimageinsight" else "auto",
        packages=("MedImageInsights",) if family == "medimageinsight" else (),
        family=family,
        generation=GenerationSettings(thinking=False if kind == "text-llm" else None),
    )


def _served(name: str, prefix: str, kind: Kind) -> ModelEntry:
    source = name.removeprefix(prefix)
    if kind == "volume-server":
        return replace(MODELS["server:Med3DVLM"], name=name, source=source, card=VOLUME_CARD)
    return ModelEntry(
        name=name,
        kind=kind,
        source=source,
        max_pictures=SERVER_MOST,
        card="the server at MRI_VQA_SERVER_URL",
        note="Asked over the OpenAI chat API; the server's own limits apply.",
        pictures=GENERIC_PICTURES,
    )
