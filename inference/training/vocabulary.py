"""The embedded VLM's own tokenizer, chat template and processor.

Byte-level BPE over the question vocabulary: a word of the questions is one
token, and any other text still encodes, byte by byte if need be. Special
tokens and turn layout are those of Gemma 3, so that one code path serves all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from inference.training.architecture import Shape

if TYPE_CHECKING:
    from transformers import Gemma3Processor, PreTrainedTokenizerFast

SPECIAL_TOKENS = (
    "<pad>",
    "<eos>",
    "<bos>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<start_of_image>",
    "<end_of_image>",
    "<image_soft_token>",
)
"""Gemma 3's names; the ids are their places here."""

WORD_PATTERN = r" ?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+|\s+"
"""Letters take the blank before them, numbers do not: 6 is one token wherever it stands."""

LARGEST_VOCABULARY = 4096

CHAT_TEMPLATE = """\
{{ bos_token }}
{%- for message in messages -%}
<start_of_turn>{{ 'model' if message['role'] == 'assistant' else 'user' }}
{% if message['content'] is string %}{{ message['content'] | trim }}
{%- else %}
{%- for part in message['content'] -%}
{%- if part['type'] == 'image' %}{{ '<start_of_image>' }}
{%- elif part['type'] == 'text' %}{{ part['text'] | trim }}
{%- endif %}
{%- endfor %}
{%- endif %}<end_of_turn>
{% endfor -%}
{%- if add_generation_prompt -%}
<start_of_turn>model
{% endif -%}
"""
"""Turns as Gemma 3 lays them out; written for this project."""


def new_tokenizer(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """A tokenizer whose words are those of `texts`; deterministic in their order."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORD_PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=LARGEST_VOCABULARY,
        special_tokens=list(SPECIAL_TOKENS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    bpe.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        bos_token="<bos>",
        eos_token="<eos>",
        pad_token="<pad>",
        padding_side="left",
        clean_up_tokenization_spaces=False,
        extra_special_tokens={
            "boi_token": "<start_of_image>",
            "eoi_token": "<end_of_image>",
            "image_token": "<image_soft_token>",
            "start_of_turn_token": "<start_of_turn>",
            "end_of_turn_token": "<end_of_turn>",
        },
    )


def new_processor(shape: Shape, tokenizer: PreTrainedTokenizerFast) -> Gemma3Processor:
    """Tokenizer, chat template and picture scaling (uint8 to -1..1) in one."""
    from transformers import Gemma3ImageProcessor, Gemma3Processor

    side = shape.picture_px
    return Gemma3Processor(
        image_processor=Gemma3ImageProcessor(
            size={"height": side, "width": side},
            image_mean=[0.5] * 3,
            image_std=[0.5] * 3,
            do_pan_and_scan=False,
        ),
        tokenizer=tokenizer,
        chat_template=CHAT_TEMPLATE,
        image_seq_length=shape.picture_tokens,
    )
