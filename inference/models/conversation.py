"""From a `Prompt` to what a processor and a network take.

Uses the processor's own chat template, and adds nothing to it but the start
of the answer where one is being scored.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from inference.models.errors import UnfitPrompt
from inference.prompts import Message, Prompt


def chat_messages(prompt: Prompt) -> list[dict[str, Any]]:
    """Messages as chat templates read them; pictures stand as placeholders.

    Texts that follow each other become one part, a line each: templates trim
    every part, which would glue the last caption to the question.
    """
    return [{"role": m.role, "content": _content(m)} for m in prompt.messages]


def _content(message: Message) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for is_text, parts in groupby(message.parts, key=lambda part: isinstance(part, str)):
        if is_text:
            content.append({"type": "text", "text": "\n".join(str(part) for part in parts)})
        else:
            content += [{"type": "image"} for _ in parts]
    return content


def prompt_text(prompt: Prompt, processor: Any, **template: Any) -> str:
    """The prompt in the model's own turn layout, up to where its reply starts."""
    text: str = processor.apply_chat_template(
        chat_messages(prompt), tokenize=False, add_generation_prompt=True, **template
    )
    return text


def encode(prompt: Prompt, processor: Any, begun: str = "", **template: Any) -> Any:
    """Tensors of one prompt, batch of one, with the reply already `begun`.

    The template holds the first special token already, so none is added.
    """
    text = prompt_text(prompt, processor, **template) + begun
    pictures = [picture.pixels.copy() for picture in prompt.pictures]  # torch wants them writable
    return processor(
        text=[text],
        images=[pictures] if pictures else None,
        add_special_tokens=False,
        return_tensors="pt",
    )


def check_fits(prompt: Prompt, max_pictures: int, name: str) -> None:
    """`UnfitPrompt` where the prompt holds more pictures than the model takes."""
    count = len(prompt.pictures)
    if count > max_pictures:
        raise UnfitPrompt(
            f"Expected at most {max_pictures} pictures for {name}, got {count}; "
            "choose a montage or fewer slices."
        )


def check_length(tokens: int, context: int | None, name: str) -> None:
    """`UnfitPrompt` where the encoded prompt is longer than the model's context."""
    if context is not None and tokens > context:
        raise UnfitPrompt(
            f"Expected at most {context} tokens for {name}, got {tokens}; "
            "choose a montage or fewer slices."
        )
