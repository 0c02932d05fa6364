"""Any chat VLM that transformers' `AutoModelForImageTextToText` loads.

MedGemma, Lingshu, LLaVA ports, the embedded demonstration model and any id or
folder go through this one class.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inference.models.conversation import check_fits
from inference.models.described import About, Described
from inference.models.entries import ModelEntry
from inference.models.errors import ModelUnavailable
from inference.models.generation import (
    LiveText,
    ending_ids,
    finish_of,
    generation_config,
    without_ending,
)
from inference.models.memory import give_back, memory_in_words
from inference.models.networks import load_parts
from inference.models.option_scoring import score_prompts
from inference.models.protocol import Cancelled, GenerationSettings, OnText, Progress
from inference.models.quiet import quiet_libraries
from inference.models.reading import PlainReader, PrefixReader, Reader
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply


@dataclass(eq=False)
class ChatVlm(Described):
    """A loaded chat VLM. `reader` holds its network and shows it prompts."""

    about: About
    entry: ModelEntry
    reader: Reader

    @property
    def network(self) -> Any:
        """transformers' own model; None once it was freed."""
        return self.reader.network

    @property
    def processor(self) -> Any:
        """transformers' own processor."""
        return self.reader.processor

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        """Letters by one forward pass at the answer's start; words by one more row an option."""
        return self.score_many([prompt], words=words)[0]

    def score_many(
        self, prompts: Sequence[Prompt], *, words: bool = False
    ) -> list[OptionScores | None]:
        """The same for many prompts; those about the same pictures share their encoding."""
        for prompt in prompts:
            self._check(prompt)
        with memory_in_words(self.name):
            return [*score_prompts(self.reader, self.processor.tokenizer, prompts, words=words)]

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """A free reply in the model's own words; its thinking is kept in the text."""
        started = time.monotonic()
        self._check(prompt)
        with memory_in_words(self.name):
            inputs = self.reader.for_generation(prompt, settings.thinking)
        length = inputs["input_ids"].shape[1]
        own = self.network.generation_config
        endings = ending_ids(own)

        def decode(ids: Any) -> str:
            kept = without_ending(ids, endings)
            return str(self.processor.tokenizer.decode(kept, skip_special_tokens=False))

        live = LiveText(decode, length, on_text, cancelled)
        with memory_in_words(self.name):
            ids = [] if cancelled() else self._generate(inputs, settings, live)[length:]
        live.send(ids, last=True)
        finish = finish_of(ids, endings, cancelled=live.was_cancelled or not ids)
        return self.reply(decode(ids), started, len(ids), finish)

    def close(self) -> None:
        """Drop the network; what memory it held goes back to the device."""
        self.reader.close()
        give_back()

    def _check(self, prompt: Prompt) -> None:
        if self.network is None:
            raise ModelUnavailable(f"{self.name} was freed; load it again.")
        if self.entry.kind == "text-llm":
            check_fits(prompt, 0, self.name)  # others are bounded by their context

    def _generate(self, inputs: Any, settings: GenerationSettings, live: LiveText) -> list[int]:
        import torch
        from transformers import StoppingCriteriaList

        with torch.inference_mode(), torch.random.fork_rng(), quiet_libraries():
            torch.manual_seed(settings.seed)
            output = self.network.generate(
                **inputs,
                generation_config=generation_config(self.network.generation_config, settings),
                stopping_criteria=StoppingCriteriaList([live]),
            )
        ids: list[int] = output[0].tolist()
        return ids


def load_chat_vlm(entry: ModelEntry, progress: Progress) -> ChatVlm:
    """The model of that row, ready to be asked.

    `ModelUnavailable` where its files are missing, refused, damaged or of an
    architecture that is no chat VLM.
    """
    parts = load_parts(entry, progress)
    plain = PlainReader(entry.name, parts.network, parts.processor, parts.precision.torch_dtype)
    return ChatVlm(parts.about, entry, PrefixReader(plain))
