"""The part of a reply that a model marks as thinking.

MedGemma 1.5 writes it between `<unused94>` and `<unused95>`, Qwen between
`<think>` and `</think>`. The reply itself is never edited.
"""

from __future__ import annotations

MARKS = (("<unused94>", "<unused95>"), ("<think>", "</think>"))


def thinking_in(text: str) -> str | None:
    """What stands between the first pair of marks, to the end where it is cut off.

    None where there are none. A template may have opened the mark before the
    reply began, so a closing mark alone counts from the start.
    """
    for opening, closing in MARKS:
        if opening not in text and closing not in text:
            continue
        start = text.find(opening)
        begin = start + len(opening) if start >= 0 else 0
        end = text.find(closing, begin)
        return text[begin : end if end >= 0 else len(text)].strip()
    return None
