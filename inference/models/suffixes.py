"""Rows of words behind one encoded prefix, run through the network in batches.

Rows are padded on the right: a token's place in the cache is then its place in
the sequence, which sliding attention windows count by. A padding token comes
after every real one, so no real token sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inference.models.prefixes import Prefix, cache_argument

if TYPE_CHECKING:
    import torch

BATCH_BYTES = 1 << 30
"""Most memory that a batch's repeated keys and values, or its logits, may take."""

MOST_ROWS = 32


@dataclass(frozen=True, eq=False)
class Suffix:
    """Token ids after `prefix` (None: from the start); the last `keep` logits are wanted."""

    prefix: Prefix | None
    ids: tuple[int, ...]
    keep: int = 1

    @property
    def offset(self) -> int:
        """Tokens before it."""
        return self.prefix.length if self.prefix else 0


def suffix_logits(network: Any, suffixes: Sequence[Suffix]) -> list[torch.Tensor]:
    """One tensor (keep, vocabulary) a suffix, in float32. All share one prefix."""
    by_length = sorted(range(len(suffixes)), key=lambda place: len(suffixes[place].ids))
    found: dict[int, torch.Tensor] = {}
    for places in _batches(network, suffixes, by_length):
        batch = [suffixes[place] for place in places]
        found |= zip(places, _batch_logits(network, batch), strict=True)
    return [found[place] for place in range(len(suffixes))]


def _batches(network: Any, suffixes: Sequence[Suffix], order: Sequence[int]) -> Iterator[list[int]]:
    """`order` cut into stretches that fit into memory; rows of like lengths stay together."""
    prefix = suffixes[0].prefix
    a_row = prefix.bytes if prefix else 1
    a_token = 4 * network.config.get_text_config().vocab_size
    batch: list[int] = []
    for place in order:
        rows = [suffixes[i] for i in (*batch, place)]
        memory = len(rows) * (a_row + a_token * len(_ends(rows)))
        if batch and (memory > BATCH_BYTES or len(rows) > MOST_ROWS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _ends(suffixes: Sequence[Suffix]) -> list[int]:
    """Places whose logits some row wants, ascending."""
    wanted = {len(s.ids) - back for s in suffixes for back in range(1, s.keep + 1)}
    return sorted(wanted)


def _batch_logits(network: Any, batch: Sequence[Suffix]) -> list[torch.Tensor]:
    import torch

    prefix, device = batch[0].prefix, network.device
    width = max(len(suffix.ids) for suffix in batch)
    # Padding is masked, so any id will do that the vocabulary holds.
    ids = torch.zeros((len(batch), width), dtype=torch.long, device=device)
    mask = torch.zeros((len(batch), batch[0].offset + width), dtype=torch.long, device=device)
    for row, suffix in enumerate(batch):
        ids[row, : len(suffix.ids)] = torch.tensor(suffix.ids, device=device)
        mask[row, : suffix.offset + len(suffix.ids)] = 1
    positions = torch.arange(width, device=device)[None].expand(len(batch), -1)
    inputs: dict[str, Any] = {"use_cache": False}
    if prefix:
        positions = positions + prefix.next_position
        inputs = {cache_argument(network): prefix.fork(len(batch)), "use_cache": True}
    ends = _ends(batch)
    with torch.inference_mode():
        logits = network(
            input_ids=ids,
            attention_mask=mask,
            position_ids=positions,
            logits_to_keep=torch.tensor(ends, device=device),
            **inputs,
        ).logits.float()
    place = {end: column for column, end in enumerate(ends)}
    return [
        logits[row, [place[len(s.ids) - back] for back in range(s.keep, 0, -1)]]
        for row, s in enumerate(batch)
    ]
