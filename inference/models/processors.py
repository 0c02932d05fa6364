"""What a processor may lack that its network needs to be asked.

Older ports of LLaVA were saved without a chat template and without the numbers
that say how many tokens a picture takes; the network's configuration knows them.
"""

from __future__ import annotations

from typing import Any

from inference.models.entries import ModelEntry
from inference.models.errors import ModelUnavailable

CLASS_TOKEN = 1
"""CLIP's towers put one token before those of the patches."""


def completed(entry: ModelEntry, processor: Any, config: Any) -> Any:
    """The processor (or tokenizer) with what was missing; `ModelUnavailable` without a template.

    The row's own template serves only where the files hold none.
    """
    if getattr(processor, "patch_size", 0) is None:
        processor.patch_size = config.vision_config.patch_size
        processor.num_additional_image_tokens = CLASS_TOKEN
    if getattr(processor, "vision_feature_select_strategy", "") is None:
        processor.vision_feature_select_strategy = config.vision_feature_select_strategy
    if not _has_template(processor):
        if not entry.chat_template:
            raise ModelUnavailable(
                f"Expected a chat template with {entry.source}, found none, so nobody knows how it "
                "is asked; choose an instruction-tuned model, or add chat_template.jinja to its "
                "folder."
            )
        processor.chat_template = entry.chat_template
    return processor


def _has_template(processor: Any) -> bool:
    if getattr(processor, "chat_template", None):
        return True
    own = getattr(getattr(processor, "tokenizer", None), "chat_template", None)
    if own:
        processor.chat_template = own
    return bool(own)
