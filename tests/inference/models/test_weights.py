"""Why a model cannot be had is one sentence with the command that mends it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from huggingface_hub.errors import (
    GatedRepoError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)

from inference.models.errors import ModelUnavailable
from inference.models.table import model_entry
from inference.models.weights import find_weights, revision_of

MEDGEMMA = "google/medgemma-1.5-4b-it"


def hub_that(monkeypatch: pytest.MonkeyPatch, answer: Exception) -> list[bool]:
    """A hub with an empty cache that refuses with `answer`; lists the calls by local_files_only."""
    calls: list[bool] = []

    def snapshot_download(repo: str, **options: Any) -> str:
        local = bool(options.get("local_files_only"))
        calls.append(local)
        raise LocalEntryNotFoundError("not cached") if local else answer

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    return calls


def refusal(kind: type[Exception]) -> Exception:
    error = kind.__new__(kind)
    Exception.__init__(error, "refused")
    return error


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (refusal(GatedRepoError), "accept the terms .* `hf auth login`, then `hf download"),
        (refusal(RepositoryNotFoundError), "check the spelling"),
        (OfflineModeIsEnabled("offline"), "HF_HUB_OFFLINE .* `hf download"),
        (LocalEntryNotFoundError("no route"), "cannot be reached .*`hf download"),
        (OSError(28, "No space left on device"), "disk is full"),
    ],
)
def test_each_refusal_is_named(
    monkeypatch: pytest.MonkeyPatch, answer: Exception, words: str
) -> None:
    calls = hub_that(monkeypatch, answer)
    with pytest.raises(ModelUnavailable, match=words) as caught:
        find_weights(model_entry(MEDGEMMA))
    assert MEDGEMMA in str(caught.value)
    assert calls == [True, False], "the cache first, then the hub, once"


def test_a_folder_never_asks_the_hub(monkeypatch: pytest.MonkeyPatch, gemma3_folder: Path) -> None:
    calls = hub_that(monkeypatch, AssertionError("asked"))
    assert find_weights(model_entry(str(gemma3_folder))) == gemma3_folder
    assert not calls


def test_missing_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match=r"model\.safetensors is missing"):
        find_weights(model_entry(str(tmp_path)))
    index = {"weight_map": {"a": "model-1-of-2.safetensors", "b": "model-2-of-2.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    (tmp_path / "model-1-of-2.safetensors").write_bytes(b"")
    with pytest.raises(ModelUnavailable, match=r"model-2-of-2\.safetensors is missing"):
        find_weights(model_entry(str(tmp_path)))


def test_pickled_weights_are_no_weights(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04")
    with pytest.raises(ModelUnavailable, match="must be safetensors"):
        find_weights(model_entry(str(tmp_path)))


def test_the_revision_tells_weights_apart(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b", "c")]
    for folder, content in zip(folders, (b"one", b"two", b"one"), strict=True):
        folder.mkdir()
        (folder / "model.safetensors").write_bytes(content)
    first, second, third = map(revision_of, folders)
    assert first == third != second
    snapshot = tmp_path / "snapshots" / "0123abc"
    snapshot.mkdir(parents=True)
    assert revision_of(snapshot) == "0123abc"
