"""LLaVA-Med: the original is refused with the way out, its ports load, older ones too."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from inference.models.chat_vlm import load_chat_vlm
from inference.models.conversation import prompt_text
from inference.models.errors import ModelUnavailable
from inference.models.loading import load_model
from inference.models.machine import Machine
from inference.models.protocol import GenerationSettings
from inference.models.readiness import readiness
from inference.models.table import MODELS, model_entry
from tests.inference.models.checkpoints import picture, prompt, save_llava

ORIGINAL = "microsoft/llava-med-v1.5-mistral-7b"
MACHINE = Machine("cpu", 64.0 * 2**30, fast_bf16=False, token=False, offline=True)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A port without a chat template and without the counts of picture tokens."""
    folder = save_llava(tmp_path_factory.mktemp("bare"), bare=True)
    kept = json.loads((folder / "processor_config.json").read_text())
    assert not (folder / "chat_template.jinja").exists() and not kept.get("patch_size")
    return folder


def test_the_original_names_the_port_that_loads() -> None:
    told = readiness(MODELS[ORIGINAL], MACHINE)
    assert told.state == "cannot" and "LlavaForConditionalGeneration" in told.reason
    assert told.command is not None and told.command.startswith("python app.py --model ")
    port = MODELS[told.command.removeprefix("python app.py --model ")]
    assert port.kind == "chat-vlm" and port.cannot is None
    with pytest.raises(ModelUnavailable, match=r"transformers 4\.3x"):
        load_model(MODELS[ORIGINAL], lambda share, text: None)


def test_a_copy_of_the_original_is_refused_with_the_same_sentence(tmp_path: Path) -> None:
    config = {"model_type": "llava_mistral", "architectures": ["LlavaMistralForCausalLM"]}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "model.safetensors").write_bytes(b"")
    row = model_entry(str(tmp_path))
    assert "LLaVA package" in readiness(row, MACHINE).reason
    with pytest.raises(ModelUnavailable, match="LLaVA package"):
        load_model(row, lambda share, text: None)


def test_an_older_port_speaks_mistrals_turns_and_answers(bare: Path) -> None:
    port = next(row for row in MODELS.values() if row.chat_template)
    row = replace(port, source=str(bare), hub=False, dtype="float32")
    model = load_chat_vlm(row, lambda share, text: None)
    text = prompt_text(prompt(picture(1)), model.processor)
    assert "[INST] " in text and text.endswith("[/INST]") and text.count("<image>") == 1
    scores = model.score_options(prompt(picture(1)))
    assert scores is not None and scores != model.score_options(prompt(picture(2)))
    settings = GenerationSettings(max_tokens=4)
    reply = model.generate(prompt(picture(1)), settings, lambda text: None, lambda: False)
    assert reply.tokens > 0


def test_without_any_template_one_sentence_says_so(bare: Path) -> None:
    with pytest.raises(ModelUnavailable, match="chat template"):
        load_chat_vlm(model_entry(str(bare)), lambda share, text: None)
