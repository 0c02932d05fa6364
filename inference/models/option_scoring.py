"""Option probabilities from one forward pass, by letter and by the options' words.

By letter: the log-probability that the reply's next token is the letter, as it
follows the answer's start, with and without a blank before it; a letter that
no single token holds is scored as a sequence. By words: the mean
log-probability of the option's tokens after `WORDS_START`. Rows of many prompts
are read in one go, so that prompts about the same pictures share what was
encoded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inference.models.reading import Reader, Row
from inference.prompts import Prompt
from inference.replies import OptionScores

if TYPE_CHECKING:
    import torch

WORDS_START = "The answer is:"
"""How a reply in words begins; each option follows after a blank."""


def letter_token_ids(tokenizer: Any, letter: str, answer_start: str) -> list[int]:
    """Ids of the single tokens that mean `letter`: after `answer_start`, bare, or after a blank.

    Tokenizers that put a blank before every text (Llama's, Mistral's) turn a
    bare letter into another token than the one that follows a quotation mark.
    """

    def encoded(text: str) -> list[int]:
        return [int(i) for i in tokenizer.encode(text, add_special_tokens=False)]

    start, begun = encoded(answer_start), encoded(answer_start + letter)
    singles = [encoded(letter), encoded(f" {letter}")]
    if begun[:-1] == start:
        singles.append(begun[-1:])
    return sorted({ids[0] for ids in singles if len(ids) == 1})


def letter_log_probabilities(
    next_token: torch.Tensor, tokenizer: Any, letters: Sequence[str], answer_start: str
) -> list[float | None]:
    """One log-probability a letter; None where no single token holds it."""
    scores: list[float | None] = []
    for letter in letters:
        ids = letter_token_ids(tokenizer, letter, answer_start)
        scores.append(float(next_token[ids].logsumexp(-1)) if ids else None)
    return scores


def sequence_log_probability(logits: torch.Tensor, ids: Sequence[int]) -> float:
    """Summed log-probability of `ids` (n), from logits (n + 1, vocabulary).

    The last row of `logits` belongs to the last id and predicts what follows.
    """
    rows = logits[:-1].log_softmax(-1)
    return float(rows.gather(-1, rows.new_tensor(ids).long()[:, None]).sum())


def softmax(scores: Sequence[float]) -> tuple[float, ...]:
    """Probabilities over the options; they sum to one."""
    top = max(scores)
    weights = [math.exp(score - top) for score in scores]
    return tuple(weight / sum(weights) for weight in weights)


def score_prompts(
    reader: Reader, tokenizer: Any, prompts: Sequence[Prompt], *, words: bool
) -> list[OptionScores]:
    """Option probabilities of every prompt, from one reading of all their rows."""
    plans = [_plan(reader, tokenizer, prompt, words) for prompt in prompts]
    logits = iter(reader.logits([row for plan in plans for row in plan.rows]))
    return [
        _scores(plan, [next(logits) for _ in plan.rows], tokenizer, prompt)
        for prompt, plan in zip(prompts, plans, strict=True)
    ]


@dataclass(frozen=True)
class _Plan:
    """A prompt's rows: the answer's start, then one a `continuation` (token ids)."""

    rows: list[Row]
    continuations: list[list[int]]


def _plan(reader: Reader, tokenizer: Any, prompt: Prompt, words: bool) -> _Plan:
    """Letters that no single token holds first, then, with `words`, the options' own words."""
    texts = [
        (prompt.answer_start, letter)
        for letter in prompt.letters
        if not letter_token_ids(tokenizer, letter, prompt.answer_start)
    ]
    if words:
        texts += [(WORDS_START, f" {option}") for option in prompt.options_shown]
    rows, continuations = [Row(prompt, prompt.answer_start)], []
    for start, text in texts:
        before = len(reader.tokens(prompt, start))
        ids = reader.tokens(prompt, start + text)[before:]
        rows.append(Row(prompt, start + text, len(ids) + 1))
        continuations.append(ids)
    return _Plan(rows, continuations)


def _scores(
    plan: _Plan, logits: Sequence[torch.Tensor], tokenizer: Any, prompt: Prompt
) -> OptionScores:
    """One prompt's probabilities from the logits of its plan's rows."""
    told = [
        sequence_log_probability(rows, ids)
        for rows, ids in zip(logits[1:], plan.continuations, strict=True)
    ]
    by_token = letter_log_probabilities(
        logits[0][-1].log_softmax(-1), tokenizer, prompt.letters, prompt.answer_start
    )
    by_sequence = iter(told)
    by_letter = [next(by_sequence) if score is None else score for score in by_token]
    first_word = by_token.count(None)
    by_word = [
        score / len(ids)  # so that long options are not at a loss
        for score, ids in zip(told[first_word:], plan.continuations[first_word:], strict=True)
    ]
    return OptionScores(
        probabilities=softmax(by_letter),
        letter_mass=min(1.0, sum(math.exp(score) for score in by_letter)),
        word_probabilities=softmax(by_word) if by_word else None,
    )
