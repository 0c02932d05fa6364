"""Thinking is shown apart, whole or cut off (A13); the text itself stays raw."""

from __future__ import annotations

import pytest

from inference.reply_text import split_thinking


@pytest.mark.parametrize(
    ("text", "thinking"),
    [
        ("<unused94>thought\nA looks likely<unused95>The answer is C", "thought\nA looks likely"),
        ("<unused94>thought\nOption A looks", "thought\nOption A looks"),
        ("<think>B?</think>C", "B?"),
        ("so B?</think>C", "so B?"),
        ("C", None),
        ("", None),
    ],
)
def test_marks(text: str, thinking: str | None) -> None:
    assert split_thinking(text).thinking == thinking
