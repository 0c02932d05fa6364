"""Tables as CSV in which no text is ever run as a formula; `workbooks` writes XLSX.

A model's reply may begin with =, +, - or @ (CWE-1236). In CSV such a text gets
an apostrophe in front, which spreadsheets show as text; a text that begins
with one already gets another, so that `unguarded` gives every text back.
Numbers stay numbers.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from inference.workbooks import Cell, printable

RUN_AS_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""What a spreadsheet takes for the start of a formula, full-width forms included."""

GUARD = "'"


def guarded(text: str) -> str:
    """The text as a CSV cell that no spreadsheet runs."""
    return GUARD + text if text.startswith(GUARD) or _runs(text) else text


def unguarded(cell: str) -> str:
    """The text that `guarded` made the cell of."""
    return cell[1:] if cell.startswith(GUARD) else cell


def write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    """UTF-8 with a byte order mark, which Excel needs to read it as such; how many rows."""
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for row in rows:
            writer.writerow([guarded(printable(c)) if isinstance(c, str) else c for c in row])
            count += 1
    return count


def _runs(text: str) -> bool:
    """Spreadsheets skip blanks and invisible signs before they look for a formula."""
    for character in text:
        if character in RUN_AS_FORMULA:
            return True
        if not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc"):
            return False
    return False
