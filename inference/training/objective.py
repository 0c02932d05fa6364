"""What is minimised: the replies, and what is asked of the layers on the way.

Where a picture's token enters the text tower a linear head reads which parts of
it each tumor region covers. Half-way up the text tower others read the study's
facts, and the answers to the questions with fixed options, after every picture.
Further up one and the same head reads what an option says, from the letter
behind it, and what the answer will say, where a letter is about to be said: to
find the one by the other is what is left to do. Before the last layer the facts
and how well an option answers are read from its letter too. The heads are
thrown away after training. Everything teaches both towers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, mse_loss

from inference.training.architecture import Shape
from inference.training.batches import FINE, Batch, Marks, Targets
from inference.training.exercises import MEANINGS
from inference.training.looking import ANSWERS, Reader, answers_loss
from inference.training.statements import FACTS

if TYPE_CHECKING:
    from transformers import Gemma3ForConditionalGeneration

Hidden = tuple[torch.Tensor, ...]
"""After the embedding and after every layer of the text tower, (B, L, width) each."""

WEIGHTS = {
    "reply": 0.5,
    "letter": 1.0,
    "option": 1.0,
    "meaning": 0.3,
    "answer": 1.0,
    "fetched": 1.0,
    "facts": 1.0,
    "told": 2.0,
    "shares": 10.0,
    "looked": 1.0,
    "answers": 1.0,
}

REGION_WEIGHTS = (0.5, 1.0, 2.0)
"""Of whole tumor, core and enhancing tumor: the smaller, the more a miss counts."""


@dataclass(frozen=True)
class Losses:
    """What is minimised, its parts as plain numbers, and letters (right, said) by kind."""

    total: torch.Tensor
    parts: dict[str, float]
    right: dict[str, int] = field(default_factory=dict)
    said: dict[str, int] = field(default_factory=dict)


class Helpers(nn.Module):
    """The heads that only training has."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.layer = max(1, shape.text_layers - 1)
        self.naming = max(1, shape.text_layers - 2)
        self.half_way = (shape.text_layers + 1) // 2
        self.reader = Reader(shape)
        self.shares = nn.Linear(shape.text_width, len(REGION_WEIGHTS) * FINE * FINE)
        self.facts = _head(shape, FACTS)
        self.told = _head(shape, ANSWERS)
        self.meaning = _head(shape, MEANINGS)
        self.fetched = _head(shape, FACTS)
        self.option = _head(shape, 1)

    def shares_loss(self, pictures: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
        """Cross-entropy with the share of each part; `pictures` (N, tokens, width)."""
        weights = torch.tensor(REGION_WEIGHTS).repeat_interleave(FINE * FINE)
        return binary_cross_entropy_with_logits(self.shares(pictures).float(), shares, weights)

    def option_loss(self, hidden: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
        """Cross-entropy of the options (n, options, width) with which is right (n, options)."""
        scores = self.option(hidden)[..., 0].float()
        told = scores.masked_fill(shares < 0, -1e4).log_softmax(-1)
        loss: torch.Tensor = -(told * shares.clamp(min=0)).sum(-1).mean()
        return loss


def _head(shape: Shape, wide: int) -> nn.Module:
    return nn.Sequential(nn.LayerNorm(shape.text_width), nn.Linear(shape.text_width, wide))


def losses(model: Gemma3ForConditionalGeneration, helpers: Helpers, batch: Batch) -> Losses:
    """All losses of one batch."""
    output, pictures = forward(model, batch)
    hidden, targets = output.hidden_states, batch.targets
    parts: dict[str, torch.Tensor] = {}
    right: list[str] = []
    if len(targets.rows):
        logits = model.lm_head(output.last_hidden_state[targets.rows, targets.columns]).float()
        each = cross_entropy(logits, targets.ids, reduction="none")
        rest = targets.weights.masked_fill(targets.letters, 0.0)
        parts["reply"] = (each * rest).sum() / rest.sum()
        parts["letter"] = each[targets.letters].mean()
        hits = (logits.argmax(-1) == targets.ids)[targets.letters].tolist()
        right = [kind for kind, hit in zip(targets.kinds, hits, strict=True) if hit]
        parts |= _of_answers(helpers, hidden, targets)
    if len(batch.marks.rows):
        parts |= _of_marks(helpers, hidden, batch.marks)
    if len(batch.after_rows):
        at = hidden[helpers.half_way][batch.after_rows, batch.after_columns]
        parts["facts"] = mse_loss(helpers.facts(at).float(), batch.facts)
        if batch.looks is not None:
            parts["told"] = answers_loss(helpers.told(at).float(), batch.looks.of(batch.after_rows))
    if pictures is not None:
        parts |= _of_pictures(helpers, pictures, batch)
    return _summed(parts, right, targets.kinds)


def look_losses(model: Gemma3ForConditionalGeneration, helpers: Helpers, batch: Batch) -> Losses:
    """Those of the vision tower and the projector alone; the text tower does not run."""
    assert batch.pixels is not None
    pictures = embedded_pictures(model, batch.pixels)
    return _summed(_of_pictures(helpers, pictures, batch), [], ())


def _of_pictures(helpers: Helpers, pictures: torch.Tensor, batch: Batch) -> dict[str, torch.Tensor]:
    parts = {}
    if batch.shares is not None:
        parts["shares"] = helpers.shares_loss(pictures, batch.shares)
    if batch.looks is not None:
        facts, answers = helpers.reader(pictures, batch.looks)
        parts["looked"] = mse_loss(facts, batch.looks.facts)
        parts["answers"] = answers_loss(answers, batch.looks)
    return parts


def _summed(parts: dict[str, torch.Tensor], right: Sequence[str], kinds: Sequence[str]) -> Losses:
    total = torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()
    said = {name: float(part.detach()) for name, part in parts.items()}
    return Losses(total, said, dict(Counter(right)), dict(Counter(kinds)))


def _of_answers(helpers: Helpers, hidden: Hidden, targets: Targets) -> dict[str, torch.Tensor]:
    known = targets.answers >= 0
    if not known.any():
        return {}
    rows, columns = targets.rows[targets.letters][known], targets.columns[targets.letters][known]
    named = helpers.meaning(hidden[helpers.naming][rows, columns]).float()
    return {"answer": cross_entropy(named, targets.answers[known])}


def _of_marks(helpers: Helpers, hidden: Hidden, marks: Marks) -> dict[str, torch.Tensor]:
    places = marks.rows[:, None], marks.columns
    early, late = hidden[helpers.naming][places], hidden[helpers.layer][places]
    there = marks.shares >= 0
    parts = {
        "meaning": cross_entropy(helpers.meaning(early[there]).float(), marks.meanings[there]),
        "option": helpers.option_loss(late, marks.shares),
    }
    known = there & ~marks.facts[:, :1].isnan()
    if known.any():
        wanted = marks.facts[:, None].expand(-1, late.shape[1], -1)[known]
        parts["fetched"] = mse_loss(helpers.fetched(late[known]).float(), wanted)
    return parts


def forward(model: Gemma3ForConditionalGeneration, batch: Batch) -> tuple[Any, torch.Tensor | None]:
    """The text tower's output with hidden states, and the pictures (N, tokens, width) it saw.

    The model must attend by slots (`use_slots`).
    """
    embedded = model.get_input_embeddings()(batch.ids)
    pictures = None
    if batch.pixels is not None:
        pictures = embedded_pictures(model, batch.pixels)
        here = (batch.ids == model.config.image_token_index)[:, :, None]
        embedded = embedded.masked_scatter(here, pictures.to(embedded.dtype))
    output = model.model.language_model(
        inputs_embeds=embedded,
        attention_mask={"full_attention": batch.mask, "sliding_attention": batch.mask},
        position_ids=batch.positions,
        use_cache=False,
        output_hidden_states=True,
    )
    return output, pictures


def embedded_pictures(model: Gemma3ForConditionalGeneration, pixels: torch.Tensor) -> torch.Tensor:
    """Pictures (N, 3, side, side) as the tokens (N, tokens, width) that the text tower sees."""
    tower = model.model.vision_tower(pixel_values=pixels).last_hidden_state
    tokens: torch.Tensor = model.model.multi_modal_projector(tower)
    return tokens
