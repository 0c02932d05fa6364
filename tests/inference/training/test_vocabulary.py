"""The embedded model's own tokenizer: the questions' words are single tokens, all else encodes."""

from __future__ import annotations

import pytest

from inference.training.architecture import DEMO_SHAPE
from inference.training.corpus import corpus
from inference.training.vocabulary import SPECIAL_TOKENS, new_processor, new_tokenizer

tokenizer = pytest.fixture(scope="module")(lambda: new_tokenizer(corpus()))


@pytest.mark.parametrize(
    "text",
    [
        "Right hemisphere\n6.3 cm",
        "é 中文 \U0001f9e0 \t\r\n  two  blanks",
        '{"answer": "B", "reason": "x"}',
        "zygomaticomaxillary",
    ],
)
def test_any_text_comes_back(tokenizer, text: str) -> None:
    ids = tokenizer.encode(text, add_special_tokens=False)
    assert tokenizer.decode(ids, skip_special_tokens=False) == text


@pytest.mark.parametrize("word", [" hemisphere", "A", "B", " edema", "149", " FLAIR"])
def test_words_of_the_questions_are_one_token(tokenizer, word: str) -> None:
    assert len(tokenizer.encode(word, add_special_tokens=False)) == 1


def test_special_tokens_are_gemmas(tokenizer) -> None:
    assert tokenizer.convert_tokens_to_ids(list(SPECIAL_TOKENS)) == list(range(8))
    assert (tokenizer.boi_token, tokenizer.eoi_token) == ("<start_of_image>", "<end_of_image>")


def test_the_same_corpus_gives_the_same_tokenizer(tokenizer) -> None:
    assert new_tokenizer(corpus()).get_vocab() == tokenizer.get_vocab()


def test_a_picture_costs_its_tokens(tokenizer) -> None:
    import numpy as np

    processor = new_processor(DEMO_SHAPE, tokenizer)
    pixels = np.zeros((50, 80, 3), np.uint8)
    inputs = processor(text=["<start_of_image>"], images=[[pixels]], return_tensors="pt")
    assert (inputs["input_ids"] == tokenizer.image_token_id).sum() == DEMO_SHAPE.picture_tokens
    assert inputs["pixel_values"].shape == (1, 3, 112, 112)
    assert inputs["pixel_values"].min() == -1.0
