"""The embedded model is there, small, loads like any other and answers in its form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inference.models.chat_vlm import ChatVlm, load_chat_vlm
from inference.models.protocol import GenerationSettings
from inference.models.table import DEFAULT_MODEL, model_entry
from tests.inference.models.checkpoints import picture, prompt


@pytest.fixture(scope="module")
def demo() -> ChatVlm:
    return load_chat_vlm(model_entry(DEFAULT_MODEL), lambda share, text: None)


def test_it_is_small_and_has_a_card() -> None:
    folder = Path(model_entry(DEFAULT_MODEL).source)
    assert (folder / "model.safetensors").stat().st_size <= 25 << 20
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "demonstration only" in card.lower() and "synthetic" in card.lower()


def test_it_is_gemma3_in_float32(demo: ChatVlm) -> None:
    assert type(demo.network).__name__ == "Gemma3ForConditionalGeneration"
    assert demo.dtype == "float32"
    assert demo.revision is not None and demo.revision.startswith("sha256-")


@pytest.mark.parametrize("count", [0, 1, 8])
def test_it_replies_in_json_with_a_letter_that_was_shown(demo: ChatVlm, count: int) -> None:
    asked = prompt(*(picture(seed) for seed in range(count)))
    settings = GenerationSettings(max_tokens=60)
    reply = demo.generate(asked, settings, lambda text: None, lambda: False)
    assert reply.finish == "stop"
    assert json.loads(reply.text)["answer"] in asked.letters
    scores = demo.score_options(asked, words=True)
    assert scores is not None and scores.letter_mass > 0.5
