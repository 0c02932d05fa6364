"""Reading an answer out of a reply, or saying why there is none.

Rules are tried in the order of `RULES`; the one that fired is recorded. A
reply is never guessed at: two options that fit are none, and a marker means
nothing but what the order that was sent bound it to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from inference.declarations import FINDERS, Declaration
from inference.denials import announced_as_wrong
from inference.markers import ANOTHER, NOTHING, Offered, Reading, read_piece
from inference.option_texts import exact, named_in, without_options
from inference.refusals import refuses, undecided
from inference.replies import Finish
from inference.reply_text import readable, says_nothing, split_thinking

Status = Literal["answered", "unparsed", "conflict", "refused", "no answer", "unfinished", "error"]


@dataclass(frozen=True)
class Answer:
    """`index` and `text` name the option in the original order, both None where none is named.

    `rule` is the row that decided. In a conflict `index` is the option whose
    words were given and `marker_index` the one that the marker meant.
    """

    index: int | None
    text: str | None
    status: Status
    rule: str
    marker_index: int | None = None


@dataclass(frozen=True)
class Finding:
    """What a rule found: an option, or a status without one. None from a rule: the next one."""

    reading: Reading = NOTHING
    status: Status = "answered"
    rule: str | None = None


@dataclass(frozen=True)
class Said:
    """A reply ready for the rules: what was said, and whether it broke off."""

    text: str
    unfinished_thought: bool
    cut: bool


LEADING = re.compile(
    r"^[\s*_\"']*(?:[Oo]ption\s+)?\(?[A-Z](?:[).:]+[*_]*\s|\s+(?:because|since|due|as)\b)"
)
REJECTED = re.compile(
    r"^\W*(?:(?:it|this|that)\s+)?(?:is|was|seems|can be|has been|does|would be)?\s*"
    r"(?:n't|not|no|unlikely|less likely|excluded|ruled out|incorrect|wrong|false|implausible)\b",
    re.IGNORECASE,
)
"""What right behind a marker says that it is not the answer ("A) Left: unlikely")."""

Rule = Callable[[Said, Offered], Finding | None]


def parse(raw: str, offered: Offered, finish: Finish = "stop") -> Answer:
    """The answer in `raw`; `finish` is how the reply ended."""
    if finish == "error":
        return Answer(None, None, "error", "error")
    spoken = split_thinking(raw)
    said = Said(readable(spoken.said), spoken.unfinished, finish in ("length", "cancelled"))
    for name, rule in RULES:
        finding = rule(said, offered)
        if finding is not None:
            if rule is not _declared and finding.reading.position in _denied(said, offered):
                finding = Finding(status="unparsed")
            return _answer(finding, finding.rule or name, offered)
    raise AssertionError("the last rule always fires")


def _thought_cut_off(said: Said, offered: Offered) -> Finding | None:
    return Finding(status="unfinished") if said.unfinished_thought else None


def _empty(said: Said, offered: Offered) -> Finding | None:
    if not says_nothing(said.text):
        return None
    return Finding(status="unfinished" if said.cut else "no answer")


def _declared(said: Said, offered: Offered) -> Finding | None:
    """The last declaration; one that names no option decides that none was named."""
    denied: set[int | None] = set()
    for name, declaration in _from_the_last(said.text):
        if said.cut and not declaration.closed:
            return Finding(status="unfinished", rule="cut off")
        reading = _read(declaration, offered)
        if declaration.denied:
            denied.add(reading.meant)
        elif reading != NOTHING:
            taken_back = reading.position in denied
            return (
                Finding(status="unparsed", rule=name) if taken_back else Finding(reading, rule=name)
            )
        elif name != "declaration" or _binding(said.text, declaration, offered):
            return Finding(status="unparsed", rule=name)
    return None


def _from_the_last(text: str) -> list[tuple[str, Declaration]]:
    """Every declaration with its form; at one place the form that stands first in `FINDERS`."""
    found = [
        (declaration.start, -rank, name, declaration)
        for rank, (name, find) in enumerate(FINDERS)
        for declaration in find(text)
    ]
    ordered = sorted(found, key=lambda entry: entry[:2], reverse=True)
    return [(name, declaration) for _, _, name, declaration in ordered]


def _denied(said: Said, offered: Offered) -> set[int]:
    """Positions that the reply declares under a denial ("I doubt that the answer is B")."""
    found = [declared for _, declared in _from_the_last(said.text) if declared.denied]
    positions = {_read(declaration, offered).meant for declaration in found}
    return {position for position in positions if position is not None}


def _read(declaration: Declaration, offered: Offered) -> Reading:
    content = declaration.content
    reading = read_piece(content, offered)
    if reading == NOTHING or undecided(without_options(content, offered.options)):
        return NOTHING
    if declaration.words and reading.words is None:
        return Reading(reading.marker, named_in(declaration.words, offered.options).only)
    return reading


def _binding(text: str, declaration: Declaration, offered: Offered) -> bool:
    """Whether a declaration without an option means that there is none ("Answer: unclear")."""
    labelled = re.match(r"[^\n]{0,40}?(?::|=|->|→)", text[declaration.start :])
    denies = re.search(r"\b(?:not|no|or|and)\b|n't\b", declaration.content, re.IGNORECASE)
    return bool(labelled or denies or undecided(declaration.content))


def _cut_off(said: Said, offered: Offered) -> Finding | None:
    return Finding(status="unfinished") if said.cut else None


def _lone(said: Said, offered: Offered) -> Finding | None:
    """The whole text is a marker, a marker with its words, or one option's words."""
    if "\n" in said.text:
        return None
    reading = read_piece(said.text, offered, alone=True)
    return None if reading == NOTHING else Finding(reading)


