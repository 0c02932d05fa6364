"""Which tokens mean a letter, also for tokenizers that put a blank before every text."""

from __future__ import annotations

import json

import pytest
import torch
from transformers import LlamaTokenizer

from inference.models.option_scoring import letter_log_probabilities, letter_token_ids
from tests.inference.models.checkpoints import prompt

START = prompt().answer_start
ASKED = "Which side is it? A) Right B) Left C) Both assistant "
LETTERS = ("A", "B", "C")


def llama(prepend: str, *more: tuple[str, str]) -> LlamaTokenizer:
    """Llama's tokenizer: single characters, the letters with a blank before them, and `more`."""
    characters = sorted(set(ASKED + START) - {" "})
    merges = [*(("\u2581", letter) for letter in LETTERS), *more]
    pieces = ["<unk>", "<s>", "</s>", "\u2581", *characters, *(a + b for a, b in merges)]
    tokenizer = LlamaTokenizer(
        vocab={piece: place for place, piece in enumerate(pieces)},
        merges=merges,
        legacy=prepend == "always",  # the library's name for it; "first" otherwise
    )
    scheme = json.loads(tokenizer.backend_tokenizer.to_str())["pre_tokenizer"]["prepend_scheme"]
    assert scheme == prepend
    return tokenizer


@pytest.mark.parametrize("prepend", ["always", "first"])
def test_the_letter_behind_the_quotation_mark_is_scored(prepend: str) -> None:
    tokenizer = llama(prepend)
    for letter in LETTERS:
        behind = tokenizer.encode(ASKED + START + letter, add_special_tokens=False)[-1]
        assert tokenizer.convert_ids_to_tokens(behind) == letter
        told = [
            tokenizer.convert_ids_to_tokens(i) for i in letter_token_ids(tokenizer, letter, START)
        ]
        assert sorted(told) == [letter, f"\u2581{letter}"]


@pytest.mark.parametrize("prepend", ["always", "first"])
def test_a_network_that_is_sure_of_the_bare_letter_is_sure_of_the_option(prepend: str) -> None:
    tokenizer = llama(prepend)
    logits = torch.zeros(len(tokenizer))
    logits[tokenizer.convert_tokens_to_ids("B")] = 20.0
    scores = letter_log_probabilities(logits.log_softmax(-1), tokenizer, LETTERS, START)
    a, b, c = (score if score is not None else -100.0 for score in scores)
    assert b > -0.001 and max(a, c) < -15.0


def test_a_letter_that_melts_into_the_start_is_no_token_behind_it() -> None:
    """A token that holds the quotation mark too would follow a start without one."""
    tokenizer = llama("first", ('"', "A"))
    melted = tokenizer.convert_tokens_to_ids('"A')
    assert tokenizer.encode(START + "A", add_special_tokens=False)[-1] == melted
    assert melted not in letter_token_ids(tokenizer, "A", START)
