"""A volume model behind the shim, in a process of its own, asked like any other model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.models.errors import ModelUnavailable, UnfitPrompt
from inference.models.loading import load_model
from inference.models.protocol import GenerationSettings, Model
from inference.models.server_address import VOLUME
from inference.models.table import model_entry
from inference.models.volume_requests import stacked, volume_messages, volume_part
from inference.pictures import Picture
from inference.volume_shim import BadRequest, read_messages, read_volume, resampled
from tests.inference.models.checkpoints import picture, prompt
from tests.inference.tiny_volume_model import TinyVolumeModel

ROOT = Path(__file__).resolve().parents[2]
KEY = "shim-key-1234"


def slices(count: int, first: int = 0) -> list[Picture]:
    return [picture(seed, side=48) for seed in range(first, first + count)]


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of the shim, started by its own command line."""
    command = [
        sys.executable, "inference/volume_shim.py", "--port", "0", "--name", "Med3DVLM",
        "--network", "tests.inference.tiny_volume_model:load",
    ]  # fmt: skip
    environment = os.environ | {VOLUME.key: KEY, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = process.stdout.readline()  # comes when it listens, or ends when it fails
    try:
        assert "listens at" in told, "the shim did not start"
        yield told.split(" listens at ")[1].strip()
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


@pytest.fixture
def model(served: str, monkeypatch: pytest.MonkeyPatch) -> Model:
    monkeypatch.setenv(VOLUME.url, served)
    monkeypatch.setenv(VOLUME.key, KEY)
    return load_model(model_entry("server:Med3DVLM"), lambda share, text: None)


def reply_of(model: Model, shown: list[Picture]) -> dict[str, str]:
    pieces: list[str] = []
    reply = model.generate(prompt(*shown), GenerationSettings(), pieces.append, lambda: False)
    assert "".join(pieces) == reply.text and reply.finish == "stop" and reply.error is None
    said: dict[str, str] = json.loads(reply.text)
    return said


def test_a_volume_is_answered_from_its_voxels(model: Model) -> None:
    said = reply_of(model, slices(20))
    assert said["reason"] == "20 slices, radiological"
    here = TinyVolumeModel()
    volume = stacked(slices(20)).astype(np.float32) / 255
    wanted = here.next_token(volume, "", "")
    assert said["answer"] == max(wanted, key=lambda letter: wanted[letter])


def test_option_probabilities_are_the_networks_own(model: Model) -> None:
    scores = model.score_options(prompt(*slices(20)))
    told = TinyVolumeModel().next_token(stacked(slices(20)).astype(np.float32) / 255, "", "")
    shares = np.exp([told[letter] for letter in "ABC"])
    assert scores is not None
    assert scores.probabilities == pytest.approx(list(shares / shares.sum()), abs=1e-5)
    assert scores.letter_mass == pytest.approx(float(shares.sum()), abs=1e-5)
    assert scores != model.score_options(prompt(*slices(20, first=50))), "the volume matters"


def test_a_prompt_without_a_volume_is_refused_in_words(model: Model) -> None:
    with pytest.raises(Exception, match="one part of type volume, got 0"):
        model.generate(prompt(), GenerationSettings(), lambda text: None, lambda: False)


def test_another_key_and_another_name_are_named(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VOLUME.url, served)
    monkeypatch.setenv(VOLUME.key, "wrong")
    with pytest.raises(ModelUnavailable, match=r"MRI_VQA_VOLUME_KEY"):
        load_model(model_entry("server:Med3DVLM"), lambda share, text: None)
    monkeypatch.setenv(VOLUME.key, KEY)
    other = load_model(model_entry("volume-server:Other3D"), lambda share, text: None)
    with pytest.raises(ModelUnavailable, match=r"know Other3D.*it serves Med3DVLM"):
        reply_of(other, slices(4))


def test_what_is_no_request_gets_a_sentence_and_the_shim_lives(served: str, model: Model) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    with httpx.Client(headers=headers, trust_env=False, timeout=60) as client:
        for content in (b"", b"[]", b"{", b'{"model": "Med3DVLM", "messages": 5}'):
            answer = client.post(f"{served}/chat/completions", content=content)
            assert answer.status_code in {400, 404} and answer.json()["error"]["message"]
        assert client.get(f"{served}/nothing").status_code == 404
    assert reply_of(model, slices(4))["reason"].startswith("4 slices")


def test_the_volume_stands_between_the_words_and_is_what_the_record_names() -> None:
    shown = slices(3)
    (turn,) = volume_messages(prompt(*shown))
    kinds = [part["type"] for part in turn["content"]]
    assert kinds.count("volume") == 1 and kinds[0] == kinds[-1] == "text"
    volume, question, begun, about = read_messages([turn, {"role": "assistant", "content": "{"}])
    assert np.array_equal(volume * 255, stacked(shown)) and begun == "{"
    assert "Which side is it?" in question
    assert about["sha256"] == [each.sha256 for each in shown]
    assert (about["indexes"], about["sequence"], about["data"]) == ([0, 1, 2], "FLAIR", None)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ([replace(picture(1), includes_mask=True)], "Include masks"),
        ([picture(1, side=48), picture(2, side=56)], "one size"),
        ([picture(1), replace(picture(2), sequence="T1")], "one sequence"),
        ([replace(picture(1), index=None)], "choose volume"),
    ],
)
def test_what_is_no_volume_is_not_sent(shown: list[Picture], words: str) -> None:
    with pytest.raises(UnfitPrompt, match=words):
        stacked(shown)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "pickle"},
        {"data": "!!"},
        {"data": ""},
        {"shape": [1, 2, 3]},
        {"shape": None},
    ],
)
def test_a_broken_volume_is_refused_by_the_shim(change: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="Expected"):
        read_volume({**volume_part(slices(2)), **change})


def test_a_pickle_inside_is_refused() -> None:
    import base64
    import io

    stream = io.BytesIO()
    np.savez(stream, volume=np.array([{"a": 1}], dtype=object))
    field = {"format": "npz", "shape": [1], "data": base64.b64encode(stream.getvalue()).decode()}
    with pytest.raises(BadRequest, match="readable volume"):
        read_volume(field)


@given(st.tuples(*(st.integers(1, 9) for _ in range(3))), st.floats(0, 1, width=32))
def test_resampling_keeps_the_shape_wanted_and_the_range(
    shape: tuple[int, int, int], level: float
) -> None:
    flat = np.full((5, 4, 3), level, dtype=np.float32)
    assert resampled(flat, shape) == pytest.approx(np.full(shape, level), abs=1e-6)
    ramp = np.broadcast_to(np.linspace(0, 1, 5, dtype=np.float32)[:, None, None], (5, 4, 3))
    made = resampled(ramp, shape)
    assert made.shape == shape and made.min() >= 0 and made.max() <= 1
    assert (np.diff(made[:, 0, 0]) > 0).all(), "a flip could not hide"
