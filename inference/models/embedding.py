"""Models that place pictures and short texts in one space: SigLIP, CLIP and their kin.

They write nothing. Every option becomes a short statement, and the options are
ranked by how near their statements lie to the picture.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from inference.models.conversation import check_fits
from inference.models.entries import ModelEntry
from inference.models.errors import ModelUnavailable, UnfitPrompt
from inference.models.memory import give_back, memory_in_words
from inference.models.networks import load_network, load_processor
from inference.models.precision import Precision, choose_precision
from inference.models.protocol import Cancelled, GenerationSettings, OnText, Progress
from inference.models.weights import find_weights, revision_of
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply


@dataclass(eq=False)
class EmbeddingModel:
    """A loaded embedding model. `network` and `processor` are transformers' own objects."""

    entry: ModelEntry
    revision: str | None
    precision: Precision
    network: Any
    processor: Any

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
        """A softmax over the statements' nearness to the picture.

        There is no vocabulary: the options hold all there is, so the mass is 1.
        `UnfitPrompt` without exactly one picture.
        """
        self._check(prompt)
        import torch

        with torch.inference_mode(), memory_in_words(self.name):
            inputs = self._inputs(prompt).to(self.network.device, dtype=self.precision.torch_dtype)
            nearness = self.network(**inputs).logits_per_image[0]
        shares = nearness.float().softmax(-1).tolist()
        return OptionScores(tuple(shares), letter_mass=1.0)

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """The nearest statement's letter, written by this program in the usual form.

        The reason says so, and how many statements were cut at the model's limit.
        """
        started = time.monotonic()
        scores = None if cancelled() else self.score_options(prompt)
        text = self._verdict(prompt, scores) if scores else ""
        on_text(text)
        return Reply(
            text=text,
            thinking=None,
            scores=None,
            tokens=0,
            seconds=time.monotonic() - started,
            model=self.name,
            revision=self.revision,
            dtype=self.dtype,
            finish="stop" if scores else "cancelled",
        )

    def close(self) -> None:
        """Drop the network; what memory it held goes back to the device."""
        self.network = None
        give_back()

    def cut_statements(self, prompt: Prompt) -> int:
        """How many statements are longer than the model reads."""
        limit = self._longest()
        lengths = self.processor.tokenizer(statements(prompt), padding=False)["input_ids"]
        return sum(len(ids) > limit for ids in lengths)

    def _verdict(self, prompt: Prompt, scores: OptionScores) -> str:
        best = max(range(len(prompt.letters)), key=lambda place: scores.probabilities[place])
        reason = "Nearest of the options' statements; this model writes nothing itself."
        if cut := self.cut_statements(prompt):
            reason += (
                f" {cut} of {len(prompt.letters)} statements were cut at {self._longest()} tokens."
            )
        return json.dumps({"answer": prompt.letters[best], "reason": reason})

    def _check(self, prompt: Prompt) -> None:
        if self.network is None:
            raise ModelUnavailable(f"{self.name} was freed; load it again.")
        check_fits(prompt, self.entry.max_pictures, self.name)
        if not prompt.pictures:
            raise UnfitPrompt(
                f"Expected one picture for {self.name}, got none: it only ranks texts beside a "
                "picture; choose single-slice or montage."
            )

    def _inputs(self, prompt: Prompt) -> Any:
        """Statements padded to the model's full length, as SigLIP was trained, and the picture."""
        return self.processor(
            text=statements(prompt),
            images=[picture.pixels.copy() for picture in prompt.pictures],
            padding="max_length",
            truncation=True,
            max_length=self._longest(),
            return_tensors="pt",
        )

    def _longest(self) -> int:
        """Tokens of a text that the network has positions for: 64 in SigLIP, 77 in CLIP."""
        return int(self.network.config.text_config.max_position_embeddings)


def statements(prompt: Prompt) -> list[str]:
    """One short statement an option: the question and that answer to it."""
    return [f"{prompt.stem} {option}".strip() for option in prompt.options_shown]


def load_embedding(entry: ModelEntry, progress: Progress) -> EmbeddingModel:
    """The model of that row, ready to be asked; `ModelUnavailable` where it cannot be."""
    progress(0.0, f"Looking for the weights of {entry.name}")
    folder = find_weights(entry)
    precision = choose_precision(entry.dtype)
    progress(0.2, f"Loading {entry.name}, {precision.reason}")
    network = load_network(entry, folder, precision)
    processor = load_processor(entry, folder)
    progress(1.0, f"{entry.name} is ready")
    return EmbeddingModel(entry, revision_of(folder), precision, network, processor)
