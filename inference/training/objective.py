"""What is minimised: the replies, and three things asked of the layers on the way.

From every patch of the vision tower a linear head reads how much of it each
tumor region covers. From the text tower, two layers before the end, another
reads after every option whether it is the right one; and where a letter is
about to be said, the model's own output layer must already name the option's
words there. So the answer is found in words first, and the last layers only
turn it into its letter: learnt in one go, a shuffled letter stays at chance
for very long. The heads are thrown away after training.
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
PATCH_WEIGHT, OPTION_WEIGHT, WORDS_WEIGHT = 1.0, 0.5, 0.5


@dataclass(frozen=True)
class Losses:
    """The sum that is minimised, and its parts as plain numbers."""

    total: torch.Tensor
    reply: float
    patches: float
    options: float
    words: float = 0.0


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
    words = zero
    if len(batch.start_rows):
        at = output.hidden_states[helpers.layer][batch.start_rows, batch.start_columns]
        early = model.lm_head(model.model.language_model.norm(at)).float().log_softmax(-1)
        words = -(early * batch.telling).sum(-1).mean()
    total = reply + PATCH_WEIGHT * patches + OPTION_WEIGHT * options + WORDS_WEIGHT * words
    parts = (float(part.detach()) for part in (reply, patches, options, words))
    return Losses(total, *parts)


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
