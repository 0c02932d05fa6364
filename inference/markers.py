"""Reading a marker ("B", "(b)", "2.", "Option C") out of a short piece of text.

A marker counts only where it stands as one: alone, with its punctuation, or
before its option's words. "A tumor …" is an article, "4.1 cm" a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inference.denials import NEAR, another_named, taken_back
from inference.option_texts import exact, named_in, without_options
from inference.orders import Order

DIGITS = "123456789"

MARKER = re.compile(
    r"""^\W*
        (?:(?:the\s+)?(?:option|choice|letter|answer|number)\s*(?:is\b|:)?\s*)?
        [*_`"'(\[{<]*
        (?P<mark>[A-Za-z]|(?<![-.,])[1-9])
        (?P<close>[*_`"'\]}>]*[).:]?[*_`"'\])}>]*)
        (?P<tail>(?:[\s,;.!/&+=-].*)?)$""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
NAMED_MARKER = re.compile(r"^[\W_]*(?:the\s+)?(?:option|choice|letter|number)\b", re.IGNORECASE)
SEVERAL = re.compile(
    r"^\W*(?:(?:and|or|and/or|as\s+well\s+as|&|\+|/|,|-|to)\s*)+(?:option\s+)?[(\[*]*[A-Za-z1-9](?![\w'.])",
    re.IGNORECASE,
)
ANOTHER = re.compile(r"(?<![\w'.])\(?([A-Z1-9])[).:](?=[\s*_]|$)")
"""A marker inside running text, as in a list of options."""

REASON = re.compile(
    r"^\W*(?:because|since|as|due|based|given|for|which|with|is|was|the|this|that|seems|appears|"
    r"from|according|i|it|there|in)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Offered:
    """The options as they were shown. `letters[p]`, `options[p]` and `order[p]` belong together."""

    options: tuple[str, ...]
    letters: tuple[str, ...]
    order: Order


@dataclass(frozen=True)
class Reading:
    """What a piece of text points at: a position by marker, a position by words, or neither."""

    marker: int | None = None
    words: int | None = None

    @property
    def position(self) -> int | None:
        """Words decide over a marker."""
        return self.marker if self.words is None else self.words

    @property
    def meant(self) -> int | None:
        """The marker before the words: in a denial, what follows may name the true answer."""
        return self.words if self.marker is None else self.marker

    @property
    def conflict(self) -> bool:
        """Whether marker and words disagree."""
        return None not in (self.marker, self.words) and self.marker != self.words


NOTHING = Reading()


def read_piece(text: str, offered: Offered, *, alone: bool = False) -> Reading:
    """Read a declared answer: marker, marker with words, or words.

    With `alone` the piece must be nothing but that: free text around the
    words does not count.
    """
    whole = exact(text, offered.options)
    match = MARKER.match(text.strip())
    marker = _position(match["mark"], offered) if match else None
    if whole is not None:
        # "2" as an option's own words is not the second option, unless it is both.
        lettered = match is not None and match["mark"] in offered.letters
        return NOTHING if lettered and marker not in (None, whole) else Reading(words=whole)
    if match and marker is not None:
        if SEVERAL.match(match["tail"]):
            return NOTHING
        reading = _with_tail(match, marker, offered, alone)
        if reading != NOTHING:
            return reading
    if alone:
        return NOTHING
    return Reading(words=_words(text, offered))


def _with_tail(match: re.Match[str], marker: int, offered: Offered, alone: bool) -> Reading:
    """A marker and what follows it; NOTHING where the marker is a mere word or number."""
    tail = match["tail"].strip()
    next_sentence = "." in match["close"] or tail[:1] in (".", "!")
    if taken_back(without_options(tail[:NEAR], offered.options), new_sentence=next_sentence):
        return NOTHING
    if not any(character.isalnum() for character in tail):
        return Reading(marker)
    words = exact(tail.lstrip(" -,;:.=(").rstrip(" )"), offered.options)
    if words is not None:
        return Reading(marker, words)
    if alone:
        return NOTHING
    closed = bool(match["close"] or NAMED_MARKER.match(match.string) or tail[0] in ",;-=(")
    digit = match["mark"] in DIGITS
    if not closed and (match["mark"].islower() or digit or not REASON.match(tail)):
        return NOTHING
    if not next_sentence and another_named(tail, match["mark"], offered.letters):
        return NOTHING
    named = named_in(tail, offered.options)
    if marker in named.occurring and marker not in named.affirmed:
        return NOTHING
    if digit and marker not in named.affirmed:
        return NOTHING
    if len(named.affirmed) > 1 and ANOTHER.search(tail):
        return NOTHING
    if not named.affirmed or marker in named.affirmed:
        return Reading(marker)
    return Reading(marker, named.only) if named.only is not None else NOTHING


def _words(text: str, offered: Offered) -> int | None:
    """The option that the text begins with ("No, it does not"), or the only one it names."""
    lead = re.match(r"[^,.;:(\n]+", text)
    if lead:
        begun = exact(lead[0], offered.options)
        if begun is not None and not named_in(text[lead.end() :], offered.options).occurring:
            return begun
    return named_in(text, offered.options).only


def _position(mark: str, offered: Offered) -> int | None:
    """The position that a marker binds: a letter that was sent, or a digit counted from 1."""
    if mark.upper() in offered.letters:
        return offered.letters.index(mark.upper())
    if mark in DIGITS and int(mark) <= len(offered.letters) and not _numeric(offered.options):
        return int(mark) - 1
    letter = ord(mark.upper()) - ord("A")
    sent_digits = offered.letters[0] in DIGITS
    return letter if sent_digits and 0 <= letter < len(offered.letters) else None


def _numeric(options: tuple[str, ...]) -> bool:
    return any(option.strip() in DIGITS for option in options)
