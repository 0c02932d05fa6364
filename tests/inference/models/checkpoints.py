"""Tiny random-weight checkpoints, built from the configuration classes of the real ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from inference.models.quiet import quiet_libraries
from inference.pictures import Picture, freeze, pixel_hash
from inference.prompts import Message, Prompt
from inference.training.architecture import TINY_SHAPE, new_model
from inference.training.vocabulary import new_processor, new_tokenizer

WORDS = [
    "user\nmodel\nassistant\nWhich side is it?\nA) Right side\nB) Left side\nC) Both sides",
    '{"answer": "B", "reason": "The pictures show this."} The answer is: Right Left Both',
]

QWEN_TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message['role'] }}
{% for part in message['content'] -%}
{%- if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>
{%- else %}{{ part['text'] }}
{%- endif %}
{%- endfor %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif -%}
"""


def picture(seed: int, side: int = 112) -> Picture:
    """Noise that a picture can be told by."""
    grey = np.random.default_rng(seed).integers(0, 256, (side, side, 1), dtype=np.uint8)
    pixels = freeze(np.repeat(grey, 3, axis=2))
    return Picture(
        pixels,
        f"Axial FLAIR, slice {seed}",
        "FLAIR",
        "axial",
        seed,
        (0.0, 1.0),
        "radiological",
        pixel_hash(pixels),
    )


def prompt(*pictures: Picture) -> Prompt:
    """A question with three options about these pictures."""
    parts: list[str | Picture] = ["Look."]
    for each in pictures:
        parts += [each, each.caption]
    parts.append("Which side is it?\nA) Right side\nB) Left side\nC) Both sides")
    return Prompt(
        (Message("user", tuple(parts)),),
        ("A", "B", "C"),
        ("Right side", "Left side", "Both sides"),
        (0, 1, 2),
    )


def save_gemma3(folder: Path, **generation: float | bool) -> Path:
    """Gemma 3 with a SigLIP tower, as MedGemma is; `generation` goes to its own settings."""
    tokenizer = new_tokenizer(WORDS)
    model = new_model(TINY_SHAPE, tokenizer, seed=3)
    for name, value in generation.items():
        setattr(model.generation_config, name, value)
    with quiet_libraries():
        model.save_pretrained(folder)
        new_processor(TINY_SHAPE, tokenizer).save_pretrained(folder)
    return folder


def save_qwen25_vl(folder: Path) -> Path:
    """Qwen2.5-VL, as Lingshu is."""
    import torch
    from transformers import (
        Qwen2_5_VLConfig,
        Qwen2_5_VLForConditionalGeneration,
        Qwen2_5_VLProcessor,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    tokenizer = new_tokenizer(WORDS)
    special = ["<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>"]
    special += ["<|image_pad|>", "<|video_pad|>"]
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    tokenizer.eos_token = "<|im_end|>"
    tokenizer.image_token, tokenizer.video_token = "<|image_pad|>", "<|video_pad|>"
    ids = {token: tokenizer.convert_tokens_to_ids(token) for token in special}
    torch.manual_seed(5)
    config = Qwen2_5_VLConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "max_position_embeddings": 2048,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10000.0,
                "mrope_section": [2, 3, 3],
            },
            "eos_token_id": ids["<|im_end|>"],
            "bos_token_id": None,
            "pad_token_id": tokenizer.pad_token_id,
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "out_hidden_size": 32,
            "fullatt_block_indexes": [1],
        },
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
    )
    model = Qwen2_5_VLForConditionalGeneration(config).float()
    model.generation_config.eos_token_id = ids["<|im_end|>"]
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    processor = Qwen2_5_VLProcessor(
        Qwen2VLImageProcessor(), tokenizer, Qwen2VLVideoProcessor(), chat_template=QWEN_TEMPLATE
    )
    with quiet_libraries():
        model.save_pretrained(folder)
        processor.save_pretrained(folder)
    return folder
