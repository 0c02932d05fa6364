"""What is minimised: the replies, and two things asked of the layers on the way.

The helpers are linear heads that are thrown away after training. One reads
from every patch of the vision tower how much of it each tumor region covers;
one reads from the text tower, after every option, whether it is the right one.
Without the second, binding a shuffled option's letter is learnt very late.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from inference.training.architecture import Shape
from inference.training.batches import Batch

if TYPE_CHECKING:
    from transformers import Gemma3ForConditionalGeneration

REGIONS = 3
PATCH_WEIGHT, OPTION_WEIGHT = 1.0, 3.0


@dataclass(frozen=True)
class Losses:
    """The sum that is minimised, and its parts as plain numbers."""

    total: torch.Tensor
    reply: float
    patches: float
    options: float


class Helpers(nn.Module):
    """The two heads that only training has."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.layer = max(1, shape.text_layers - 2)
        self.patches = nn.Linear(shape.vision_width, REGIONS)
        self.option_norm = nn.LayerNorm(shape.text_width)
        self.option = nn.Linear(shape.text_width, 1)

    def patch_loss(self, tower: torch.Tensor, patches: torch.Tensor) -> torch.Tensor:
        """Cross-entropy with the share of each patch that each region covers.

        `tower` (N, rows * columns, width), `patches` (N, regions, rows, columns).
        """
        wanted = patches.flatten(2).transpose(1, 2)
        return binary_cross_entropy_with_logits(self.patches(tower), wanted)

    def option_loss(self, hidden: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """Cross-entropy of "this option is right"; `hidden` (n, width) at each option's end."""
        return binary_cross_entropy_with_logits(self.option(self.option_norm(hidden))[:, 0], right)


def losses(model: Gemma3ForConditionalGeneration, helpers: Helpers, batch: Batch) -> Losses:
    """All losses of one batch."""
    output = forward(model, batch)
    hidden = output.last_hidden_state[batch.rows, batch.columns]
    each = cross_entropy(model.lm_head(hidden).float(), batch.targets, reduction="none")
    # Every branch counts about one, whatever it holds.
    reply = (each * batch.weights).sum() / batch.weights.sum()
    zero = torch.zeros(())
    patches, options = zero, zero
    if batch.pixels is not None and batch.patches is not None:
        patches = helpers.patch_loss(output.image_outputs.last_hidden_state, batch.patches)
    if len(batch.option_right):
        at = output.hidden_states[helpers.layer][batch.option_rows, batch.option_columns]
        options = helpers.option_loss(at, batch.option_right)
    total = reply + PATCH_WEIGHT * patches + OPTION_WEIGHT * options
    return Losses(total, float(reply.detach()), float(patches.detach()), float(options.detach()))


def picture_losses(
    model: Gemma3ForConditionalGeneration,
    helpers: Helpers,
    pixels: torch.Tensor,
    patches: torch.Tensor,
) -> Losses:
    """The vision tower alone: no text is run, which makes these steps cheap."""
    tower = model.model.vision_tower(pixel_values=pixels).last_hidden_state
    loss = helpers.patch_loss(tower, patches)
    return Losses(loss, 0.0, float(loss.detach()), 0.0)


def forward(model: Gemma3ForConditionalGeneration, batch: Batch) -> Any:
    """The network's output with hidden states; the model must attend by slots (`use_slots`)."""
    mask = {"full_attention": batch.mask, "sliding_attention": batch.mask}
    return model.model(
        input_ids=batch.ids,
        pixel_values=batch.pixels,
        attention_mask=mask,
        position_ids=batch.positions,
        use_cache=False,
        output_hidden_states=True,
    )
