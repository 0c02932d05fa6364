"""Models that place pictures and short texts in one space: SigLIP, CLIP, MedImageInsight.

They write nothing. Every option becomes a short statement, and the options are
ranked by how near their statements lie to the picture.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from inference.models.conversation import check_fits
from inference.models.described import About, Described
from inference.models.entries import ModelEntry
from inference.models.errors import ModelUnavailable, UnfitPrompt
from inference.models.memory import give_back, memory_in_words
from inference.models.networks import load_parts
from inference.models.protocol import Cancelled, GenerationSettings, OnText, Progress
from inference.pictures import PixelArray
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply

if TYPE_CHECKING:
    import torch


class Encoder(Protocol):
    """A network that measures how near texts lie to a picture."""

    @property
    def longest(self) -> int:
        """Tokens of a text that it reads; what is longer is cut."""

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text, its special tokens with it."""

    def nearness(self, pixels: PixelArray, texts: Sequence[str]) -> torch.Tensor:
        """Logits (texts,) of one uint8 picture (height, width, 3)."""


@dataclass(frozen=True, eq=False)
class TwoTowers:
    """SigLIP or CLIP; `network` and `processor` are transformers' own objects."""

    network: Any
    processor: Any
    dtype: torch.dtype

    @property
    def longest(self) -> int:
        """Texts that the network has positions for: 64 tokens in SigLIP, 77 in CLIP."""
        return int(self.network.config.text_config.max_position_embeddings)

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text."""
        whole = self.processor.tokenizer(list(texts), padding=False, truncation=False)
        return [len(ids) for ids in whole["input_ids"]]

    def nearness(self, pixels: PixelArray, texts: Sequence[str]) -> torch.Tensor:
        """Texts padded to the model's full length, as SigLIP was trained."""
        inputs = self.processor(
            text=list(texts),
            images=[pixels.copy()],
            padding="max_length",
            truncation=True,
            max_length=self.longest,
            return_tensors="pt",
        ).to(self.network.device, dtype=self.dtype)
        found: torch.Tensor = self.network(**inputs).logits_per_image[0]
        return found


@dataclass(eq=False)
class EmbeddingModel(Described):
    """A loaded embedding model. `encoder` is None once it was freed."""

    about: About
    entry: ModelEntry
    encoder: Encoder | None

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        """A softmax over the statements' nearness to the picture.

        There is no vocabulary: the options hold all there is, so the mass is 1.
        `UnfitPrompt` without exactly one picture.
        """
        encoder = self._ready_for(prompt)
        import torch

        with torch.inference_mode(), memory_in_words(self.name):
            nearness = encoder.nearness(prompt.pictures[0].pixels, statements(prompt))
        return OptionScores(tuple(nearness.float().softmax(-1).tolist()), letter_mass=1.0)

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """The nearest statement's letter, written by this program in the usual form.

        The reason says so, and how many statements were cut at the model's limit.
        Where several are equally near there is no letter: the first is no better.
        """
        started = time.monotonic()
        scores = None if cancelled() else self.score_options(prompt)
        text = self._verdict(prompt, scores) if scores else ""
        on_text(text)
        return self.reply(text, started, 0, "stop" if scores else "cancelled")

    def close(self) -> None:
        """Drop the network; what memory it held goes back to the device."""
        self.encoder = None
        give_back()

    def cut_statements(self, prompt: Prompt) -> int:
        """How many statements are longer than the model reads."""
        encoder = self._ready_for(prompt)
        return sum(length > encoder.longest for length in encoder.lengths(statements(prompt)))

    def _verdict(self, prompt: Prompt, scores: OptionScores) -> str:
        best = max(scores.probabilities)
        nearest = [
            letter
            for letter, probability in zip(prompt.letters, scores.probabilities, strict=True)
            if not probability < best  # what cannot be compared is no nearer
        ]
        reason = "Nearest of the options' statements; this model writes nothing itself."
        if len(nearest) > 1:
            reason = (
                f"{len(nearest)} of {len(prompt.letters)} options' statements are equally near, so "
                "no letter is named; this model writes nothing itself."
            )
        if cut := self.cut_statements(prompt):
            longest = self._ready_for(prompt).longest
            reason += f" {cut} of {len(prompt.letters)} statements were cut at {longest} tokens."
        return json.dumps({"answer": nearest[0] if len(nearest) == 1 else None, "reason": reason})

    def _ready_for(self, prompt: Prompt) -> Encoder:
        if self.encoder is None:
            raise ModelUnavailable(f"{self.name} was freed; load it again.")
        check_fits(prompt, 1, self.name)
        if not prompt.pictures:
            raise UnfitPrompt(
                f"Expected one picture for {self.name}, got none: it only ranks texts beside a "
                "picture; choose single-slice or montage."
            )
        return self.encoder


def statements(prompt: Prompt) -> list[str]:
    """One short statement an option: the question and that answer to it."""
    return [f"{prompt.stem} {option}".strip() for option in prompt.options_shown]


def load_embedding(entry: ModelEntry, progress: Progress) -> EmbeddingModel:
    """The model of that row, ready to be asked; `ModelUnavailable` where it cannot be."""
    parts = load_parts(entry, progress)
    encoder = TwoTowers(parts.network, parts.processor, parts.precision.torch_dtype)
    return EmbeddingModel(parts.about, entry, encoder)
