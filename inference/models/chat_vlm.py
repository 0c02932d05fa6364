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
from inference.models.networks import load_network, load_processor
from inference.models.option_scoring import score_prompts
from inference.models.precision import Precision, choose_precision
from inference.models.protocol import Cancelled, GenerationSettings, OnText, Progress
from inference.models.quiet import quiet_libraries
from inference.models.reading import PlainReader, PrefixReader, Reader
from inference.models.thinking import thinking_in
from inference.models.weights import find_weights, revision_of
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply


@dataclass(eq=False)
class ChatVlm:
    """A loaded chat VLM. `reader` holds its network and shows it prompts."""

    entry: ModelEntry
    revision: str | None
    precision: Precision
    reader: Reader

    @property
    def network(self) -> Any:
        """transformers' own model; None once it was freed."""
        return self.reader.network

    @property
    def processor(self) -> Any:
        """transformers' own processor."""
        return self.reader.processor

    @property
    def name(self) -> str:
        """The name it was asked for by."""
        return self.entry.name

    @property
    def card(self) -> str:
        """Where its card is."""
        return self.entry.card

    @property
    def dtype(self) -> str | None:
        """Number format it computes in."""
        return self.precision.dtype

    @property
    def dtype_reason(self) -> str:
        """Why that format."""
        return self.precision.reason

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
            inputs = self.reader.for_generation(prompt)
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
        text = decode(ids)
        return Reply(
            text=text,
            thinking=thinking_in(text),
            scores=None,
            tokens=len(ids),
            seconds=time.monotonic() - started,
            model=self.name,
            revision=self.revision,
            dtype=self.dtype,
            finish=finish_of(ids, endings, cancelled=live.was_cancelled or not ids),
        )

    def close(self) -> None:
        """Drop the network; what memory it held goes back to the device."""
        self.reader.close()
        give_back()

    def _check(self, prompt: Prompt) -> None:
        if self.network is None:
            raise ModelUnavailable(f"{self.name} was freed; load it again.")
        check_fits(prompt, self.entry.max_pictures, self.name)

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
    progress(0.0, f"Looking for the weights of {entry.name}")
    folder = find_weights(entry)
    precision = choose_precision(entry.dtype)
    progress(0.2, f"Loading {entry.name}, {precision.reason}")
    network = load_network(entry, folder, precision)
    progress(0.9, "Loading its processor")
    processor = load_processor(entry, folder)
    progress(1.0, f"{entry.name} is ready")
    plain = PlainReader(entry.name, network, processor, precision.torch_dtype)
    return ChatVlm(entry, revision_of(folder), precision, PrefixReader(plain))
