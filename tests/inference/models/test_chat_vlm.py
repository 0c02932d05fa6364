"""Two architectures through the code that loads the real ones."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from inference.ask import send_many
from inference.models.chat_vlm import ChatVlm, load_chat_vlm
from inference.models.conversation import encode, prompt_text
from inference.models.errors import ModelUnavailable, UnfitPrompt
from inference.models.protocol import GenerationSettings
from inference.models.table import model_entry
from inference.preparation import AskSettings, prepare
from inference.prompts import Message
from inference.questions import Question
from inference.study_views import view_of_arrays
from tests.inference.models.checkpoints import picture, prompt, save_gemma3
from tests.inference.models.conftest import loaded
from tests.inference.studies import labelmap, volumes

SHORT = GenerationSettings(max_tokens=12)


def reply_of(model: ChatVlm, settings: GenerationSettings = SHORT, seed: int = 1) -> str:
    return model.generate(prompt(picture(seed)), settings, lambda text: None, lambda: False).text


def test_scores_are_probabilities_over_the_options(any_vlm: ChatVlm) -> None:
    scores = any_vlm.score_options(prompt(picture(1), picture(2)), words=True)
    assert scores is not None
    assert len(scores.probabilities) == 3
    assert math.isclose(sum(scores.probabilities), 1.0)
    assert 0.0 < scores.letter_mass <= 1.0
    assert scores.word_probabilities is not None
    assert math.isclose(sum(scores.word_probabilities), 1.0)


def test_letters_are_read_where_the_answer_starts(gemma3: ChatVlm) -> None:
    asked = prompt(picture(1))
    text = prompt_text(asked, gemma3.processor) + asked.answer_start
    inputs = gemma3.processor(
        text=[text],
        images=[[picture(1).pixels.copy()]],
        add_special_tokens=False,
        return_tensors="pt",
    )
    with torch.inference_mode():
        last = gemma3.network(**inputs).logits[0, -1].log_softmax(-1)
    encode_one = gemma3.processor.tokenizer.encode
    ids = {letter: encode_one(letter, add_special_tokens=False) for letter in "ABC"}
    assert all(len(each) == 1 for each in ids.values())
    bare = torch.stack([last[each[0]] for each in ids.values()])
    scores = gemma3.score_options(asked)
    assert scores is not None
    # The variants with a blank before the letter are no single tokens of this tokenizer.
    assert scores.probabilities == pytest.approx(bare.softmax(-1).tolist(), abs=1e-5)
    assert scores.letter_mass == pytest.approx(float(bare.exp().sum()), abs=1e-6)


def test_third_ask_of_a_picture_equals_the_first(any_vlm: ChatVlm) -> None:
    wide, tall = prompt(picture(1), picture(2)), prompt(picture(3, side=224))
    first = any_vlm.score_options(wide)
    said = reply_of(any_vlm)
    any_vlm.score_options(tall)
    any_vlm.generate(tall, SHORT, lambda text: None, lambda: False)
    assert any_vlm.score_options(wide) == first
    assert reply_of(any_vlm) == said


def test_the_picture_matters(any_vlm: ChatVlm) -> None:
    scores = [any_vlm.score_options(prompt(picture(seed))) for seed in (1, 2)]
    assert scores[0] != scores[1]


def test_text_only_and_blank_are_different_inputs(any_vlm: ChatVlm) -> None:
    assert any_vlm.score_options(prompt()) != any_vlm.score_options(prompt(picture(1)))


def test_the_first_special_token_is_not_doubled(gemma3: ChatVlm) -> None:
    ids = encode(prompt(picture(1)), gemma3.processor)["input_ids"][0].tolist()
    bos = gemma3.processor.tokenizer.bos_token_id
    assert ids[0] == bos and ids.count(bos) == 1


def test_caption_and_question_stand_on_lines_of_their_own(gemma3: ChatVlm) -> None:
    assert "slice 1\nWhich side" in prompt_text(prompt(picture(1)), gemma3.processor)


def test_greedy_replies_are_the_same_to_the_bit(any_vlm: ChatVlm) -> None:
    assert reply_of(any_vlm) == reply_of(any_vlm)


def test_sampling_follows_the_seed_and_greedy_ignores_the_models_own(tmp_path: Path) -> None:
    folder = save_gemma3(tmp_path, do_sample=True, temperature=0.7, top_k=20, top_p=0.9)
    model = load_chat_vlm(model_entry(str(folder)), lambda share, text: None)
    assert reply_of(model) == reply_of(model)
    hot = [reply_of(model, GenerationSettings(5.0, 12, seed)) for seed in (0, 0, 1)]
    assert hot[0] == hot[1] != hot[2]


OWN_CHOICES = {
    "repetition_penalty": 1.8, "no_repeat_ngram_size": 1, "min_new_tokens": 9, "min_length": 400,
    "num_beams": 3, "suppress_tokens": [*range(20, 120)], "begin_suppress_tokens": [20, 21, 22],
    "bad_words_ids": [[5], [6]], "forced_eos_token_id": 7, "guidance_scale": 1.5, "max_time": 1e-6,
    "exponential_decay_length_penalty": [1, 3.0], "sequence_bias": [[[9], 30.0]],
    "renormalize_logits": True, "num_return_sequences": 2, "do_sample": True, "temperature": 0.3,
    "top_k": 2, "top_p": 0.1, "min_p": 0.9, "typical_p": 0.1, "epsilon_cutoff": 0.9,
    "eta_cutoff": 0.9,
}  # fmt: skip
"""Everything by which a model's folder could bend what it says."""


