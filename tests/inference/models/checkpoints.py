"""Tiny random-weight checkpoints, built from the configuration classes of the real ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def prompt(
    *pictures: Picture, stem: str = "Which side is it?", order: tuple[int, ...] = (0, 1, 2)
) -> Prompt:
    """A question with three options about these pictures."""
    options = tuple(("Right side", "Left side", "Both sides")[index] for index in order)
    lines = [f"{letter}) {option}" for letter, option in zip("ABC", options, strict=True)]
    parts: list[str | Picture] = ["Look."]
    for each in pictures:
        parts += [each, each.caption]
    parts.append("\n".join([stem, *lines]))
    return Prompt(
        (Message("user", tuple(parts)),),
        ("A", "B", "C"),
        options,
        order,
        stem=stem,
    )


def save_gemma3(
    folder: Path, *, sliding_window: int | None = None, **generation: float | bool
) -> Path:
    """Gemma 3 with a SigLIP tower, as MedGemma is; `generation` goes to its own settings."""
    tokenizer = new_tokenizer(WORDS)
    model = new_model(TINY_SHAPE, tokenizer, seed=3)
    if sliding_window:
        model.config.text_config.sliding_window = sliding_window
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


LLAVA_TEMPLATE = """\
{%- for message in messages -%}
{{ message['role'] }}
{% for part in message['content'] -%}
{%- if part['type'] == 'image' %}<image>
{% else %}{{ part['text'] }}
{% endif %}
{%- endfor %}
{%- endfor -%}
{%- if add_generation_prompt %}assistant
{% endif -%}
"""


LLAVA_COUNTS = {
    "patch_size": 28,
    "vision_feature_select_strategy": "default",
    "num_additional_image_tokens": 1,
}
"""How many tokens a picture takes."""


def save_llava(folder: Path, *, bare: bool = False) -> Path:
    """LLaVA with a CLIP tower and a Mistral, as LLaVA-Med's port is.

    `bare` leaves out of its processor what older ports lack.
    """
    import torch
    from transformers import (
        CLIPImageProcessor,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    tokenizer = new_tokenizer(WORDS)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    tokenizer.image_token = "<image>"
    torch.manual_seed(17)
    config = LlavaConfig(
        vision_config={
            "model_type": "clip_vision_model",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 112,
            "patch_size": 28,
        },
        text_config=_text_shape("mistral", len(tokenizer), tokenizer),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
    )
    model = LlavaForConditionalGeneration(config).float()
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    sides = {"height": 112, "width": 112}
    processor = LlavaProcessor(
        CLIPImageProcessor(size={"shortest_edge": 112}, crop_size=sides),
        tokenizer,
        **({} if bare else LLAVA_COUNTS),
        chat_template=None if bare else LLAVA_TEMPLATE,
    )
    if bare:
        tokenizer.chat_template = None
    with quiet_libraries():
        model.save_pretrained(folder)
        processor.save_pretrained(folder)
    return folder


def _text_shape(kind: str, vocabulary: int, tokenizer: Any) -> dict[str, Any]:
    return {
        "model_type": kind,
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "max_position_embeddings": 2048,
        "eos_token_id": tokenizer.eos_token_id,
        "bos_token_id": tokenizer.bos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }


TEXT_TEMPLATE = """\
{%- for message in messages -%}
{{ message['role'] }}
{{ message['content'] }}
{% endfor -%}
{%- if add_generation_prompt %}assistant
{% if enable_thinking is defined and not enable_thinking %}<think>

</think>

{% endif %}
{%- endif -%}
"""


def save_text_llm(folder: Path) -> Path:
    """Qwen 3, as the text-only row is."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    tokenizer = new_tokenizer(WORDS)
    tokenizer.chat_template = TEXT_TEMPLATE
    torch.manual_seed(11)
    shape = _text_shape("qwen3", len(tokenizer), tokenizer)
    model = Qwen3ForCausalLM(Qwen3Config(**{**shape, "model_type": "qwen3"})).float()
    with quiet_libraries():
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return folder


def save_siglip(folder: Path, longest: int = 64) -> Path:
    """SigLIP, as MedSigLIP is."""
    import torch
    from transformers import SiglipConfig, SiglipImageProcessor, SiglipModel, SiglipProcessor

    tokenizer = new_tokenizer(WORDS)
    torch.manual_seed(13)
    tower = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    config = SiglipConfig(
        text_config={
            **tower,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": longest,
            "projection_size": 32,
            "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={**tower, "image_size": 56, "patch_size": 28},
    )
    processor = SiglipProcessor(SiglipImageProcessor(size={"height": 56, "width": 56}), tokenizer)
    with quiet_libraries():
        SiglipModel(config).float().save_pretrained(folder)
        processor.save_pretrained(folder)
    return folder


def save_clip(folder: Path) -> Path:
    """CLIP, whose texts end at 77 tokens."""
    import torch
    from tokenizers.processors import TemplateProcessing
    from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPProcessor

    tokenizer = new_tokenizer(WORDS)
    ends = [(token, tokenizer.convert_tokens_to_ids(token)) for token in _ends(tokenizer)]
    # CLIP reads a text where it ends, so its tokenizer has to say where.
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"{ends[0][0]} $A {ends[1][0]}", special_tokens=ends
    )
    torch.manual_seed(19)
    tower = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "projection_dim": 32,
    }
    config = CLIPConfig(
        text_config={
            **tower,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": 77,
            "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={**tower, "image_size": 56, "patch_size": 28},
        projection_dim=32,
    )
    sides = {"height": 56, "width": 56}
    processor = CLIPProcessor(
        CLIPImageProcessor(size={"shortest_edge": 56}, crop_size=sides), tokenizer
    )
    with quiet_libraries():
        CLIPModel(config).float().save_pretrained(folder)
        processor.save_pretrained(folder)
    return folder


def _ends(tokenizer: Any) -> tuple[str, str]:
    return str(tokenizer.bos_token), str(tokenizer.eos_token)
