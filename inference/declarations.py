"""Where a reply says outright what its answer is.

Each finder gives every declaration of its form with the place where it ends;
the last one in the reply wins, whatever its form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from inference.denials import NEAR, taken_back, unsettled

KEYS = ("final_answer", "answer", "choice")
WORDS_KEYS = ("option", "text", "answer_text", "choice_text", "answer_option")
"""Keys under which a JSON reply repeats the option's words."""

MOST = 200
"""Opening braces that are tried, from the end: the last object is the one that counts."""

CUT_JSON = re.compile(
    r"""["'](?:final_answer|answer|choice)["']\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,"'{}\[\]]+))""",
    re.IGNORECASE,
)
BOXED = re.compile(r"\\boxed\s*\{\s*(?:\\text(?:bf)?\s*\{)?([^{}]*)\}")
TAGGED = re.compile(r"<(answer|final_answer)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)

ADJECTIVES = r"(?:(?:final|correct|right|best|likely|probable|most\s+likely|my|single|chosen)\s+)*"
LABELLED = re.compile(
    rf"(?:^|(?<=[\s*_#>.\"'(\[]))(?:the\s+)?{ADJECTIVES}(?:answer|antwort|choice|option\s+chosen)"
    r"[ \t*_`\"']*(?:\([^)\n]*\)[ \t*_]*)?(?::|=|->|=>|→)(?=(?P<content>[^\n]*))",
    re.IGNORECASE,
)
HEADED = re.compile(
    rf"^[ \t#*_>]*{ADJECTIVES}answer[ \t*_:]*$\n+(?P<content>[^\n]+)", re.IGNORECASE | re.MULTILINE
)
STATED = re.compile(
    rf"\b(?:{ADJECTIVES}(?:answer|choice)(?:\s+(?:to|for)\s+(?:the|this)\s+\w+)?|"
    r"(?:correct|right|best)\s+option)\s+"
    r"(?:is|would\s+be|should\s+be|must\s+be|will\s+be)\b(?:\s+(?:therefore|thus|clearly|likely|"
    r"most\s+likely|probably|definitely|option(?=\s+\w\b)))*[ \t]*:?(?=(?P<content>[^\n]*))",
    re.IGNORECASE,
)
CHOSEN = re.compile(
    r"\bI(?:'d|'ll)?\s+(?:would\s+|will\s+|therefore\s+|must\s+)*(?:choose|select|pick|answer|"
    r"go\s+with)\b[ \t]*:?(?=(?P<content>[^\n]*))",
    re.IGNORECASE,
)
VERDICT = re.compile(
    r"(?<![\w'])(?:(?:option|choice)\s+)?\(?(?P<content>(?-i:[A-Z]))\)?\s+is\s+(?:the\s+)?(?:most\s+)?"
    r"(?:correct|right|best|likely)(?:\s+(?:answer|option|choice|one))?"
    r"(?=\s*(?:[.,;!]|$|because\b|since\b|as\b))",
    re.IGNORECASE | re.MULTILINE,
)
LAST_WORD = re.compile(
    r"(?:\b(?:it(?:'s|\s+is|\s+must\s+be)|I\s+(?:think|believe|say)|therefore|thus|hence|so)[,:]?\s+"
    r"(?:option\s+)?|(?<=[A-Za-z][A-Za-z0-9][.!?]\s))\**\(?(?P<content>(?-i:[A-Z]))(?=[\s.!*)]*$)",
    re.IGNORECASE | re.MULTILINE,
)
ABOUT_ITS_REASON = re.compile(
    r"^\W*(?:based|supported|consistent|derived|because|that|explained|determined|given)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Declaration:
    """`content` is what was declared, `words` the option's words where they came apart from it.

    `end` is its place in the text; `closed` whether something follows or the
    form itself says that it is complete, so that a cut-off reply can still be
    read; `denied` whether what stands before takes its meaning away.
    """

    content: str
    start: int
    end: int
    closed: bool
    words: str | None = None
    denied: bool = False


def json_declarations(text: str) -> Iterator[Declaration]:
    """Objects with a key of `KEYS`, then the same keys in JSON that breaks off or is not quite."""
    taken: list[tuple[int, int]] = []
    for start, end, value in _objects(text):
        folded = {key.casefold(): entry for key, entry in value.items()}
        key = next((key for key in KEYS if key in folded), None)
        if key is not None:
            taken.append((start, end))
            words = next((folded[k] for k in WORDS_KEYS if isinstance(folded.get(k), str)), None)
            yield Declaration(_as_text(folded[key]), start, end, True, words)
    for match in CUT_JSON.finditer(text):
        if not any(start <= match.start() < end for start, end in taken):
            closing = text.find("}", match.end())
            end = len(text) if closing < 0 else closing + 1
            quoted = match[3] is None
            content = match[1] or match[2] or match[3] or ""
            closed = quoted or bool(text[match.end() :].strip())
            yield Declaration(content, match.start(), end, closed)


def boxed_declarations(text: str) -> Iterator[Declaration]:
    r"""`\boxed{B}`, `\boxed{\text{B}}`."""
    for match in BOXED.finditer(text):
        yield Declaration(match[1], match.start(), match.end(), True)


def tagged_declarations(text: str) -> Iterator[Declaration]:
    """`<answer>B</answer>`."""
    for match in TAGGED.finditer(text):
        yield Declaration(match[2], match.start(), match.end(), True)


def spoken_declarations(text: str) -> Iterator[Declaration]:
    """ "Answer: B", "The correct answer is (B)", "I would choose B", a heading and its line."""
    structured = [(found.start, found.end) for found in json_declarations(text)]
    for pattern in (LABELLED, HEADED, STATED, CHOSEN):
        for match in pattern.finditer(text):
            content, end = match["content"], match.end("content")
            if not content.strip(" *_`\"'"):
                content, end = _next_line(text, end)
            inside = any(start <= match.start() < stop for start, stop in structured)
            if not inside and not ABOUT_ITS_REASON.match(content):
                if denied := unsettled(text, match.start()):
                    content = content[:NEAR]  # what was denied stands at its beginning
                closed = bool(text[end:].strip())
                yield Declaration(content, match.start(), end, closed, denied=denied)
    yield from _bare_declarations(text)


def _bare_declarations(text: str) -> Iterator[Declaration]:
    """ "B is correct", "Therefore, B": hardly more than the letter."""
    for pattern in (VERDICT, LAST_WORD):
        for match in pattern.finditer(text):
            denied = unsettled(text, match.start())
            behind = text[match.end() : match.end() + NEAR].partition("\n")[0].casefold()
            unclear = unsettled(text, match.start(), bare=True) or taken_back(
                behind, new_sentence=behind.lstrip()[:1] in (".", "!")
            )
            if denied or not unclear:
                yield Declaration(match["content"], match.start(), match.end(), True, denied=denied)


FINDERS: tuple[tuple[str, Callable[[str], Iterator[Declaration]]], ...] = (
    ("json", json_declarations),
    ("boxed", boxed_declarations),
    ("answer tag", tagged_declarations),
    ("declaration", spoken_declarations),
)


def _objects(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    decoder = json.JSONDecoder()
    for start in [place for place, character in enumerate(text) if character == "{"][-MOST:]:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield start, end, value


def _as_text(value: Any) -> str:
    """What a JSON value declares; several values declare nothing."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)


def _next_line(text: str, end: int) -> tuple[str, int]:
    rest = text[end:]
    line = rest.lstrip().split("\n", 1)[0]
    return line, end + rest.find(line) + len(line) if line else end
