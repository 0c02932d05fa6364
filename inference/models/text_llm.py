"""Language models that see no picture, through the code of the chat VLMs.

What such a model gets right, the words alone give away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inference.models.chat_vlm import ChatVlm
from inference.models.entries import ModelEntry
from inference.models.networks import load_network, load_processor
from inference.models.precision import choose_precision
from inference.models.protocol import Progress
from inference.models.reading import PlainReader, PrefixReader
from inference.models.weights import find_weights, revision_of


@dataclass(frozen=True)
class WordsOnly:
    """A tokenizer with the face of a processor, as `conversation.encode` calls one."""

    tokenizer: Any
    thinking_off: bool = False

    def apply_chat_template(self, messages: Sequence[dict[str, Any]], **options: Any) -> str:
        """The turns as text. Templates of language models take one text a turn, not parts."""
        turns = [
            {"role": turn["role"], "content": "\n".join(part["text"] for part in turn["content"])}
            for turn in messages
        ]
        if self.thinking_off:
            options["enable_thinking"] = False
        text: str = self.tokenizer.apply_chat_template(turns, **options)
        return text

    def __call__(self, text: list[str], images: None, **options: Any) -> Any:
        """Token ids of one text. There are never pictures: `check_fits` refuses them before."""
        from transformers import BatchFeature

        return BatchFeature(dict(self.tokenizer(text, **options)))


def load_text_llm(entry: ModelEntry, progress: Progress) -> ChatVlm:
    """The model of that row, ready to be asked; `ModelUnavailable` where it cannot be."""
    progress(0.0, f"Looking for the weights of {entry.name}")
    folder = find_weights(entry)
    precision = choose_precision(entry.dtype)
    progress(0.2, f"Loading {entry.name}, {precision.reason}")
    network = load_network(entry, folder, precision)
    processor = WordsOnly(load_processor(entry, folder), entry.thinking_off)
    plain = PlainReader(entry.name, network, processor, precision.torch_dtype)
    progress(1.0, f"{entry.name} is ready")
    return ChatVlm(entry, revision_of(folder), precision, PrefixReader(plain))
