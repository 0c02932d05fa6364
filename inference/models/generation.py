"""Free replies: greedy or sampled, streamed, stopped within one token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from inference.models.protocol import GenerationSettings
from inference.replies import Finish

if TYPE_CHECKING:
    import torch

UNFINISHED = "\ufffd"
"""What a decoder gives for a character whose bytes are not all there yet."""

ENDINGS = ("eos_token_id", "pad_token_id", "bos_token_id")
"""What of a model's own generation settings is a fact about it and no choice."""


class LiveText:
    """A stopping criterion that passes text on as it comes.

    It runs in the thread that generates, after every token, so a Cancel is
    seen before the next one is made.
    """

    def __init__(
        self,
        decode: Callable[[Sequence[int]], str],
        prompt_length: int,
        on_text: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self._decode = decode
        self._prompt_length = prompt_length
        self._on_text = on_text
        self._cancelled = cancelled
        self._sent = ""
        self.was_cancelled = False

    def __call__(self, input_ids: torch.Tensor, scores: Any, **unused: Any) -> torch.Tensor:
        """True for the one sequence there is as soon as the user cancels."""
        import torch

        self.send(input_ids[0, self._prompt_length :].tolist())
        self.was_cancelled = self._cancelled()
        return torch.full((len(input_ids),), self.was_cancelled, device=input_ids.device)

    def send(self, ids: Sequence[int], *, last: bool = False) -> None:
        """Pass on what `ids` add, but for a character that is still incomplete."""
        text = self._decode(ids)
        if not last:
            text = text.rstrip(UNFINISHED)
        if len(text) > len(self._sent) and text.startswith(self._sent):
            self._on_text(text[len(self._sent) :])
            self._sent = text


def endings_only(own: Any) -> Any:
    """The model's own configuration without its choices: where a reply ends is all that is kept.

    What `generation_config` leaves unset transformers fills from the network's
    own, and penalties, filters or forbidden tokens have no neutral value that
    could be set against them; so the network holds none.
    """
    from transformers import GenerationConfig

    return GenerationConfig(**{name: getattr(own, name) for name in ENDINGS})


def generation_config(own: Any, settings: GenerationSettings) -> Any:
    """Our choice of sampling with the endings of the model's own configuration.

    1.0 and 0 switch off what the library itself would otherwise fill in.
    """
    from transformers import GenerationConfig

    samples = settings.temperature > 0
    return GenerationConfig(
        max_new_tokens=settings.max_tokens,
        do_sample=samples,
        temperature=settings.temperature if samples else 1.0,
        top_p=1.0,
        top_k=0 if samples else 50,  # 50 is the library's "unset"
        num_beams=1,
        eos_token_id=own.eos_token_id,
        pad_token_id=own.pad_token_id if own.pad_token_id is not None else _first(own.eos_token_id),
        bos_token_id=own.bos_token_id,
        use_cache=True,
    )


def ending_ids(own: Any) -> frozenset[int]:
    """Tokens that end a reply or pad it, by the model's configuration."""
    ids = own.eos_token_id if isinstance(own.eos_token_id, list) else [own.eos_token_id]
    return frozenset(i for i in (*ids, own.pad_token_id) if i is not None)


def without_ending(ids: Sequence[int], endings: frozenset[int]) -> list[int]:
    """`ids` up to the trailing end and padding tokens; empty where there is nothing else."""
    kept = list(ids)
    while kept and kept[-1] in endings:
        kept.pop()
    return kept


def finish_of(ids: Sequence[int], endings: frozenset[int], *, cancelled: bool) -> Finish:
    """Why a reply ended: "stop" by an end token, "length" by running out of tokens."""
    if ids and ids[-1] in endings:
        return "stop"
    return "cancelled" if cancelled else "length"


def _first(ids: int | list[int] | None) -> int | None:
    return ids[0] if isinstance(ids, list) else ids