def _own_line(said: Said, offered: Offered) -> Finding | None:
    """Exactly one line is nothing but a marker or an option's words."""
    lines = [line for line in said.text.splitlines() if line.strip()]
    readings = {read_piece(line, offered, alone=True) for line in lines} - {NOTHING}
    if any(announced_as_wrong(line) for line in lines):
        return None
    if len({reading.position for reading in readings}) > 1:
        return Finding(status="unparsed")
    if len(lines) < 2 or len(readings) != 1:
        return None
    reading = readings.pop()
    rest = named_in(said.text, offered.options).affirmed
    if rest and reading.position not in rest:
        return Finding(Reading(reading.marker, rest[0])) if len(rest) == 1 else None
    return Finding(reading)


def _leading(said: Said, offered: Offered) -> Finding | None:
    """The reply begins with "B. …" or "No, …" and goes on to explain itself."""
    start = LEADING.match(said.text)
    if start and len(set(ANOTHER.findall(said.text))) <= 1:
        tail = without_options(said.text[start.end() :], offered.options)
        if REJECTED.match(tail):
            return None
        return _unless_undecided(read_piece(said.text, offered), said, offered)
    return _unless_undecided(Reading(words=_leading_words(said.text, offered)), said, offered)


def _leading_words(text: str, offered: Offered) -> int | None:
    """The option that the reply begins with, where it names no other and does not take it back."""
    lead = re.match(r"^[^,.;:\n]+(?=[,.;:\n])", text)
    words = exact(lead[0], offered.options) if lead else None
    if lead is None or words is None:
        return None
    named = named_in(text, offered.options)
    denied = words in named.occurring and words not in named.affirmed
    others = set(named.affirmed) - {words}
    return None if denied or others else words


def _unless_undecided(reading: Reading, said: Said, offered: Offered) -> Finding | None:
    rest = without_options(said.text, offered.options)
    return None if reading == NOTHING or undecided(rest) or refuses(rest) else Finding(reading)


def _declined(said: Said, offered: Offered) -> Finding | None:
    return Finding(status="refused") if refuses(said.text) else None


def _undecided(said: Said, offered: Offered) -> Finding | None:
    rest = without_options(said.text, offered.options)
    return Finding(status="unparsed") if undecided(rest) else None


def _contained(said: Said, offered: Offered) -> Finding | None:
    words = named_in(said.text, offered.options).only
    return None if words is None else Finding(Reading(words=words))


def _nothing_found(said: Said, offered: Offered) -> Finding | None:
    return Finding(status="unparsed")


RULES: tuple[tuple[str, Rule], ...] = (
    ("thought cut off", _thought_cut_off),
    ("empty", _empty),
    ("declared", _declared),
    ("cut off", _cut_off),
    ("lone marker or option", _lone),
    ("own line", _own_line),
    ("leading marker or option", _leading),
    ("refusal", _declined),
    ("undecided", _undecided),
    ("option text contained", _contained),
    ("nothing found", _nothing_found),
)
"""Tried from first to last. A declaration is recorded under its own form: json,
boxed, answer tag or declaration."""


def _answer(finding: Finding, rule: str, offered: Offered) -> Answer:
    position = finding.reading.position
    if position is None:
        status = "unparsed" if finding.status == "answered" else finding.status
        return Answer(None, None, status, rule)
    index = offered.order[position]
    text = offered.options[position]
    if not finding.reading.conflict:
        return Answer(index, text, "answered", rule)
    assert finding.reading.marker is not None
    return Answer(index, text, "conflict", rule, offered.order[finding.reading.marker])
