"""The embedded VLM's shape: a Gemma 3 small enough to train on two CPU cores.

The class is transformers' own `Gemma3ForConditionalGeneration`, so the files
load through the same code as MedGemma's. Only the numbers below are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import Gemma3Config, Gemma3ForConditionalGeneration, PreTrainedTokenizerFast


@dataclass(frozen=True)
class Shape:
    """Sizes of the two towers.

    `picture_px` is the side of a square picture, cut into `patch_px` patches;
    `picture_tokens` is what one picture costs the text tower (a square number
    that divides the patch grid). Both towers have heads 32 wide.
    """

    picture_px: int = 112
    patch_px: int = 14
    picture_tokens: int = 16
    vision_width: int = 128
    vision_layers: int = 4
    text_width: int = 128
    text_layers: int = 6

    @property
    def tokens_per_side(self) -> int:
        """Tokens along one side of a picture."""
        return isqrt(self.picture_tokens)


def shape_of(config: Gemma3Config) -> Shape:
    """The shape of a model that was exported."""
    vision, text = config.vision_config, config.text_config
    return Shape(
        vision.image_size,
        vision.patch_size,
        config.mm_tokens_per_image,
        vision.hidden_size,
        vision.num_hidden_layers,
        text.hidden_size,
        text.num_hidden_layers,
    )


DEMO_SHAPE = Shape()
TINY_SHAPE = Shape(vision_width=32, vision_layers=1, text_width=32, text_layers=2)
"""For tests and `--quick`."""

HEAD_WIDTH = 32
INITIAL_STD = 0.02
CONTEXT = 4096
"""Longest prompt in tokens; the longest representation takes about 700."""


def new_model(
    shape: Shape, tokenizer: PreTrainedTokenizerFast, seed: int
) -> Gemma3ForConditionalGeneration:
    """A model with random weights in float32. The same seed gives the same weights."""
    import torch
    from transformers import Gemma3Config, Gemma3ForConditionalGeneration

    torch.manual_seed(seed)
    ids = tokenizer.convert_tokens_to_ids
    config = Gemma3Config(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": shape.text_width,
            "intermediate_size": 3 * shape.text_width,
            "num_hidden_layers": shape.text_layers,
            "num_attention_heads": shape.text_width // HEAD_WIDTH,
            "num_key_value_heads": shape.text_width // HEAD_WIDTH,
            "head_dim": HEAD_WIDTH,
            "query_pre_attn_scalar": HEAD_WIDTH,
            "max_position_embeddings": CONTEXT,
            "sliding_window": CONTEXT,
            "sliding_window_pattern": 2,
            "pad_token_id": ids("<pad>"),
            "bos_token_id": ids("<bos>"),
            "eos_token_id": ids("<eos>"),
        },
        vision_config={
            "model_type": "siglip_vision_model",
            "hidden_size": shape.vision_width,
            "intermediate_size": 3 * shape.vision_width,
            "num_hidden_layers": shape.vision_layers,
            "num_attention_heads": shape.vision_width // HEAD_WIDTH,
            "image_size": shape.picture_px,
            "patch_size": shape.patch_px,
            "vision_use_head": False,
        },
        mm_tokens_per_image=shape.picture_tokens,
        boi_token_index=ids("<start_of_image>"),
        eoi_token_index=ids("<end_of_image>"),
        image_token_index=ids("<image_soft_token>"),
        tie_word_embeddings=True,
        dtype="float32",
    )
    model = Gemma3ForConditionalGeneration(config).float()
    # transformers leaves the projector at zero, which would hide the pictures at first.
    torch.nn.init.normal_(
        model.model.multi_modal_projector.mm_input_projection_weight, std=INITIAL_STD
    )
    model.generation_config.eos_token_id = [ids("<eos>"), ids("<end_of_turn>")]
    model.generation_config.pad_token_id = ids("<pad>")
    model.generation_config.bos_token_id = ids("<bos>")
    return model
