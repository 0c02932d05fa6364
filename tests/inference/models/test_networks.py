"""No remote code but by name, no fewer bits without CUDA, no memory error without words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
import transformers

from inference.host import ModelHost
from inference.models.chat_vlm import ChatVlm, load_chat_vlm
from inference.models.errors import ModelUnavailable, OutOfMemory
from inference.models.machine import Machine
from inference.models.memory import memory_in_words
from inference.models.table import model_entry
from inference.models.weights import find_weights
from tests.inference.models.checkpoints import picture, prompt


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("CUDA out of memory. Tried to allocate 20 GiB"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"),
    ],
)
def test_running_out_of_memory_is_one_sentence(error: Exception) -> None:
    with pytest.raises(OutOfMemory, match="memory for some-vlm, but it ran out"), _raising(error):
        pass


def test_another_error_stays_what_it_is() -> None:
    with pytest.raises(RuntimeError, match="shapes"), _raising(RuntimeError("shapes differ")):
        pass


def _raising(error: Exception) -> Any:
    from contextlib import contextmanager

    @contextmanager
    def block() -> Any:
        with memory_in_words("some-vlm"):
            raise error
        yield

    return block()


def test_an_ask_that_runs_out_leaves_the_model_usable(
    gemma3: ChatVlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*rows: Any) -> Any:
        raise RuntimeError("CUDA out of memory")

    asked = prompt(picture(1))
    with monkeypatch.context() as patched:
        patched.setattr("inference.models.reading.suffix_logits", fail)
        with pytest.raises(OutOfMemory, match="montage"):
            gemma3.score_options(asked)
    assert gemma3.score_options(asked) is not None


def test_fewer_bits_want_cuda(gemma3_folder: Path) -> None:
    row = replace(model_entry(str(gemma3_folder)), name="some@4bit", bits=4)
    with pytest.raises(ModelUnavailable, match="CUDA device and the package bitsandbytes"):
        load_chat_vlm(row, lambda share, text: None)


def trust_given(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Any]]:
    given: list[Any] = []

    def load(folder: str, **options: Any) -> Any:
        given.append(options["trust_remote_code"])
        raise ValueError("stop here")

    monkeypatch.setattr(transformers.AutoModelForImageTextToText, "from_pretrained", load)
    return lambda: given


def test_remote_code_runs_only_for_the_model_that_was_named(
    gemma3_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = trust_given(monkeypatch)
    for trusted in ((), ("some/other",), (str(gemma3_folder),)):
        with pytest.raises(ModelUnavailable):
            ModelHost(trusted).load(str(gemma3_folder))
    assert given() == [False, False, True]


def test_code_is_fetched_only_for_the_model_that_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[list[str]] = []

    def snapshot_download(hub_id: str, allow_patterns: list[str], **options: Any) -> str:
        fetched.append(allow_patterns)
        raise OSError("no network")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    for row in (model_entry("some/vlm"), replace(model_entry("some/vlm"), remote_code=True)):
        with pytest.raises((ModelUnavailable, OSError)):
            find_weights(row)
    assert "*.py" not in fetched[0] and "*.py" in fetched[-1]
    assert not any(pattern.endswith((".bin", ".pt", ".pkl")) for pattern in fetched[-1])


def test_a_real_network_and_another_stay_and_answer(gemma3_folder: Path, qwen_folder: Path) -> None:
    roomy = Machine("cpu", 8.0 * 2**30, fast_bf16=False, token=False, offline=True)
    host = ModelHost(machine=lambda: roomy)
    both = [host.load(str(folder)) for folder in (gemma3_folder, qwen_folder)]
    first = [model.score_options(prompt()) for model in both]
    assert [model.score_options(prompt()) for model in both] == first
    assert all((each.bytes or 0) > 0 for each in host.status().residents)