@pytest.mark.parametrize("settings", [SHORT, GenerationSettings(5.0, 12, 3)])
def test_a_models_own_choices_of_generation_are_not_in_force(
    gemma3_folder: Path, tmp_path: Path, settings: GenerationSettings
) -> None:
    folder = tmp_path / "own"
    shutil.copytree(gemma3_folder, folder)
    file = folder / "generation_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | OWN_CHOICES))
    model = loaded(folder)
    assert reply_of(model, settings) == reply_of(loaded(gemma3_folder), settings)
    kept = model.network.generation_config
    assert kept.eos_token_id == json.loads(file.read_text())["eos_token_id"]
    assert not [name for name in OWN_CHOICES if getattr(kept, name) is not None]


def test_streamed_pieces_are_the_reply(any_vlm: ChatVlm) -> None:
    pieces: list[str] = []
    reply = any_vlm.generate(prompt(picture(1)), SHORT, pieces.append, lambda: False)
    assert "".join(pieces) == reply.text
    assert reply.finish == "length" and reply.tokens == 12
    assert (reply.model, reply.dtype) == (any_vlm.name, any_vlm.dtype)


def test_cancel_is_heard_within_one_token(any_vlm: ChatVlm) -> None:
    pieces: list[str] = []
    long = GenerationSettings(max_tokens=200)
    reply = any_vlm.generate(prompt(picture(1)), long, pieces.append, lambda: bool(pieces))
    assert reply.finish == "cancelled"
    assert reply.tokens <= 6  # a piece may need several tokens to be whole characters


def test_cancelled_before_the_start_gives_nothing(gemma3: ChatVlm) -> None:
    reply = gemma3.generate(prompt(), SHORT, lambda text: None, lambda: True)
    assert (reply.text, reply.finish, reply.tokens) == ("", "cancelled", 0)


