"""What is sent to a server: a prompt as the OpenAI chat API takes it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from itertools import groupby
from typing import Any

from inference.models.entries import Kind, ModelEntry
from inference.models.protocol import GenerationSettings
from inference.models.volume_requests import volume_messages
from inference.picture_files import png_bytes
from inference.pictures import Picture
from inference.prompts import Message, Prompt

Json = dict[str, Any]

TOP_LOGPROBS = 20
"""The most that vLLM and OpenAI give for one token."""


def data_url(picture: Picture) -> str:
    """The picture's PNG inside a URL, without loss."""
    return "data:image/png;base64," + base64.b64encode(png_bytes(picture)).decode("ascii")


def chat_messages(prompt: Prompt) -> list[Json]:
    """The prompt's turns; texts that follow each other are one part, a line each."""
    return [{"role": message.role, "content": _content(message)} for message in prompt.messages]


def _content(message: Message) -> list[Json] | str:
    content: list[Json] = []
    for is_text, parts in groupby(message.parts, key=lambda part: isinstance(part, str)):
        if is_text:
            content.append({"type": "text", "text": "\n".join(str(part) for part in parts)})
        else:
            content += [
                {"type": "image_url", "image_url": {"url": data_url(part)}}
                for part in parts
                if isinstance(part, Picture)
            ]
    words_only = [part["text"] for part in content if part["type"] == "text"]
    return words_only[0] if len(content) == len(words_only) == 1 else content


MESSAGES: dict[Kind, Callable[[Prompt], list[Json]]] = {
    "server": chat_messages,
    "volume-server": volume_messages,
}
"""Kind -> how its pictures travel."""


def generation_request(entry: ModelEntry, prompt: Prompt, settings: GenerationSettings) -> Json:
    """A free reply, streamed. Temperature 0 is greedy."""
    body = {
        "model": entry.source,
        "messages": MESSAGES[entry.kind](prompt),
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
        "seed": settings.seed,
        "stream": True,
    }
    if settings.thinking is not None:  # as vLLM and SGLang take it
        body["chat_template_kwargs"] = {"enable_thinking": settings.thinking}
    return body


def scoring_request(entry: ModelEntry, prompt: Prompt) -> Json:
    """One token after the answer's start, with the likeliest tokens in its place.

    The start is a turn of the model's own that it continues (vLLM, SGLang).
    """
    begun = {"role": "assistant", "content": prompt.answer_start}
    return {
        "model": entry.source,
        "messages": [*MESSAGES[entry.kind](prompt), begun],
        "temperature": 0.0,
        "max_tokens": 1,
        "logprobs": True,
        "top_logprobs": TOP_LOGPROBS,
        "continue_final_message": True,
        "add_generation_prompt": False,
    }
