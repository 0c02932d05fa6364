"""A real server on loopback, `transformers serve` with the embedded model, asked like any other."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from inference.models.errors import ModelUnavailable
from inference.models.loading import load_model
from inference.models.protocol import GenerationSettings
from inference.models.server_address import KEY_NAME, URL_NAME
from inference.models.table import DEFAULT_MODEL, model_entry
from tests.inference.models.checkpoints import picture, prompt

STARTED_WITHIN = 300.0
"""Seconds; it starts in about twenty on an idle machine. One that ends before fails at once."""

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The root of the API of a server that holds the embedded model."""
    pytest.importorskip("openai", reason="needs transformers[serving]")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = Path(sys.executable).with_name("transformers")
    folder = model_entry(DEFAULT_MODEL).source
    command = [str(program), "serve", folder, "--host", "127.0.0.1", "--port", str(port)]
    command += ["--device", "cpu", "--dtype", "float32", "--log-level", "error"]
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, env=offline, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(f"http://127.0.0.1:{port}/health", process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(timeout=120)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + STARTED_WITHIN
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(url, timeout=2.0, trust_env=False).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    pytest.fail(f"transformers serve did not start within {STARTED_WITHIN:g} s")


@pytest.fixture
def address(served: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(URL_NAME, served)
    monkeypatch.setenv(KEY_NAME, "sk-test-key")
    return served


def test_it_answers_streams_and_gives_no_probabilities(address: str) -> None:
    name = f"server:{model_entry(DEFAULT_MODEL).source}"
    model = load_model(model_entry(name), lambda share, text: None)
    asked = prompt(picture(1), picture(2))
    assert model.score_options(asked) is None, "it ignores logprobs, and none are made up"
    pieces: list[str] = []
    reply = model.generate(asked, GenerationSettings(max_tokens=40), pieces.append, lambda: False)
    assert reply.text and "".join(pieces) == reply.text
    assert reply.finish in {"stop", "length"} and reply.error is None
    again = model.generate(asked, GenerationSettings(max_tokens=40), lambda t: None, lambda: False)
    assert again.text == reply.text


def test_a_model_it_does_not_hold_is_named(address: str) -> None:
    model = load_model(model_entry("server:org/other"), lambda share, text: None)
    with pytest.raises(ModelUnavailable, match="org/other"):
        model.generate(prompt(), GenerationSettings(), lambda text: None, lambda: False)
