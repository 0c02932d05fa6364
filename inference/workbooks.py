"""Rows as the XML of an Excel sheet, written straight into the workbook.

XlsxWriter makes the workbook around them: its style, its filters, its fixed
first row. Only the cells, of which there are millions, do not pass through it:
that is what makes 100,000 records a matter of seconds. No cell is ever a
formula; text is `inlineStr` (ECMA-376, part 1, 18.3.1.4 and 18.18.11).
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

Cell = str | int | float | bool | None

CELL_LIMIT = 32_767
"""Most characters of an Excel cell, in UTF-16 code units."""

SHEET = "xl/worksheets/sheet1.xml"
FASTEST = 1
"""zlib's level: a tenth larger than the default, in a third of the time."""

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Not allowed in XML, and no use in a cell; the JSON export keeps them."""

LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9a-fA-F]{4}_)")
"""Excel reads _xHHHH_ as a character; an underscore that is meant is written _x005F_."""


def write_xlsx(path: Path, names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    """A workbook of one sheet, its first row fixed and filters on; how many rows."""
    with TemporaryFile("w+", encoding="utf-8", newline="\n", dir=path.parent) as body:
        count = _write_rows(body, [_column(n) for n in range(len(names))], rows)
        body.seek(0)
        _fill(path, _frame(names, count), body, f"A1:{_column(len(names) - 1)}{count + 1}")
    return count


def printable(text: str) -> str:
    """The text with a replacement character for what no cell can hold."""
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _write_rows(body: IO[str], columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    count = 0
    for count, row in enumerate(rows, start=1):
        place = count + 1
        cells = [
            _cell(f'<c r="{column}{place}"', cell)
            for column, cell in zip(columns, row, strict=True)
            if cell is not None
        ]
        body.write(f'<row r="{place}">{"".join(cells)}</row>')
    return count


def _cell(begun: str, cell: str | int | float | bool) -> str:
    if isinstance(cell, str):
        text = cell if cell.isprintable() and "_x" not in cell else _rare(cell)
        if len(text) > CELL_LIMIT // 2:
            text = _shortened(text)
        kept = escape(text, quote=False)
        return f'{begun} t="inlineStr"><is><t xml:space="preserve">{kept}</t></is></c>'
    if isinstance(cell, bool):
        return f'{begun} t="b"><v>{int(cell)}</v></c>'
    return f"{begun}><v>{cell!r}</v></c>"


def _rare(text: str) -> str:
    lines = printable(text).replace("\r\n", "\n").replace("\r", "\n")
    return LIKE_AN_ESCAPE.sub("_x005F_", lines)


def _shortened(text: str) -> str:
    units = text.encode("utf-16-le")[: 2 * CELL_LIMIT]
    return units.decode("utf-16-le", errors="ignore")


def _frame(names: Sequence[str], count: int) -> io.BytesIO:
    """The workbook with its first row alone, its filters over all of them."""
    import xlsxwriter

    made = io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        sheet = book.add_worksheet("records")
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, names, book.add_format({"bold": True}))
        sheet.autofilter(0, 0, count, len(names) - 1)
    made.seek(0)
    return made


def _fill(path: Path, frame: IO[bytes], body: IO[str], reach: str) -> None:
    """The frame with the rows of `body` behind its first row; `reach` is all that is filled."""
    with (
        ZipFile(frame) as empty,
        ZipFile(path, "w", ZIP_DEFLATED, compresslevel=FASTEST) as book,
    ):
        for part in empty.infolist():
            if part.filename != SHEET:
                book.writestr(part.filename, empty.read(part))
        head, end, tail = empty.read(SHEET).decode("utf-8").partition("</sheetData>")
        head = re.sub(r'<dimension ref="[^"]*"', f'<dimension ref="{reach}"', head)
        with book.open(SHEET, "w", force_zip64=True) as entry:
            sheet = io.TextIOWrapper(entry, encoding="utf-8", newline="\n")
            sheet.write(head)
            shutil.copyfileobj(body, sheet, 1 << 20)
            sheet.write(end + tail)
            sheet.flush()
            sheet.detach()


def _column(number: int) -> str:
    """The letters of a column counted from 0."""
    letters = ""
    while number >= 0:
        number, place = number // 26 - 1, number % 26
        letters = chr(ord("A") + place) + letters
    return letters
