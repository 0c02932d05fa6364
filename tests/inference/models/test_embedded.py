"""The embedded model is there, small, loads like any other and answers in its form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inference.models.chat_vlm import ChatVlm, load_chat_vlm
from inference.models.protocol import GenerationSettings
from inference.models.table import DEFAULT_MODEL, DEMO_PICTURES, model_entry
from inference.prompts import build_prompt
from inference.question_kinds import KINDS
from inference.questions import Question
from inference.training.exercises import FIXED_OPTIONS
from inference.training.rendering import (
    FIRST_HELD_OUT,
    SPACING_MM,
    held_out_plan,
    rendered,
    shown,
)
from inference.training.shards import Shard
from viewer.synthesis import load_anatomy


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


@pytest.fixture(scope="module")
def drawn() -> Shard:
    plan = held_out_plan(FIRST_HELD_OUT)
    return rendered(plan, DEMO_PICTURES, load_anatomy(SPACING_MM))


@pytest.mark.parametrize("kind", ["hemisphere", "midline-shift", "necrosis"])
@pytest.mark.parametrize("name", ["text-only", "single-slice", "multi-slice", "volume"])
def test_it_replies_in_json_with_a_letter_that_was_shown(
    demo: ChatVlm, drawn: Shard, name: str, kind: str
) -> None:
    """As the app asks it: its own pictures and words, with four options, three and two."""
    row = next(each for each in KINDS if each.name == kind)
    options = FIXED_OPTIONS[kind]
    question = Question("held-out", "held-out", row.stems[0], options, None)
    order = tuple(range(len(options)))
    asked = build_prompt(question, order, shown(drawn, name), model_entry(DEFAULT_MODEL).style)
    settings = GenerationSettings(max_tokens=60)
    reply = demo.generate(asked, settings, lambda text: None, lambda: False)
    assert reply.finish == "stop"
    assert json.loads(reply.text)["answer"] in asked.letters
    scores = demo.score_options(asked, words=True)
    assert scores is not None and scores.letter_mass > 0.5
