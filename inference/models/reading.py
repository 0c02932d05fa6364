"""Reading a network's logits at the end of prompts, one by one or many at once.

`PlainReader` sends every prompt whole. `PrefixReader` encodes the pictures once
and runs only the words after them, many rows a batch; it gives the same
probabilities within 1e-3 in float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from inference.models.conversation import check_length, encode
from inference.models.prefixes import Prefix, PrefixStore, cache_argument, encode_prefix
from inference.models.splitting import picture_end, split, tail_ids
from inference.models.suffixes import Suffix, suffix_logits
from inference.prompts import Prompt

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, eq=False)
class Row:
    """A prompt with a reply already `begun`; logits of its last `keep` tokens are wanted.

    `thinking` tells the chat template to let the model think first, or not; None says nothing.
    """

    prompt: Prompt
    begun: str
    keep: int = 1
    thinking: bool | None = None

    @property
    def template(self) -> dict[str, Any]:
        """What the chat template is told."""
        return {} if self.thinking is None else {"enable_thinking": self.thinking}


class Reader(Protocol):
    """How a network is shown prompts. `network` is None once it was closed."""

    @property
    def network(self) -> Any:
        """transformers' own model."""

    @property
    def processor(self) -> Any:
        """transformers' own processor."""

    def tokens(self, prompt: Prompt, begun: str) -> list[int]:
        """Ids of the encoded prompt, at least of what stands after its last picture."""

    def logits(self, rows: Sequence[Row]) -> list[torch.Tensor]:
        """One tensor (keep, vocabulary) a row, in float32; the last predicts what follows."""

    def for_generation(self, prompt: Prompt, thinking: bool | None = None) -> dict[str, Any]:
        """What `network.generate` takes; `input_ids` (1, n) is the whole prompt."""

    def close(self) -> None:
        """Let go of the network and of everything that was encoded."""


@dataclass(eq=False)
class PlainReader:
    """Every prompt whole, pictures and all."""

    name: str
    network: Any
    processor: Any
    dtype: torch.dtype

    def tokens(self, prompt: Prompt, begun: str) -> list[int]:
        """Ids of the whole prompt."""
        ids: list[int] = self.inputs(Row(prompt, begun))["input_ids"][0].tolist()
        return ids

    def logits(self, rows: Sequence[Row]) -> list[torch.Tensor]:
        """One pass a row."""
        import torch

        found = []
        for row in rows:
            inputs = self.inputs(row)
            with torch.inference_mode():
                output = self.network(**inputs, logits_to_keep=row.keep, use_cache=False)
            found.append(output.logits[0, -row.keep :].float())
        return found

    def for_generation(self, prompt: Prompt, thinking: bool | None = None) -> dict[str, Any]:
        """The encoded prompt."""
        return dict(self.inputs(Row(prompt, "", thinking=thinking)))

    def close(self) -> None:
        """Let go of the network."""
        self.network = None

    def inputs(self, row: Row) -> Any:
        """Encoded prompt on the network's device; pictures in its number format."""
        inputs = encode(row.prompt, self.processor, row.begun, **row.template)
        check_length(inputs["input_ids"].shape[1], context_of(self.network), self.name)
        set_rope_deltas(self.network, None)
        return inputs.to(self.network.device, dtype=self.dtype)


@dataclass(eq=False)
class PrefixReader:
    """Pictures once, words many at a time."""

    plain: PlainReader
    store: PrefixStore = field(default_factory=PrefixStore)

    @property
    def network(self) -> Any:
        """transformers' own model."""
        return self.plain.network

    @property
    def processor(self) -> Any:
        """transformers' own processor."""
        return self.plain.processor

    def tokens(self, prompt: Prompt, begun: str) -> list[int]:
        """Ids of the words after the last picture."""
        suffix = self._suffix(Row(prompt, begun))
        return list(suffix.ids) if suffix else self.plain.tokens(prompt, begun)

    def logits(self, rows: Sequence[Row]) -> list[torch.Tensor]:
        """Rows about the same pictures go together; the answers keep the order of the rows."""
        about: dict[tuple[str, ...], list[int]] = {}
        for place, row in enumerate(rows):
            hashes = tuple(picture.sha256 for picture in row.prompt.pictures)
            about.setdefault(hashes, []).append(place)
        found: dict[int, torch.Tensor] = {}
        for places in about.values():
            found |= self._logits({place: rows[place] for place in places})
        return [found[place] for place in range(len(rows))]

    def _logits(self, rows: Mapping[int, Row]) -> dict[int, torch.Tensor]:
        """Logits by place of rows about the same pictures, which may still begin differently."""
        found: dict[int, torch.Tensor] = {}
        behind: dict[int, dict[int, Suffix]] = {}
        for place, row in rows.items():
            suffix = self._suffix(row)
            if suffix is None:
                found[place] = self.plain.logits([row])[0]
            else:
                behind.setdefault(id(suffix.prefix), {})[place] = suffix
        for together in behind.values():
            set_rope_deltas(self.network, None)
            logits = suffix_logits(self.network, list(together.values()))
            found |= zip(together, logits, strict=True)
        return found

    def for_generation(self, prompt: Prompt, thinking: bool | None = None) -> dict[str, Any]:
        """The prompt's ids, of which those in the cache are not run again."""
        import torch

        suffix = self._suffix(Row(prompt, "", thinking=thinking))
        if suffix is None or suffix.prefix is None:
            return self.plain.for_generation(prompt, thinking)
        prefix, network = suffix.prefix, self.network
        ids = torch.cat((prefix.ids, prefix.ids.new_tensor([suffix.ids])), dim=1)
        set_rope_deltas(network, prefix.next_position - prefix.length)
        return {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            cache_argument(network): prefix.fork(1),
        }

    def close(self) -> None:
        """Let go of the network and of the encoded pictures."""
        self.store.clear()
        self.plain.close()

    def _suffix(self, row: Row) -> Suffix | None:
        """The row behind its prefix; None where it cannot be split and is to be sent whole."""
        parts = split(row.prompt, self.processor, row.begun, **row.template)
        if parts is None:
            return None
        ids = tail_ids(parts.tail, self.processor, after_picture=bool(parts.pictures))
        prefix: Prefix | None = None
        if parts.pictures:
            if parts.key not in self.store:
                self.store.put(parts.key, self._encoded(row, ids))
            prefix = self.store.get(parts.key)
            if prefix is None:
                return None
        suffix = Suffix(prefix, tuple(ids), row.keep)
        check_length(suffix.offset + len(ids), context_of(self.network), self.plain.name)
        return suffix

    def _encoded(self, row: Row, ids: list[int]) -> Prefix | None:
        """The row's pictures encoded; None where the parts are not, token for token, the whole."""
        inputs = self.plain.inputs(row)
        whole: list[int] = inputs["input_ids"][0].tolist()
        end = picture_end(whole, self.processor)
        if not end or whole[end:] != ids:
            return None
        return encode_prefix(self.network, inputs, end)


def context_of(network: Any) -> int | None:
    """Longest prompt in tokens that the network's configuration allows; None where it says none."""
    found: int | None = getattr(network.config.get_text_config(), "max_position_embeddings", None)
    return found


def set_rope_deltas(network: Any, value: torch.Tensor | None) -> None:
    """Qwen2.5-VL keeps the last pictures' position offsets on the module itself.

    They must be this prompt's or none: one picture's state never answers for another.
    """
    for module in network.modules():
        if hasattr(module, "rope_deltas"):
            module.rope_deltas = value
