"""What is left of a reply for reading: no thinking, no fences, no padding.

The raw text stays as it is in the `Reply`; these are copies made for parsing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

THINKING = (
    ("<unused94>", "<unused95>"),  # MedGemma 1.5
    ("<think>", "</think>"),  # Qwen3
    ("<thinking>", "</thinking>"),
)
"""How models mark their thinking: opening, closing."""

SPECIAL = re.compile(
    r"<(?:pad|eos|bos|unk|s|/s|start_of_turn|end_of_turn|unused\d+)>|<\|[a-z_]+\|>|\[PAD\]",
    re.IGNORECASE,
)
"""Tokens that say nothing: padding, ends of turns, unused places of the vocabulary."""

FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", re.MULTILINE)
INLINE_FENCE = re.compile(r"```(?:json)?|~~~")
QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-"})


@dataclass(frozen=True)
class Spoken:
    """A reply in two parts. `unfinished` where a thought was opened and never closed."""

    thinking: str | None
    said: str
    unfinished: bool


def split_thinking(raw: str) -> Spoken:
    """The thinking (None where there is none) and what was said after it.

    A closing mark without an opening one closes a thought that the chat
    template opened. A thought that is not closed leaves nothing said.
    """
    said, thoughts = raw, []
    for opening, closing in THINKING:
        *inside, said = said.split(closing)
        thoughts += [part.replace(opening, "") for part in inside]
        if opening in said:
            before, _, open_thought = said.partition(opening)
            return Spoken("\n".join([*thoughts, open_thought]).strip(), before, True)
    return Spoken("\n".join(thoughts).strip() if thoughts else None, said, False)


def readable(said: str) -> str:
    """`said` without special tokens and fences, Unicode and quotes in one form."""
    text = unicodedata.normalize("NFKC", SPECIAL.sub(" ", said)).translate(QUOTES)
    return INLINE_FENCE.sub(" ", FENCE.sub("", text)).strip()


def says_nothing(text: str) -> bool:
    """Whether there is no letter and no digit in it."""
    return not any(character.isalnum() for character in text)
