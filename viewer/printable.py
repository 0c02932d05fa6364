"""Text from outside that is shown somewhere else: on a terminal, in a log, in a message.

A file name or a model's reply may hold signs that a terminal obeys (colours,
titles, a cleared screen), that turn the direction of a line around, or that
are half a character, which no encoding can write.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

SURROGATE = re.compile("[\ud800-\udfff]")
OBEYED = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters except tab, marks of direction, halves of characters."""

IN_STRINGS = re.compile(rf"(?!\n){OBEYED.pattern}")
"""The same inside a JSON document, whose own line ends are the only ones between strings."""


def whole_characters(text: str) -> str:
    """The text with the replacement character in the place of halves of characters."""
    return SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def for_terminal(line: str) -> str:
    """One line with every sign that a terminal would obey spelled out, such as \\x1b."""
    return OBEYED.sub(lambda match: _spelled(match[0]), line)


def as_text(document: Any) -> str:
    """A JSON document for people and programs, with nothing in it that a terminal obeys."""
    plain = json.dumps(document, ensure_ascii=False, indent=2)
    return IN_STRINGS.sub(lambda match: f"\\u{ord(match[0]):04x}", plain)


def name_in_words(name: str) -> str:
    """A file name as it can be written anywhere, whatever its bytes."""
    return os.fsencode(name).decode("utf-8", errors="replace")


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
