"""Tables as CSV and XLSX in which no text is ever run as a formula.

A model's reply may begin with =, +, - or @ (CWE-1236). In CSV such a text gets
an apostrophe in front, which spreadsheets show as text; a text that begins
with one already gets another, so that `unguarded` gives every text back. XLSX
has a type for text and needs no sign. Numbers stay numbers in both.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

Cell = str | int | float | bool | None

RUN_AS_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""What a spreadsheet takes for the start of a formula, full-width forms included."""

GUARD = "'"
CELL_LIMIT = 32_767
"""Most characters of an Excel cell."""

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Not allowed in XML, and no use in a cell; the JSON export keeps them."""


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
            writer.writerow([guarded(_printable(c)) if isinstance(c, str) else c for c in row])
            count += 1
    return count


def write_xlsx(path: Path, names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    """One sheet with its first row fixed and filters on; how many rows."""
    import xlsxwriter

    count = 0
    with xlsxwriter.Workbook(str(path), {"constant_memory": True}) as book:
        sheet = book.add_worksheet("records")
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, names, book.add_format({"bold": True}))
        for count, row in enumerate(rows, start=1):
            for column, cell in enumerate(row):
                if isinstance(cell, bool):
                    sheet.write_boolean(count, column, cell)
                elif isinstance(cell, str):
                    text = _printable(cell).replace("\r\n", "\n").replace("\r", "\n")
                    sheet.write_string(count, column, text[:CELL_LIMIT])
                elif cell is not None:
                    sheet.write_number(count, column, cell)
        sheet.autofilter(0, 0, count, len(names) - 1)
    return count


def _runs(text: str) -> bool:
    """Spreadsheets skip blanks and invisible signs before they look for a formula."""
    for character in text:
        if character in RUN_AS_FORMULA:
            return True
        if not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc"):
            return False
    return False


def _printable(text: str) -> str:
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
