"""Loading a model by its row: which module does it, imported when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from inference.models.entries import WEIGHED, Kind, ModelEntry
from inference.models.errors import ModelUnavailable
from inference.models.fake import FakeModel
from inference.models.protocol import Model, Progress

Load = Callable[[ModelEntry, Progress], Model]


def _fake(entry: ModelEntry, progress: Progress) -> Model:
    progress(1.0, f"{entry.name} is ready")
    return FakeModel(entry.name, entry.source)


def _chat_vlm(entry: ModelEntry, progress: Progress) -> Model:
    from inference.models.chat_vlm import load_chat_vlm

    return load_chat_vlm(entry, progress)


def _text_llm(entry: ModelEntry, progress: Progress) -> Model:
    from inference.models.text_llm import load_text_llm

    return load_text_llm(entry, progress)


def _embedding(entry: ModelEntry, progress: Progress) -> Model:
    if entry.family == "medimageinsight":
        from inference.models.med_image_insight import load_med_image_insight

        return load_med_image_insight(entry, progress)
    from inference.models.embedding import load_embedding

    return load_embedding(entry, progress)


def _server(entry: ModelEntry, progress: Progress) -> Model:
    from inference.models.server import load_server_model

    return load_server_model(entry, progress)


LOADERS: dict[Kind, Load] = {
    "fake": _fake,
    "chat-vlm": _chat_vlm,
    "text-llm": _text_llm,
    "embedding": _embedding,
    "server": _server,
    "volume-server": _server,
}


def fetch(entry: ModelEntry, progress: Progress) -> None:
    """See that everything is there that a load takes; `ModelUnavailable` in words where not.

    Weights of a hub are fetched, so that their size is known before they are loaded.
    """
    if entry.cannot:
        raise ModelUnavailable(
            f"Expected a model that can be loaded, got {entry.name}. {entry.cannot}"
        )
    missing = [package for package in entry.packages if find_spec(package) is None]
    if missing:
        raise ModelUnavailable(
            f"Expected {', '.join(missing)} to be installed for {entry.name}, but it is not; run "
            f"`pip install {' '.join(missing)}`."
        )
    if entry.kind in WEIGHED:
        from inference.models.weights import find_weights

        progress(0.0, f"Looking for the weights of {entry.name}")
        find_weights(entry)


def load_model(entry: ModelEntry, progress: Progress) -> Model:
    """The model of that row, ready to be asked; `ModelUnavailable` where it cannot be."""
    fetch(entry, progress)
    return LOADERS[entry.kind](entry, progress)
