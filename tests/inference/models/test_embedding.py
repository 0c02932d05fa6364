"""Options as statements beside a picture, ranked by how near they lie."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from inference.markers import Offered
from inference.models.embedding import EmbeddingModel, load_embedding, statements
from inference.models.errors import ModelUnavailable, UnfitPrompt
from inference.models.protocol import GenerationSettings
from inference.models.table import model_entry
from inference.option_answers import most_probable
from inference.parsing import parse
from tests.inference.models.checkpoints import picture, prompt, save_siglip


def loaded(folder: Path) -> EmbeddingModel:
    row = replace(model_entry(str(folder)), dtype="float32")
    assert row.kind == "embedding"
    return load_embedding(row, lambda share, text: None)


@pytest.fixture(params=["siglip_folder", "clip_folder"])
def model(request: pytest.FixtureRequest) -> EmbeddingModel:
    return loaded(request.getfixturevalue(request.param))


def test_the_same_ask_gives_the_same_to_the_bit(model: EmbeddingModel) -> None:
    asked = prompt(picture(1))
    first = model.score_options(asked)
    model.score_options(prompt(picture(2)))
    assert model.score_options(asked) == first
    assert model.encoder is not None
    longest = {"siglip": 64, "clip": 77}
    assert model.encoder.longest == longest[model.encoder.network.config.model_type]  # type: ignore[attr-defined]


def test_an_option_is_ranked_alike_in_every_order(model: EmbeddingModel) -> None:
    first = model.score_options(prompt(picture(1)))
    turned = model.score_options(prompt(picture(1), order=(1, 2, 0)))
    assert first is not None and turned is not None
    assert sum(first.probabilities) == pytest.approx(1.0)
    a, b, c = first.probabilities
    assert turned.probabilities == pytest.approx((b, c, a), abs=1e-5)


def test_the_picture_matters(model: EmbeddingModel) -> None:
    assert model.score_options(prompt(picture(1))) != model.score_options(prompt(picture(2)))


def test_a_statement_is_the_question_and_its_answer() -> None:
    assert statements(prompt())[0] == "Which side is it? Right side"


def test_the_reply_names_the_nearest_and_says_who_wrote_it(model: EmbeddingModel) -> None:
    asked = prompt(picture(1))
    scores = model.score_options(asked)
    assert scores is not None
    pieces: list[str] = []
    reply = model.generate(asked, GenerationSettings(), pieces.append, lambda: False)
    said = json.loads(reply.text)
    best = scores.probabilities.index(max(scores.probabilities))
    assert said["answer"] == "ABC"[best] and "writes nothing itself" in said["reason"]
    assert "cut" not in said["reason"] and pieces == [reply.text]


def test_cut_statements_are_reported(tmp_path: Path) -> None:
    model = loaded(save_siglip(tmp_path, longest=8))
    long = prompt(picture(1), stem="Which side is it? " * 8)
    assert model.cut_statements(long) == 3
    reply = model.generate(long, GenerationSettings(), lambda text: None, lambda: False)
    assert "3 of 3 statements were cut at 8 tokens" in reply.text


def test_equally_near_statements_name_no_letter(tmp_path: Path) -> None:
    model = loaded(save_siglip(tmp_path, longest=8))
    long = prompt(picture(1), stem="Which side is it? " * 8)  # nothing of an option is left
    scores = model.score_options(long)
    assert scores is not None and len(set(scores.probabilities)) == 1
    reply = model.generate(long, GenerationSettings(), lambda text: None, lambda: False)
    said = json.loads(reply.text)
    assert said["answer"] is None
    assert "3 of 3 options' statements are equally near" in said["reason"]
    offered = Offered(long.options_shown, long.letters, long.order)
    assert parse(reply.text, offered).status == most_probable(scores, offered).status == "unparsed"


@pytest.mark.parametrize("count", [0, 2])
def test_it_takes_exactly_one_picture(model: EmbeddingModel, count: int) -> None:
    with pytest.raises(UnfitPrompt):
        model.score_options(prompt(*(picture(seed) for seed in range(count))))


def test_a_freed_model_says_so(model: EmbeddingModel) -> None:
    model.close()
    with pytest.raises(ModelUnavailable, match="freed"):
        model.score_options(prompt(picture(1)))
