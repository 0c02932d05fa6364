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
    """The prompt in the model's own turn layout, up to where its reply starts.

    `UnfitPrompt` where its words hold a special token of the model, or where the
    template does not take such turns.
    """
    check_words(prompt, processor)
    from jinja2 import TemplateError

    try:
        text: str = processor.apply_chat_template(
            chat_messages(prompt), tokenize=False, add_generation_prompt=True, **template
        )
    except TemplateError as error:
        raise _refused("chat template", error) from error
    return text


def encode(prompt: Prompt, processor: Any, begun: str = "", **template: Any) -> Any:
    """Tensors of one prompt, batch of one, with the reply already `begun`.

    The template holds the first special token already, so none is added.
    `UnfitPrompt` where the model's processor does not take it.
    """
    text = prompt_text(prompt, processor, **template) + begun
    pictures = [picture.pixels.copy() for picture in prompt.pictures]  # torch wants them writable
    try:
        return processor(
            text=[text],
            images=[pictures] if pictures else None,
            add_special_tokens=False,
            return_tensors="pt",
        )
    except ValueError as error:
        raise _refused("processor", error) from error


def check_words(prompt: Prompt, processor: Any) -> None:
    """`UnfitPrompt` where a question, an option or a caption holds a special token of the model.

    It would count as a picture, or end a turn, in the middle of the words.
    """
    words = "\n".join(
        part for message in prompt.messages for part in message.parts if isinstance(part, str)
    )
    held = _special_in(words, processor)
    if held:
        raise UnfitPrompt(
            f"Expected a question and options in words alone, but they hold {held}, by which this "
            "model marks its pictures or turns; take it out of the question file."
        )


def _special_in(words: str, processor: Any) -> str | None:
    """The first special token in `words`, as it is written; None without one."""
    placeholder = getattr(processor, "image_token", None)
    if placeholder and str(placeholder) in words:
        return str(placeholder)
    tokenizer = processor.tokenizer
    ids = tokenizer.encode(words, add_special_tokens=False)
    plain = tokenizer.decode(ids, skip_special_tokens=True)
    if plain == tokenizer.decode(ids, skip_special_tokens=False):
        return None  # told apart in one go: a vocabulary may hold thousands of them
    single = (i for i in ids if not tokenizer.decode([i], skip_special_tokens=True))
    found = (str(tokenizer.convert_ids_to_tokens(i)) for i in single)
    # What a vocabulary does not hold becomes its unknown token without being written.
    return next((token for token in found if token in words), None)


def _refused(part: str, error: Exception) -> UnfitPrompt:
    first_line = next(iter(str(error).strip().splitlines()), type(error).__name__)
    return UnfitPrompt(
        f"Expected a prompt that the model's {part} takes, but it refused this one "
        f"({first_line[:200]}); change the question's words or choose another representation."
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
