"""Option probabilities from one forward pass, by letter and by the options' words.

By letter: the log-probability that the reply's next token is the letter, with
and without a blank before it; a letter that no single token holds is scored as
a sequence. By words: the mean log-probability of the option's tokens after
`WORDS_START`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

WORDS_START = "The answer is:"
"""How a reply in words begins; each option follows after a blank."""


def letter_token_ids(tokenizer: Any, letter: str) -> list[int]:
    """Ids of the single tokens that mean `letter`, bare or with a blank before it."""
    ids = []
    for text in (letter, f" {letter}"):
        encoded = tokenizer.encode(text, add_special_tokens=False)
        if len(encoded) == 1:
            ids.append(int(encoded[0]))
    return sorted(set(ids))


def log_softmax_at_end(logits: torch.Tensor) -> torch.Tensor:
    """Log-probabilities (vocabulary,) of the next token, from logits (1, n, vocabulary)."""
    return logits[0, -1].float().log_softmax(-1)


def letter_log_probabilities(
    next_token: torch.Tensor, tokenizer: Any, letters: Sequence[str]
) -> list[float | None]:
    """One log-probability a letter; None where no single token holds it."""
    scores: list[float | None] = []
    for letter in letters:
        ids = letter_token_ids(tokenizer, letter)
        scores.append(float(next_token[ids].logsumexp(-1)) if ids else None)
    return scores


def sequence_log_probability(logits: torch.Tensor, ids: torch.Tensor) -> float:
    """Summed log-probability of `ids` (n,), from logits (1, >= n + 1, vocabulary) at the end.

    The last row of `logits` belongs to the last id and predicts what follows.
    """
    rows = logits[0, -len(ids) - 1 : -1].float().log_softmax(-1)
    return float(rows.gather(-1, ids[:, None]).sum())


def softmax(scores: Sequence[float]) -> tuple[float, ...]:
    """Probabilities over the options; they sum to one."""
    top = max(scores)
    weights = [math.exp(score - top) for score in scores]
    return tuple(weight / sum(weights) for weight in weights)