def test_only_padding_is_an_empty_reply(gemma3: ChatVlm, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Gemma 3 gives in float16 (A11): the record will say "no answer"."""
    padding = gemma3.processor.tokenizer.pad_token_id

    def generate(**inputs: torch.Tensor) -> torch.Tensor:
        ids = inputs["input_ids"]
        return torch.cat((ids, torch.full((1, 5), padding)), dim=1)

    monkeypatch.setattr(gemma3.network, "generate", generate)
    reply = gemma3.generate(prompt(picture(1)), SHORT, lambda text: None, lambda: False)
    assert (reply.text, reply.finish) == ("", "stop")


def test_gemma_never_computes_in_float16(any_vlm: ChatVlm) -> None:
    assert {p.dtype for p in any_vlm.network.parameters()} <= {torch.float32, torch.bfloat16}
    assert any_vlm.dtype in any_vlm.dtype_reason


def test_the_context_bounds_the_pictures_whatever_the_user_allows(gemma3: ChatVlm) -> None:
    """The row's number is a convention that the page may raise; the context is the network's."""
    gemma3.network.config.get_text_config().max_position_embeddings = 300
    assert gemma3.score_options(prompt(picture(1))) is not None
    with pytest.raises(UnfitPrompt, match=r"at most 300 tokens .* got \d+"):
        gemma3.score_options(prompt(*(picture(seed) for seed in range(30))))


def test_a_freed_model_says_so(gemma3: ChatVlm) -> None:
    gemma3.close()
    with pytest.raises(ModelUnavailable, match="freed"):
        gemma3.score_options(prompt())


def test_a_damaged_file_is_one_sentence(gemma3_folder: Path, tmp_path: Path) -> None:
    for file in gemma3_folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes()[:5000])
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        load_chat_vlm(model_entry(str(tmp_path)), lambda share, text: None)


def test_missing_weights_are_never_made_up(gemma3_folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    for file in gemma3_folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = load_file(tmp_path / "model.safetensors")
    weights.pop(next(name for name in weights if name.endswith("q_proj.weight")))
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelUnavailable, match="1 weights are missing"):
        load_chat_vlm(model_entry(str(tmp_path)), lambda share, text: None)


def test_a_model_of_another_kind_is_one_sentence(tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel

    from inference.models.quiet import quiet_libraries

    config = BertConfig(
        vocab_size=8, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8
    )
    with quiet_libraries():
        BertModel(config).save_pretrained(tmp_path)
    with pytest.raises(ModelUnavailable, match="image-text-to-text"):
        load_chat_vlm(model_entry(str(tmp_path)), lambda share, text: None)


@pytest.mark.parametrize("token", ["<start_of_image>", "<image_soft_token>", "<end_of_turn>"])
@pytest.mark.parametrize("place", ["stem", "option"])
def test_words_that_hold_a_special_token_are_refused(
    gemma3: ChatVlm, token: str, place: str
) -> None:
    asked = prompt(picture(1), stem=f"What is {token} here?")
    if place == "option":
        parts = (*prompt(picture(1)).messages[0].parts, f"D) {token}")
        asked = replace(asked, messages=(Message("user", parts),))
    with pytest.raises(UnfitPrompt, match=f"hold {token}"):
        gemma3.score_options(asked)
    with pytest.raises(UnfitPrompt, match=f"hold {token}"):
        gemma3.generate(asked, SHORT, lambda text: None, lambda: False)


def test_brackets_and_unknown_signs_are_words(any_vlm: ChatVlm) -> None:
    for stem in ("Is it <2 cm or >4 cm?", "Ist <links> größer? \U0001f9e0", "[A] {B} </b> |x|"):
        assert any_vlm.score_options(prompt(picture(1), stem=stem)) is not None


def test_what_the_processor_or_the_template_refuses_is_one_sentence(gemma3: ChatVlm) -> None:
    class Refusing:
        """The processor, but for its call."""

        image_token, tokenizer = gemma3.processor.image_token, gemma3.processor.tokenizer
        apply_chat_template = staticmethod(gemma3.processor.apply_chat_template)

        def __call__(self, **given: Any) -> Any:
            return gemma3.processor(**given | {"images": None})  # one picture fewer than said

    with pytest.raises(UnfitPrompt, match="processor takes, but it refused this one"):
        encode(prompt(picture(1)), Refusing())
    template = "{{ raise_exception('Conversation roles must alternate') }}"
    with pytest.raises(UnfitPrompt, match=r"template takes.*roles must alternate"):
        prompt_text(prompt(), gemma3.processor, chat_template=template)


def test_one_question_with_a_special_token_does_not_end_the_others(gemma3: ChatVlm) -> None:
    view = view_of_arrays("S-1", volumes(), labelmap())
    stems = ("Where?", "Where is <start_of_image>?", "Which side?")
    asked = [
        prepare(
            view,
            Question(f"q{place}", "S-1", stem, ("Left", "Right"), 1, "location"),
            (0, 1),
            "single-slice",
            AskSettings(generation=SHORT),
        )
        for place, stem in enumerate(stems)
    ]
    records = list(send_many(asked, gemma3))
    assert [record.answer.status == "error" for record in records] == [False, True, False]
    assert "hold <start_of_image>" in str(records[1].error)
