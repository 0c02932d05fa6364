"""A language model without eyes, through the code of the chat VLMs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inference.models.chat_vlm import ChatVlm
from inference.models.conversation import prompt_text
from inference.models.errors import UnfitPrompt
from inference.models.protocol import GenerationSettings
from inference.models.reading import PrefixReader
from inference.models.table import model_entry
from inference.models.text_llm import load_text_llm
from tests.inference.models.checkpoints import picture, prompt


@pytest.fixture
def model(text_llm_folder: Path) -> ChatVlm:
    row = replace(model_entry(str(text_llm_folder)), dtype="float32")
    assert row.kind == "text-llm"
    return load_text_llm(row, lambda share, text: None)


def test_many_at_once_equal_one_by_one(model: ChatVlm) -> None:
    orders = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    asked = [prompt(stem=stem, order=o) for stem in ("Which?", "Which side is it?") for o in orders]
    assert isinstance(model.reader, PrefixReader)
    plain = replace(model, reader=model.reader.plain)
    for scores, each in zip(model.score_many(asked, words=True), asked, strict=True):
        alone = plain.score_options(each, words=True)
        assert scores is not None and alone is not None
        assert scores.probabilities == pytest.approx(alone.probabilities, abs=1e-5)
        assert scores.word_probabilities == pytest.approx(alone.word_probabilities, abs=1e-5)


def test_it_writes_and_its_template_does_not_think(model: ChatVlm) -> None:
    settings = GenerationSettings(max_tokens=5)
    reply = model.generate(prompt(), settings, lambda text: None, lambda: False)
    assert (reply.tokens, reply.finish) == (5, "length")
    assert prompt_text(prompt(), model.processor).endswith("<think>\n\n</think>\n\n")


def test_it_thinks_where_the_user_wants_it_and_its_options_are_scored_without(
    model: ChatVlm,
) -> None:
    """The template's switch reaches the reply, and only the reply."""
    given: list[str] = []
    plain = model.processor.tokenizer.__call__
    before = model.score_options(prompt())

    class Heard:
        def __getattr__(self, name: str) -> object:
            return getattr(tokenizer, name)

        def __call__(self, text: list[str] | str, **options: object) -> object:
            given.append(text if isinstance(text, str) else text[0])
            return plain(text, **options)

    tokenizer = model.processor.tokenizer
    object.__setattr__(model.processor, "tokenizer", Heard())
    thinking = GenerationSettings(temperature=0.6, max_tokens=3, thinking=True)
    model.generate(prompt(), thinking, lambda text: None, lambda: False)
    assert given and not any("</think>" in text for text in given)
    given.clear()
    assert model.score_options(prompt()) == before
    assert given and all("</think>" in text for text in given)


def test_greedy_replies_are_the_same_to_the_bit_and_cancel_is_heard(model: ChatVlm) -> None:
    settings = GenerationSettings(max_tokens=12)
    said = [
        model.generate(prompt(), settings, lambda text: None, lambda: False).text for _ in range(3)
    ]
    assert said[0] and said == [said[0]] * 3
    pieces: list[str] = []
    long = GenerationSettings(max_tokens=200)
    reply = model.generate(prompt(), long, pieces.append, lambda: bool(pieces))
    assert reply.finish == "cancelled" and reply.tokens <= 6


def test_a_picture_is_refused_in_words(model: ChatVlm) -> None:
    with pytest.raises(UnfitPrompt, match="at most 0 pictures"):
        model.score_options(prompt(picture(1)))
