"""What is minimised: the replies, and four things asked of the layers on the way.

From every patch of the vision tower a linear head reads how much of it each
tumor region covers. Half-way up the text tower another reads the study's facts
after every picture. Two layers before the end a third reads after every option
whether it is the right one; and where a letter is
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
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, mse_loss

from inference.training.architecture import Shape
from inference.training.batches import Batch
from inference.training.lessons import LETTER
from inference.training.statements import FACTS

if TYPE_CHECKING:
    from transformers import Gemma3ForConditionalGeneration

REGIONS = 3
REPLY_WEIGHT, LETTER_WEIGHT, FACTS_WEIGHT, OPTION_WEIGHT, WORDS_WEIGHT = 0.5, 1.0, 2.0, 0.5, 0.5


@dataclass(frozen=True)
class Losses:
    """What is minimised, and its parts as plain numbers.

    `total` teaches every layer. `letters` is None, or teaches the layers after
    `Helpers.layer` alone: while letters are guessed they would only shake the
    layers below, which are to find the answer in words first.
    """

    total: torch.Tensor
    letters: torch.Tensor | None = None
    reply: float = 0.0
    letter: float = 0.0
    patches: float = 0.0
    options: float = 0.0
    words: float = 0.0
    facts: float = 0.0


class Helpers(nn.Module):
    """The heads that only training has."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.layer = max(1, shape.text_layers - 2)
        self.half_way = max(1, shape.text_layers // 2)
        self.patches = nn.Linear(shape.vision_width, REGIONS)
        self.facts_norm = nn.LayerNorm(shape.text_width)
        self.facts = nn.Linear(shape.text_width, FACTS)
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
    """All losses of one batch. The vision tower is not taught by it (see `picture_losses`)."""
    output = forward(model, batch)
    hidden = output.last_hidden_state[batch.rows, batch.columns]
    each = cross_entropy(model.lm_head(hidden).float(), batch.targets, reduction="none")
    is_letter = batch.weights == LETTER
    said = torch.where(is_letter, 0.0, batch.weights)
    reply = (each * said).sum() / said.sum().clamp(min=1e-6)
    letter = (each * is_letter).sum() / is_letter.sum().clamp(min=1)
    options, words, facts = torch.zeros(()), torch.zeros(()), torch.zeros(())
    if len(batch.option_right):
        at = output.hidden_states[helpers.layer][batch.option_rows, batch.option_columns]
        options = helpers.option_loss(at, batch.option_right)
    if len(batch.start_rows):
        at = output.hidden_states[helpers.layer][batch.start_rows, batch.start_columns]
        early = model.lm_head(model.model.language_model.norm(at)).float().log_softmax(-1)
        words = -(early * batch.telling).sum(-1).mean()
    if len(batch.after_rows):
        at = output.hidden_states[helpers.half_way][batch.after_rows, batch.after_columns]
        facts = mse_loss(helpers.facts(helpers.facts_norm(at)).float(), batch.facts)
    total = (
        REPLY_WEIGHT * reply + FACTS_WEIGHT * facts + OPTION_WEIGHT * options + WORDS_WEIGHT * words
    )
    parts = (reply, letter, torch.zeros(()), options, words, facts)
    return Losses(total, LETTER_WEIGHT * letter, *(float(part.detach()) for part in parts))


def forward(model: Gemma3ForConditionalGeneration, batch: Batch) -> Any:
    """The text tower's output with hidden states; it must attend by slots (`use_slots`)."""
    embedded = model.get_input_embeddings()(batch.ids)
    if batch.pixels is not None:
        with torch.no_grad():
            tower = model.model.vision_tower(pixel_values=batch.pixels).last_hidden_state
        pictures = model.model.multi_modal_projector(tower)
        here = (batch.ids == model.config.image_token_index)[:, :, None]
        embedded = embedded.masked_scatter(here, pictures.to(embedded.dtype))
    return model.model.language_model(
        inputs_embeds=embedded,
        attention_mask={"full_attention": batch.mask, "sliding_attention": batch.mask},
        position_ids=batch.positions,
        use_cache=False,
        output_hidden_states=True,
    )


def picture_losses(
    model: Gemma3ForConditionalGeneration,
    helpers: Helpers,
    pixels: torch.Tensor,
    patches: torch.Tensor,
) -> Losses:
    """The vision tower alone: no text is run, which makes these steps cheap.

    It is taught by nothing else: gradients that come through a text tower that
    still guesses drown the small, sure ones of the patches.
    """
    tower = model.model.vision_tower(pixel_values=pixels).last_hidden_state
    loss = helpers.patch_loss(tower, patches)
    return Losses(loss, patches=float(loss.detach()))
