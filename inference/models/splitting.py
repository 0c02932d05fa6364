"""Cutting a prompt in two where its last picture ends, exactly as the whole would be encoded.

The first part (instruction, pictures, all captions but the last) is the same
for every question about the same pictures; the second is words only and costs
no picture processing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from inference.models.conversation import prompt_text
from inference.models.prefixes import PrefixKey
from inference.prompts import Prompt


@dataclass(frozen=True)
class Split:
    """`head` ends with the last picture's placeholder, `tail` follows it; both are text."""

    head: str
    tail: str
    pictures: tuple[str, ...]

    @property
    def key(self) -> PrefixKey:
        """What the head's encoding depends on."""
        return self.head, self.pictures


def split(prompt: Prompt, processor: Any, begun: str = "", **template: Any) -> Split | None:
    """The two parts; None where the template does not show each picture once."""
    text = prompt_text(prompt, processor, **template) + begun
    hashes = tuple(picture.sha256 for picture in prompt.pictures)
    if not hashes:
        return Split("", text, ())
    placeholder = str(processor.image_token)
    if text.count(placeholder) != len(hashes):
        return None
    before, _, tail = text.rpartition(placeholder)
    return Split(before + placeholder, tail, hashes)


def tail_ids(tail: str, processor: Any, *, after_picture: bool) -> list[int]:
    """Token ids of what follows the last picture token.

    The picture token is put before it and dropped again, so that a tokenizer
    that treats the start of a text in its own way does not do so here. Where
    the processor closes a picture by text of its own (Gemma 3), that counts.
    """
    tokenizer = processor.tokenizer
    if not after_picture:
        return _ids(tokenizer, tail)
    token = str(getattr(tokenizer, "image_token", None) or processor.image_token)
    closing = str(getattr(processor, "full_image_sequence", "")).rpartition(token)[2]
    return _ids(tokenizer, token + closing + tail)[1:]


def picture_end(ids: list[int], processor: Any) -> int:
    """How many of `ids` there are up to and including the last picture token; 0 without one."""
    tokenizer = processor.tokenizer
    token = str(getattr(tokenizer, "image_token", None) or processor.image_token)
    wanted = tokenizer.convert_tokens_to_ids(token)
    return max((place + 1 for place, token_id in enumerate(ids) if token_id == wanted), default=0)


def _ids(tokenizer: Any, text: str) -> list[int]:
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids
