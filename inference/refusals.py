"""Replies that decline, and replies that name no option on purpose.

A refusal says that the model will not answer. Saying that it cannot see or
does not know is no refusal: nothing was named, the reply is unparsed.
"""

from __future__ import annotations

import re

REFUSAL = re.compile(
    r"\b(?:I(?:'m| am)\s+(?:sorry,?\s+(?:but\s+)?)?(?:I(?:'m| am)\s+)?(?:unable|not\s+able|"
    r"not\s+allowed|not\s+permitted|not\s+qualified)\s+to|"
    r"I\s*(?:cannot|can't|can\s+not|won't|will\s+not|must\s+not|must\s+decline\s+to|"
    r"decline\s+to|refuse\s+to|am\s+not\s+going\s+to))\s+"
    r"(?:\w+\s+)?(?:help|assist|provide|answer|give|offer|interpret|diagnose|comply|analy[sz]e|"
    r"make|respond|discuss|comment|fulfil+)\b"
    r"|\bI\s+(?:must\s+)?(?:decline|refuse)\b"
    r"|\bas\s+an\s+AI\b.{0,80}?\b(?:cannot|can't|not\s+able|unable|not\s+qualified)\b"
    r"|\b(?:please\s+)?consult\s+(?:with\s+)?a(?:n|\s+(?:qualified|licensed|medical))?\s+"
    r"(?:radiologist|doctor|physician|professional|healthcare|medical|health)"
    r"|\bnot\s+(?:able|allowed|permitted|qualified)\s+to\s+(?:provide|give|offer)\s+"
    r"(?:any\s+|a\s+)?(?:medical|diagnos)",
    re.IGNORECASE | re.DOTALL,
)

UNDECIDED = re.compile(
    r"\bnone\s+of\s+(?:the|these)\b|\bneither\b|\beither\b|\bdo(?:es)?n't\s+know\b|\bdon't\s+know\b|"
    r"\bdo\s+not\s+know\b|\bnot\s+(?:sure|certain|clear|possible|determin\w+|enough|provided|"
    r"visible|answerable)\b|\bunsure\b|\buncertain\b|\bunclear\b|\bunknown\b|\bno\s+idea\b|"
    r"\b(?:cannot|can't|can\s+not|could\s+not|couldn't|unable\s+to|impossible\s+to|"
    r"not\s+able\s+to|difficult\s+to|hard\s+to)\s+(?:\w+\s+)?(?:be\s+)?(?:determine|tell|see|"
    r"recogni[sz]e|identify|say|decide|judge|assess|know|distinguish|view|access|find)\w*|"
    r"\binsufficient\b|\bnot\s+enough\b|\bundetermin\w+|\ball\s+of\s+the\s+above\b|\bn/a\b|"
    r"\bno\s+(?:image|picture)s?\b",
    re.IGNORECASE,
)


def refuses(text: str) -> bool:
    """Whether the model declines to answer."""
    return bool(REFUSAL.search(text))


def undecided(text: str) -> bool:
    """Whether the reply says that it names no single option."""
    return bool(UNDECIDED.search(text))
