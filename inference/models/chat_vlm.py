"""Any chat VLM that transformers' `AutoModelForImageTextToText` loads.

MedGemma, Lingshu, LLaVA ports, the embedded demonstration model and any id or
folder go through this one class.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inference.models.conversation import check_fits, check_length, encode
from inference.models.errors import ModelUnavailable
from inference.models.generation import (
    LiveText,
    ending_ids,
    finish_of,
    generation_config,
    without_ending,
)
from inference.models.option_scoring import (
    WORDS_START,
    letter_log_probabilities,
    log_softmax_at_end,
    sequence_log_probability,
    softmax,
)
from inference.models.precision import Precision, choose_precision
from inference.models.protocol import Cancelled, GenerationSettings, OnText, Progress
from inference.models.quiet import quiet_libraries
from inference.models.table import ModelEntry
from inference.models.thinking import thinking_in
from inference.models.weights import find_weights, revision_of
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply

if TYPE_CHECKING:
    import torch


@dataclass(eq=False)
class ChatVlm:
    """A loaded chat VLM. `network` and `processor` are transformers' own objects."""

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
        """Letters by one forward pass at the answer's start; words by one more an option."""
        inputs = self._inputs(prompt, prompt.answer_start)
        next_token = log_softmax_at_end(self._logits(inputs, keep=1))
        by_letter = [
            self._sequence_score(prompt, prompt.answer_start, letter) if score is None else score
            for letter, score in zip(
                prompt.letters,
                letter_log_probabilities(next_token, self.processor.tokenizer, prompt.letters),
                strict=True,
            )
        ]
        by_word = None
        if words:
            by_word = softmax([self._word_score(prompt, text) for text in prompt.options_shown])
        return OptionScores(
            probabilities=softmax(by_letter),
            letter_mass=min(1.0, sum(_exp(score) for score in by_letter)),
            word_probabilities=by_word,
        )

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """A free reply in the model's own words; its thinking is kept in the text."""
        started = time.monotonic()
        inputs = self._inputs(prompt)
        length = inputs["input_ids"].shape[1]
        own = self.network.generation_config
        endings = ending_ids(own)

        def decode(ids: Any) -> str:
            kept = without_ending(ids, endings)
            return str(self.processor.tokenizer.decode(kept, skip_special_tokens=False))

        live = LiveText(decode, length, on_text, cancelled)
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
        import gc

        import torch

        self.network = None
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _inputs(self, prompt: Prompt, begun: str = "") -> Any:
        """Encoded prompt on the model's device; pictures in its number format."""
        if self.network is None:
            raise ModelUnavailable(f"{self.name} was freed; load it again.")
        check_fits(prompt, self.entry.max_pictures, self.name)
        inputs = encode(prompt, self.processor, begun)
        context = getattr(self.network.config.get_text_config(), "max_position_embeddings", None)
        check_length(inputs["input_ids"].shape[1], context, self.name)
        self._forget_last_prompt()
        return inputs.to(self.network.device, dtype=self.precision.torch_dtype)

    def _forget_last_prompt(self) -> None:
        """Qwen2.5-VL keeps the last pictures' position offsets on the module itself."""
        for module in self.network.modules():
            if getattr(module, "rope_deltas", None) is not None:
                module.rope_deltas = None

    def _logits(self, inputs: Any, keep: int) -> torch.Tensor:
        import torch

        with torch.inference_mode():
            output = self.network(**inputs, logits_to_keep=keep, use_cache=False)
        logits: torch.Tensor = output.logits
        return logits

    def _sequence_score(self, prompt: Prompt, start: str, text: str) -> float:
        """Summed log-probability of `text` right after `start`."""
        total, _ = self._scored(prompt, start, text)
        return total

    def _word_score(self, prompt: Prompt, option: str) -> float:
        """Mean log-probability a token, so that long options are not at a loss."""
        total, count = self._scored(prompt, WORDS_START, f" {option}")
        return total / count

    def _scored(self, prompt: Prompt, start: str, text: str) -> tuple[float, int]:
        before = self._inputs(prompt, start)["input_ids"].shape[1]
        inputs = self._inputs(prompt, start + text)
        ids = inputs["input_ids"][0, before:]
        logits = self._logits(inputs, keep=len(ids) + 1)
        return sequence_log_probability(logits, ids), len(ids)

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
    network = _named(entry, lambda: _network(str(folder), precision))
    progress(0.9, "Loading its processor")
    processor = _named(entry, lambda: _processor(str(folder)))
    progress(1.0, f"{entry.name} is ready")
    return ChatVlm(entry, revision_of(folder), precision, network, processor)


def _network(folder: str, precision: Precision) -> Any:
    from transformers import AutoModelForImageTextToText

    with quiet_libraries():
        network, found = AutoModelForImageTextToText.from_pretrained(
            folder,
            dtype=precision.torch_dtype,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    missing = sorted(found["missing_keys"])
    if missing:  # transformers would fill them with random numbers
        raise ValueError(f"{len(missing)} weights are missing, {missing[0]} among them")
    return network.to(precision.device).eval()


def _processor(folder: str) -> Any:
    from transformers import AutoProcessor

    with quiet_libraries():
        return AutoProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def _named(entry: ModelEntry, load: Callable[[], Any]) -> Any:
    """What `load` gives, its failures in one sentence that names the model."""
    from safetensors import SafetensorError

    try:
        return load()
    except MemoryError as error:
        raise ModelUnavailable(
            f"Expected enough memory for {entry.name}, but it ran out; choose a smaller model."
        ) from error
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        first_line = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        raise ModelUnavailable(
            f"Expected {entry.source} to hold a chat VLM, but it cannot be loaded "
            f"({first_line[:200]}); check that its folder is complete and that it is an "
            "image-text-to-text model."
        ) from error


def _exp(score: float) -> float:
    from math import exp

    return exp(score)
