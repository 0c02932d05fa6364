"""Language models that see no picture, through the code of the chat VLMs.

What such a model gets right, the words alone give away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inference.models.chat_vlm import ChatVlm
from inference.models.entries import ModelEntry
from inference.models.networks import load_parts
from inference.models.protocol import Progress
from inference.models.reading import PlainReader, PrefixReader

NO_THINKING = {"enable_thinking": False}
"""Options are scored where the answer starts, so a template that could think is told not to."""


@dataclass(frozen=True)
class WordsOnly:
    """A tokenizer with the face of a processor, as `conversation.encode` calls one."""

    tokenizer: Any

    def apply_chat_template(self, messages: Sequence[dict[str, Any]], **options: Any) -> str:
        """The turns as text. Templates of language models take one text a turn, not parts."""
        turns = [
            {"role": turn["role"], "content": "\n".join(part["text"] for part in turn["content"])}
            for turn in messages
        ]
        text: str = self.tokenizer.apply_chat_template(turns, **{**NO_THINKING, **options})
        return text

    def __call__(self, text: list[str], images: None, **options: Any) -> Any:
        """Token ids of one text. There are never pictures: `check_fits` refuses them before."""
        from transformers import BatchFeature

        return BatchFeature(dict(self.tokenizer(text, **options)))


def load_text_llm(entry: ModelEntry, progress: Progress) -> ChatVlm:
    """The model of that row, ready to be asked; `ModelUnavailable` where it cannot be."""
    parts = load_parts(entry, progress)
    processor = WordsOnly(parts.processor)
    plain = PlainReader(entry.name, parts.network, processor, parts.precision.torch_dtype)
    return ChatVlm(parts.about, entry, PrefixReader(plain))
