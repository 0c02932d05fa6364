"""Encoded prefixes: the vision tower's work and the key/value cache up to the last picture.

Encoding pictures is most of an ask's cost. What was encoded once serves every
question, order and repeat about the same pictures.
"""

from __future__ import annotations

import copy
import inspect
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

PREFIX_BYTES = 2 << 30
"""Keys and values kept a model; the newest prefix is kept even if it alone is larger."""

PrefixKey = tuple[str, tuple[str, ...]]
"""Text up to the last picture's placeholder, and the pictures' hashes in order.

The text decides the token ids: one processor, one way of turning text into ids.
"""


@dataclass(frozen=True, eq=False)
class Prefix:
    """What the network remembers of a prompt up to its last picture.

    `ids` (1, n) are its token ids, `cache` is transformers' own cache after
    them, and `next_position` (1, 1) is the position of the token that follows:
    n, but for networks that give pictures two-dimensional positions.
    """

    ids: torch.Tensor
    cache: Any
    next_position: torch.Tensor

    @property
    def length(self) -> int:
        """Tokens it holds."""
        return int(self.ids.shape[1])

    @property
    def bytes(self) -> int:
        """Memory of its keys and values."""
        return sum(
            tensor.numel() * tensor.element_size()
            for layer in self.cache.layers
            for tensor in (layer.keys, layer.values)
        )

    def fork(self, rows: int) -> Any:
        """A cache of its own for `rows` sequences that all begin with this prefix.

        The keys and values are views: a layer that grows copies them, so the
        prefix itself never changes.
        """
        fork = copy.copy(self.cache)
        fork.layers = [_repeated(layer, rows) for layer in self.cache.layers]
        return fork


def _repeated(layer: Any, rows: int) -> Any:
    layer = copy.copy(layer)
    layer.keys = layer.keys.expand(rows, -1, -1, -1)
    layer.values = layer.values.expand(rows, -1, -1, -1)
    return layer


class PrefixStore:
    """The prefixes used last, up to a number of bytes.

    None stands for a prefix that cannot be split off, so that it is tried once.
    """

    def __init__(self, limit_bytes: int = PREFIX_BYTES) -> None:
        self._limit = limit_bytes
        self._kept: OrderedDict[PrefixKey, Prefix | None] = OrderedDict()

    def __contains__(self, key: PrefixKey) -> bool:
        return key in self._kept

    def get(self, key: PrefixKey) -> Prefix | None:
        """The prefix of that key, which is the one used last from now on."""
        self._kept.move_to_end(key)
        return self._kept[key]

    def put(self, key: PrefixKey, prefix: Prefix | None) -> None:
        """Keep it, and let go of the oldest ones where there is no room for all."""
        self._kept[key] = prefix
        while self._bytes() > self._limit and len(self._kept) > 1:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Let go of all of them."""
        self._kept.clear()

    def _bytes(self) -> int:
        return sum(prefix.bytes for prefix in self._kept.values() if prefix)


def cache_argument(network: Any) -> str:
    """What this network calls its cache: transformers renamed it after 5.20."""
    parameters = inspect.signature(type(network).forward).parameters
    return "cache" if "cache" in parameters else "past_key_values"


def encode_prefix(network: Any, inputs: Any, length: int) -> Prefix:
    """Run the first `length` tokens of `inputs`, pictures included, through the network.

    The attention mask is the plain path's own: where tokens of one picture see
    each other (Gemma 3), the token types that say so go in too.
    """
    import torch
    from transformers import DynamicCache

    whole = inputs["input_ids"].shape
    cache = DynamicCache(config=network.config.get_text_config())
    first = {
        name: tensor[:, :length] if tensor.shape == whole else tensor
        for name, tensor in inputs.items()
    }
    with torch.inference_mode():
        network(**first, **{cache_argument(network): cache}, use_cache=True, logits_to_keep=1)
    ids = first["input_ids"]
    return Prefix(ids, cache, torch.full_like(ids[:, :1], length) + _rope_delta(network, ids))


def _rope_delta(network: Any, ids: torch.Tensor) -> torch.Tensor:
    """How far positions run behind the token count after two-dimensional pictures; else 0."""
    for module in network.modules():
        if (delta := getattr(module, "rope_deltas", None)) is not None:
            found: torch.Tensor = delta.to(ids)
            return found
    return ids.new_zeros((1, 1))
