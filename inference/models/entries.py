"""What the application knows of a model before it is loaded: a row of the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from inference.models.protocol import GenerationSettings
from inference.pictures import PictureSettings
from inference.prompts import PromptStyle

Kind = Literal["chat-vlm", "text-llm", "embedding", "server", "volume-server", "fake", "imported"]

KINDS: dict[Kind, str] = {
    "chat-vlm": "Chat VLM, here",
    "text-llm": "Text-only LLM, here",
    "embedding": "Embedding model, here",
    "server": "Behind a server",
    "volume-server": "Volumes, behind a server",
    "fake": "No network",
    "imported": "Answers from a file",
}
"""Kind -> words for people."""

WEIGHED: frozenset[Kind] = frozenset({"chat-vlm", "text-llm", "embedding"})
"""Kinds whose weights are loaded into this process."""

Bits = Literal[4, 8]
Family = Literal["transformers", "medimageinsight"]
"""Whose files and classes a model's weights are."""


@dataclass(frozen=True)
class ModelEntry:
    """A row of the table.

    `source` is a folder, a hub id, the model's name on its server, or what the
    fake answers. `hub` says that loading may contact a model hub, and only rows
    that the user chose by such a name do; `gated` that the hub wants an account
    which accepted its terms. `max_pictures` is the most pictures of one prompt,
    0 for a model of words only; `only` names the representations it was made
    for, empty where all do. `pictures` and `style` are the conventions that the
    model's card asks for. `dtype` "auto" follows the rule of `precision.py`;
    `bits` loads the weights in so many bits each instead (CUDA only). `family`
    says whose layout the files have.
    `parameters` counts weights, None where only the files tell. `packages` have
    to be installed for it. `generation` is how it replies by itself.
    `remote_code` runs the repository's own code: never but by the user's word.
    `chat_template` serves where its processor was saved without one.
    `cannot` is the reason where the published weights load nowhere in this
    application as they are, `instead` the command that asks another form of it.
    """

    name: str
    kind: Kind
    source: str
    max_pictures: int
    card: str
    note: str
    hub: bool = False
    gated: bool = False
    takes_text_only: bool = True
    scores_words: bool = False
    only: tuple[str, ...] = ()
    dtype: Literal["auto", "float32"] = "auto"
    bits: Bits | None = None
    family: Family = "transformers"
    parameters: float | None = None
    packages: tuple[str, ...] = ()
    remote_code: bool = False
    cannot: str | None = None
    instead: str | None = None
    pictures: PictureSettings = field(default_factory=PictureSettings)
    chat_template: str = ""
    style: PromptStyle = field(default_factory=PromptStyle)
    generation: GenerationSettings = field(default_factory=GenerationSettings)
