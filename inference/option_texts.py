"""Finding options by their own words.

Only whole words count, a longer option hides a shorter one inside it ("Left"
in "Left frontal"), and an option that is denied does not count. Where two
fit, none does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from inference.reply_text import QUOTES

TOO_SHORT = 3
"""Options of so few letters ("Yes", "No") are words of any sentence, so they
must stand alone, never merely occur."""

DENIED_BEFORE = re.compile(
    r"\b(?:not|no|never|without|neither|nor|cannot|rather than|instead of|other than|except|"
    r"excludes?|excluding|excluded|rules? out|ruled out|ruling out|unlikely|whether|if|unless|"
    r"against|lacks?|absence of|negative for|wrong|incorrect|doubt|doubts|doubtful|hardly|"
    r"improbable|implausible|impossible|unclear|unsure|uncertain|(?<!at )least|less likely)\b"
    r"[^.;:!?]*$|n't\b[^.;:!?]*$|"
    r"\b(?:unlikely|least likely|wrong|incorrect|excluded|ruled out)\b[^.;:!?]{0,20}:[^.;:!?]*$",
    re.IGNORECASE,
)
DENIED_AFTER = re.compile(
    r"^(?:[^.,;!?]{0,40}?|,\s+(?:which|though|although|but|and|however)\b[^.;!?]{0,40}?)"
    r"(?:n't\b|\b(?:not|would|unlikely|excluded|ruled out|incorrect|wrong|false|absent|"
    r"less likely|improbable|implausible)\b)",
    re.IGNORECASE,
)
NEAR = 200
"""Characters behind an option's words in which a denial can begin and end."""

CLAUSE_BREAK = re.compile(
    r",\s+(?:but|it|rather|so)\b|\bbut\b|\binstead,|\b(?:rather than|instead of|other than)[^,]*,"
)
"""What ends a denial: "not the left, but the right"."""

SENTENCE = re.compile(r"(?<=[.!?\n])")


@dataclass(frozen=True)
class Named:
    """Positions whose words occur undenied, and those that occur at all."""

    affirmed: tuple[int, ...]
    occurring: tuple[int, ...]

    @property
    def only(self) -> int | None:
        """The single affirmed position, or None."""
        return self.affirmed[0] if len(self.affirmed) == 1 else None


def plain(text: str) -> str:
    """Lower case, single spaces, no markdown, no quotes, no closing punctuation."""
    text = unicodedata.normalize("NFKC", text).translate(QUOTES).casefold()
    text = re.sub(r"[*_`\"]", "", text).replace("%", " percent")
    return re.sub(r"\s+", " ", text).strip().rstrip(".,;:!").strip()


def exact(text: str, options: Sequence[str]) -> int | None:
    """The position whose words `text` is; None for none and for several."""
    wanted = plain(text)
    equal = [position for position, option in enumerate(options) if plain(option) == wanted]
    return equal[0] if len(equal) == 1 and wanted else None


def named_in(text: str, options: Sequence[str]) -> Named:
    """Which options `text` names by their words; questions in it name nothing."""
    statement = "".join(part for part in SENTENCE.split(_sentences(text)) if part[-1:] != "?")
    spans = _outermost(
        [
            (match.start(), match.end(), position)
            for position, option in enumerate(options)
            if len(plain(option)) > TOO_SHORT
            for match in re.finditer(_whole_words(plain(option)), statement)
        ]
    )
    affirmed = {where for start, end, where in spans if not _denied(statement, start, end)}
    return Named(tuple(sorted(affirmed)), tuple(sorted({where for _, _, where in spans})))


def without_options(text: str, options: Sequence[str]) -> str:
    """`text` in plain form with every option's words taken out."""
    rest = _sentences(text)
    for option in sorted(options, key=len, reverse=True):
        if plain(option):
            rest = re.sub(_whole_words(plain(option)), " ", rest)
    return rest


def _sentences(text: str) -> str:
    """Plain form that keeps line ends, as the ends of sentences that they are."""
    return "\n".join(plain(line) + "." for line in text.splitlines())


def _whole_words(words: str) -> str:
    """A decimal point and a hyphen belong to their word: 4.1 is not in 14.1, nor 5 in 2.5."""
    return rf"(?<![\w-])(?<!\d[.,]){re.escape(words)}(?![\w-])(?![.,]\d)"


def _outermost(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Spans that lie in no longer one. Sorted, a longer one around a span stands before it."""
    kept: list[tuple[int, int, int]] = []
    widest = (-1, -1)
    for start, end, where in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end > widest[1] or (start, end) == widest:
            kept.append((start, end, where))
            widest = (start, end)
    return kept


def _denied(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 80) : start].rpartition("\n")[2]
    before = CLAUSE_BREAK.split(before)[-1]
    after = text[end : end + NEAR].partition("\n")[0]
    return bool(DENIED_BEFORE.search(before) or DENIED_AFTER.match(after))
