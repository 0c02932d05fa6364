"""Options inside a question's own text: stem, then `1) …` to `n) …`.

The options are the last run of consecutive markers 1..n outside brackets, so
that "(grade 4)", "10)" and a stem that itself holds "Grade 1) …" are text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from viewer.outside_json import parsed

MARKER = re.compile(r"(?:^|(?<=\s))(\d{1,2})\)(?=\s|$)")
LINE_START = re.compile(r"^[^\S\n]*", re.MULTILINE)
BRACKETS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Marker:
    """`number`) at `start`; the option's text begins at `end`. `leads` its line or stands in it."""

    number: int
    start: int
    end: int
    leads: bool


def split_options(text: str) -> tuple[str, tuple[str, ...]]:
    """(stem, options). Without a run of at least two markers the whole text is the stem."""
    run = option_run(text)
    if not run:
        return text.strip(), ()
    ends = [marker.start for marker in run[1:]] + [len(text)]
    options = tuple(
        _one_line(text[marker.end : end]) for marker, end in zip(run, ends, strict=True)
    )
    return text[: run[0].start].strip(), options


SEPARATOR = " | "


def options_cell(options: Sequence[str]) -> str:
    """The options in one cell of a table: parted by " | ", or a JSON list where that part none."""
    plain = SEPARATOR.join(options)
    return plain if options_of(plain) == tuple(options) else json.dumps(options, ensure_ascii=False)


def options_of(cell: str) -> tuple[str, ...]:
    """The options in a cell that `options_cell` made."""
    return json_options(cell) or tuple(cell.split(SEPARATOR))


def json_options(cell: str) -> tuple[str, ...]:
    """The options of a cell that holds a JSON list of texts; empty where it holds none."""
    if not cell.lstrip().startswith("["):
        return ()
    try:
        found = parsed(cell)
    except ValueError:
        return ()
    texts = isinstance(found, list) and all(isinstance(option, str) for option in found)
    return tuple(found) if texts else ()


def option_run(text: str) -> list[Marker]:
    """The markers of the options: those that lead their lines where such a run exists."""
    markers = _markers(text)
    return _last_run([m for m in markers if m.leads]) or _last_run(markers)


def _markers(text: str) -> list[Marker]:
    depth = _depths(text)
    first_signs = {match.end() for match in LINE_START.finditer(text)}
    return [
        Marker(int(match[1]), match.start(1), match.end(), leads=match.start(1) in first_signs)
        for match in MARKER.finditer(text)
        if depth[match.start(1)] == 0
    ]


def _last_run(markers: list[Marker]) -> list[Marker]:
    second = max((n for n, marker in enumerate(markers) if marker.number == 2), default=0)
    first = max((n for n, marker in enumerate(markers[:second]) if marker.number == 1), default=-1)
    if first < 0:
        return []
    run = [markers[first]]
    for marker in markers[first + 1 :]:
        if marker.number == len(run) + 1:
            run.append(marker)
    return run


def _depths(text: str) -> list[int]:
    """How many brackets are open before each character; a line end closes what was forgotten."""
    depths, open_brackets = [], 0
    for character in text:
        depths.append(open_brackets)
        if character in BRACKETS:
            open_brackets += 1
        elif character in BRACKETS.values():
            open_brackets = max(0, open_brackets - 1)
        elif character == "\n":
            open_brackets = 0
    return depths


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
