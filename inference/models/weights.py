"""Where a model's files lie, and why they cannot be had.

A folder is read as it is. A hub id is looked up in the local cache first; the
hub is contacted only for a row that the user chose by such an id, and never
when `HF_HUB_OFFLINE` is set. Only safetensors are loaded, and a repository's
own code is not even fetched unless the user named the model for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from inference.models.entries import ModelEntry
from inference.models.errors import ModelUnavailable
from inference.models.folders import missing_files, refusal_of

PATTERNS = ["*.json", "*.safetensors", "*.jinja", "*.model", "*.txt"]
"""What a model needs; pickled weights are left where they are."""

INSIGHT = ["*vision_model/*.pt"]
"""What MedImageInsight needs: safetensors under another name; its package brings the rest."""

CODE = ["*.py"]
"""Fetched only for a model whose own code the user allowed to run."""

EDGE_BYTES = 1 << 20


def find_weights(entry: ModelEntry) -> Path:
    """The folder that holds the model, complete, or `ModelUnavailable` in one sentence."""
    folder = _from_hub(entry) if entry.hub else Path(entry.source)
    if not folder.is_dir():
        raise ModelUnavailable(
            f"Expected the folder of {entry.name} at {folder}, found none; "
            "give a folder that holds config.json and model.safetensors."
        )
    if refused := refusal_of(folder):
        raise ModelUnavailable(f"Expected a model that can be loaded, got {entry.name}. {refused}")
    missing = missing_files(folder, entry.family)
    if missing:
        raise ModelUnavailable(
            f"Expected a complete model in {folder}, but {', '.join(missing)} is missing; "
            "copy or download the folder again (weights must be safetensors)."
        )
    return folder


def revision_of(folder: Path) -> str:
    """The hub's commit where the folder is a snapshot, else a hash of its weights.

    The hash covers every weights file's name, size, first and last MiB: enough
    to tell two trainings apart without reading gigabytes.
    """
    if folder.parent.name == "snapshots":
        return folder.name
    return file_hash(sorted(folder.glob("*.safetensors")))


def file_hash(files: Sequence[Path]) -> str:
    """One name for the content of these files; see `revision_of`."""
    digest = sha256()
    for file in files:
        size = file.stat().st_size
        digest.update(f"{file.name}:{size}:".encode())
        with file.open("rb") as stream:
            digest.update(stream.read(EDGE_BYTES))
            stream.seek(max(0, size - EDGE_BYTES))
            digest.update(stream.read(EDGE_BYTES))
    return "sha256-" + digest.hexdigest()[:16]


def _from_hub(entry: ModelEntry) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    wanted = INSIGHT if entry.family == "medimageinsight" else PATTERNS
    wanted = wanted + CODE if entry.remote_code else wanted
    try:
        cached = Path(snapshot_download(entry.source, allow_patterns=wanted, local_files_only=True))
        if not missing_files(cached, entry.family):
            return cached
    except LocalEntryNotFoundError:
        pass
    try:
        return Path(snapshot_download(entry.source, allow_patterns=wanted))
    except (OSError, ValueError) as error:
        raise ModelUnavailable(_why_not(entry, error)) from error


def _why_not(entry: ModelEntry, error: Exception) -> str:
    """The hub's refusal as one sentence with the command that mends it."""
    from huggingface_hub.errors import (
        GatedRepoError,
        HFValidationError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
    )

    fetch = f"`hf download {entry.source}`"
    if isinstance(error, GatedRepoError):
        return (
            f"Expected access to {entry.source}, but its owner grants it only on request; accept "
            f"the terms on {entry.card}, run `hf auth login`, then {fetch}."
        )
    if isinstance(error, RepositoryNotFoundError | HFValidationError):
        return (
            f"Expected a model on the hub, but there is none called {entry.source}, or it is "
            "private; check the spelling, or run `hf auth login` if it is yours."
        )
    if isinstance(error, OfflineModeIsEnabled):
        return (
            f"Expected the weights of {entry.source} on this machine, but they are not there and "
            f"HF_HUB_OFFLINE forbids fetching them; unset it and run {fetch}."
        )
    if "No space left" in str(error):
        return f"Expected room for the weights of {entry.source}, but the disk is full; free some."
    return (
        f"Expected the weights of {entry.source} on this machine or on the hub, but they are not "
        f"here and the hub cannot be reached ({type(error).__name__}); run {fetch} where there "
        "is a network, or give a folder."
    )
