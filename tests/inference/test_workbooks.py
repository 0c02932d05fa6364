from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from inference.workbooks import CELL_LIMIT, Cell, write_xlsx


def cells(path: Path) -> list[tuple[object, ...]]:
    return list(load_workbook(path).active.iter_rows(min_row=2, values_only=True))


def test_texts_numbers_and_gaps_come_back(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [
        ["=1+1", -1.5, True, None, "é/中 😀"],
        [None, 3, False, "a\r\nb\rc", " <b>&\"'"],
        ["\x00x\x0b", 1e-12, None, "", "tab\there"],
    ]
    path = tmp_path / "t.xlsx"
    assert write_xlsx(path, ["a", "b", "c", "d", "e"], rows) == 3
    assert cells(path) == [
        ("=1+1", -1.5, True, None, "é/中 😀"),
        (None, 3, False, "a\nb\nc", " <b>&\"'"),
        ("�x�", 1e-12, None, "", "tab\there"),
    ]
    sheet = load_workbook(path).active
    assert sheet.dimensions == sheet.auto_filter.ref == "A1:E4"
    assert sheet.freeze_panes == "A2"
    assert sheet["A1"].font.bold
    assert {cell.data_type for row in sheet["A2:A4"] for cell in row} <= {"s", "n"}
    assert [row[0].value for row in load_workbook(path, read_only=True).active] == [
        "a", "=1+1", None, "�x�",
    ]  # fmt: skip


def test_a_table_without_rows_is_one(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    assert write_xlsx(path, ["a"] * 30, []) == 0
    assert load_workbook(path).active.dimensions == "A1:AD1"


def test_what_looks_like_an_escape_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    write_xlsx(path, ["a"], [["_x0041_ is no A"]])
    with ZipFile(path) as book:
        assert b"_x005F_x0041_ is no A" in book.read("xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("sign", ["a", "😀"])
def test_no_cell_is_longer_than_excel_takes(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "t.xlsx"
    write_xlsx(path, ["a"], [[sign * 40_000]])
    ((text,),) = cells(path)
    assert isinstance(text, str)
    assert CELL_LIMIT - 1 <= len(text.encode("utf-16-le")) // 2 <= CELL_LIMIT


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=20), min_size=1, max_size=4))
def test_any_text_gives_a_workbook(texts: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.xlsx"
        write_xlsx(path, ["a"], [[text] for text in texts])
        assert len(cells(path)) == len(texts)
