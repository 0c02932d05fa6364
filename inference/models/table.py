"""Every model that can be chosen by name, one row each.

A name that is no row may still be a folder or a hub id: it is loaded like the
chat VLMs, with cautious conventions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from inference.pictures import PictureSettings
from inference.prompts import PromptStyle
from viewer.errors import UnknownName

Kind = Literal["chat-vlm", "fake"]

ASSETS = Path(__file__).resolve().parents[2] / "assets"
HUB_CARD = "https://huggingface.co/{}"
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")


@dataclass(frozen=True)
class ModelEntry:
    """A row of the table.

    `source` is a folder, a hub id, or what the fake answers. `hub` says that
    loading may contact a model hub, and only rows that the user chose by such
    a name do. `max_pictures` is the most pictures of one prompt; `pictures`
    and `style` are the conventions that the model's card asks for. `dtype`
    "auto" follows the rule of `precision.py`.
    """

    name: str
    kind: Kind
    source: str
    max_pictures: int
    card: str
    note: str
    hub: bool = False
    takes_text_only: bool = True
    scores_words: bool = False
    dtype: Literal["auto", "float32"] = "auto"
    pictures: PictureSettings = field(default_factory=PictureSettings)
    style: PromptStyle = field(default_factory=PromptStyle)


DEFAULT_MODEL = "demo-gemma3-vlm"

DEMO_PICTURES = PictureSettings(crop="brain-200mm", size=112, volume_pictures=8)
"""What the embedded model was trained on; other pictures are strange to it."""

DEMO_STYLE = PromptStyle(request="Reply in JSON.")
"""Short, because every token counts on two cores; it also knows the plain style."""

MEDGEMMA_PICTURES = PictureSettings(window_rule="min-max", size=896, volume_pictures=85)
"""Its card: min-max over the volume, 896×896, up to 85 axial slices."""

LINGSHU_PICTURES = PictureSettings(volume_pictures=32)
"""Takes pictures as they are; sides are rounded to 28 pixels by its processor."""

GENERIC_PICTURES = PictureSettings(volume_pictures=16)

ROWS = (
    ModelEntry(
        name=DEFAULT_MODEL,
        kind="chat-vlm",
        source=str(ASSETS / "demo-gemma3-vlm"),
        max_pictures=12,
        card="assets/demo-gemma3-vlm/README.md",
        note="Trained here on synthetic images only; a demonstration, not a medical model.",
        scores_words=True,
        dtype="float32",
        pictures=DEMO_PICTURES,
        style=DEMO_STYLE,
    ),
    ModelEntry(
        name="fake",
        kind="fake",
        source="A",
        max_pictures=1000,
        card="inference/models/fake.py",
        note="No network: always answers the first letter. fake:B always answers B.",
    ),
    ModelEntry(
        name="google/medgemma-1.5-4b-it",
        kind="chat-vlm",
        source="google/medgemma-1.5-4b-it",
        max_pictures=85,
        card=HUB_CARD.format("google/medgemma-1.5-4b-it"),
        note="Gated: accept the HAI-DEF terms on its card, then run `hf auth login`.",
        hub=True,
        pictures=MEDGEMMA_PICTURES,
    ),
    ModelEntry(
        name="lingshu-medical-mllm/Lingshu-7B",
        kind="chat-vlm",
        source="lingshu-medical-mllm/Lingshu-7B",
        max_pictures=64,
        card=HUB_CARD.format("lingshu-medical-mllm/Lingshu-7B"),
        note="MIT licence; about 17 GB of memory in bfloat16.",
        hub=True,
        pictures=LINGSHU_PICTURES,
    ),
    ModelEntry(
        name="lingshu-medical-mllm/Lingshu-32B",
        kind="chat-vlm",
        source="lingshu-medical-mllm/Lingshu-32B",
        max_pictures=64,
        card=HUB_CARD.format("lingshu-medical-mllm/Lingshu-32B"),
        note="MIT licence; about 67 GB of memory in bfloat16.",
        hub=True,
        pictures=LINGSHU_PICTURES,
    ),
)

MODELS: dict[str, ModelEntry] = {row.name: row for row in ROWS}


def model_entry(name: str) -> ModelEntry:
    """The row of that name, or one made for a fake's letter, a folder, a hub id.

    `UnknownName` where it is none of these.
    """
    if name in MODELS:
        return MODELS[name]
    if name.startswith("fake:"):
        return ModelEntry(
            name, "fake", name.removeprefix("fake:"), 1000, MODELS["fake"].card, "No network."
        )
    if name and Path(name).expanduser().is_dir():
        folder = Path(name).expanduser().resolve()
        return _generic(name, str(folder), str(folder / "README.md"), hub=False)
    if HUB_ID.fullmatch(name) and Path(name).suffix != ".safetensors":
        return _generic(name, name, HUB_CARD.format(name), hub=True)
    raise UnknownName(
        f"Expected a model out of {', '.join(MODELS)}, a folder or a hub id (owner/name), "
        f"got {name!r}; choose one of them."
    )


def _generic(name: str, source: str, card: str, *, hub: bool) -> ModelEntry:
    return ModelEntry(
        name=name,
        kind="chat-vlm",
        source=source,
        max_pictures=16,
        card=card,
        note="Not in the table: loaded with general conventions; see its card.",
        hub=hub,
        pictures=GENERIC_PICTURES,
    )
