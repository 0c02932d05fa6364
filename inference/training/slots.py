"""Attention of a lesson without the cost of its empty parts.

Questions are packed into slots of equal length behind one prefix. Tokens of a
slot attend to the prefix and to their own question, so a layer's attention is
one block for the prefix and one for all slots, not the square of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

ATTENTION = "lesson-slots"
"""The name under which transformers knows `slot_attention`."""

ROOMS = (80, 96, 112, 144, 160, 176, 192, 224)
"""Lengths of a slot: one question of usual length to three of them."""


@dataclass(frozen=True, eq=False)
class SlotMask:
    """Who may attend to whom, for B lessons of P prefix tokens and K slots of S tokens.

    `prefix` bool (B, 1, P, P) and `slots` bool (B * K, 1, S, P + S), query by key.
    """

    prefix: torch.Tensor
    slots: torch.Tensor


def packed(lengths: Sequence[int], room: int) -> list[list[int]]:
    """Indexes of `lengths`, longest first, each in the first slot with room for it."""
    slots: list[list[int]] = []
    free: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda n: -lengths[n]):
        for place, left in enumerate(free):
            if lengths[index] <= left:
                slots[place].append(index)
                free[place] -= lengths[index]
                break
        else:
            slots.append([index])
            free.append(room - lengths[index])
    return slots


def least_room(lengths: Sequence[Sequence[int]]) -> tuple[int, list[list[list[int]]]]:
    """The slots' length, of those in `ROOMS`, that leaves least empty, and every lesson's slots."""
    longest = max((length for lesson in lengths for length in lesson), default=0)
    best: tuple[int, int, list[list[list[int]]]] | None = None
    for room in {max(room, longest) for room in ROOMS}:
        plans = [packed(lesson, room) for lesson in lengths]
        cost = max(len(plan) for plan in plans) * room
        if best is None or cost < best[0]:
            best = (cost, room, plans)
    assert best is not None
    return best[1], best[2]


def slot_attention(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: SlotMask,
    scaling: float | None = None,
    **unused: Any,
) -> tuple[torch.Tensor, None]:
    """Attention of (B, heads, P + K * S, width) under a `SlotMask`; float32 inside.

    On CPUs the backward pass of bfloat16 attention is slower than that of
    float32. Returns (B, P + K * S, heads, width), as transformers wants it.
    """
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    kind = query.dtype
    lessons, heads, _, width = query.shape
    room = attention_mask.slots.shape[2]
    start = attention_mask.prefix.shape[2]
    count = attention_mask.slots.shape[0] // lessons
    q, k, v = (each.float() for each in (query, key, value))
    with torch.autocast("cpu", enabled=False):
        first = scaled_dot_product_attention(
            q[:, :, :start],
            k[:, :, :start],
            v[:, :, :start],
            attn_mask=attention_mask.prefix,
            scale=scaling,
        )
        if count == 0:
            return first.transpose(1, 2).to(kind), None

        def by_slot(each: torch.Tensor) -> torch.Tensor:
            cut = each[:, :, start:].reshape(lessons, heads, count, room, width)
            return cut.transpose(1, 2).reshape(lessons * count, heads, room, width)

        def behind_prefix(each: torch.Tensor) -> torch.Tensor:
            before = each[:, None, :, :start].expand(-1, count, -1, -1, -1).flatten(0, 1)
            return torch.cat((before, by_slot(each)), dim=2)

        rest = scaled_dot_product_attention(
            by_slot(q),
            behind_prefix(k),
            behind_prefix(v),
            attn_mask=attention_mask.slots,
            scale=scaling,
        )
    rest = rest.reshape(lessons, count, heads, room, width).transpose(1, 2).flatten(2, 3)
    return torch.cat((first, rest), dim=2).transpose(1, 2).to(kind), None


def use_slots(model: Any) -> None:
    """Make the text tower attend by slots; saving and loading are not touched by it."""
    from transformers import AttentionInterface

    AttentionInterface.register(ATTENTION, slot_attention)
    for layer in model.model.language_model.layers:
        layer.self_attn.config._attn_implementation = ATTENTION
