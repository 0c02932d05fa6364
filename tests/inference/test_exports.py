from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from inference.ask import send
from inference.errors import UnfitFile
from inference.exports import export_records
from inference.filters import RecordFilter
from inference.importing import read_answers
from inference.models.fake import FakeModel
from inference.record_store import RecordStore
from inference.reviews import Review, save_review
from inference.spreadsheets import guarded, unguarded, write_csv
from inference.workbooks import write_xlsx
from tests.inference.made_records import made
from tests.inference.test_ask import prepared
from viewer.errors import UnwritableFile

DANGEROUS = (
    '=HYPERLINK("http://x","A")', "+1", "-Infinity", "@SUM(A1)", "\t=1", "\r=1", "\u200b=1+1",
    "  =1", "＝1", "\ufeff=1", "'=1",
)  # fmt: skip
HARMLESS = ('a\nb, "c"', "é/中", "B", "a=b", "")


@pytest.mark.parametrize("text", [*DANGEROUS, *HARMLESS])
def test_no_cell_of_a_csv_is_a_formula_and_every_text_comes_back(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_csv(path, ["text", "number"], [[text, -1.5]])
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with path.open(encoding="utf-8-sig", newline="") as file:
        _, (cell, number) = csv.reader(file)
    assert number == "-1.5"
    assert unguarded(cell) == text
    assert cell.startswith("'") == (text in DANGEROUS)


@given(st.text())
def test_the_guard_can_always_be_taken_off(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", [*DANGEROUS, *HARMLESS])
def test_no_cell_of_a_workbook_is_a_formula(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    write_xlsx(path, ["text", "number", "flag", "none"], [[text, -1.5, True, None]])
    book = load_workbook(path)
    cell, number, flag, none = book["records"][2]
    assert cell.data_type != "f"
    assert (cell.value or "") == text.replace("\r", "\n")
    assert (number.value, flag.value, none.value) == (-1.5, True, None)
    assert number.data_type == "n"


def filled(store: RecordStore) -> list[str]:
    for n, text in enumerate([*DANGEROUS, *HARMLESS, "nul \0 and half \ud800"]):
        store.append(made(text, question_id=f"q{n}", truth=1, model="one", category="side"))
    return [record.raw for record in store.select()]


def test_json_lines_come_back_as_they_were(store: RecordStore, tmp_path: Path) -> None:
    raw = filled(store)
    path = tmp_path / "out" / "all.jsonl"
    assert export_records(store, path) == len(raw)
    other = RecordStore(tmp_path / "other")
    found = read_answers(path)
    assert found.problems == ()
    assert other.append_many(found.records) == len(raw)
    assert other.append_many(found.records) == 0
    assert list(other.documents()) == list(store.documents())
    assert [record.raw for record in other.select()] == raw
    other.close()


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_tables_come_back_as_answers_with_the_same_scores(
    ending: str, store: RecordStore, tmp_path: Path
) -> None:
    filled(store)
    path = tmp_path / f"all.{ending}"
    export_records(store, path)
    found = read_answers(path)
    assert found.problems == ()
    for before, after in zip(store.select(), found.records, strict=True):
        assert after.model == "imported:one"
        assert (after.case, after.question_id, after.options, after.truth, after.category) == (
            before.case, before.question_id, before.options, before.truth, before.category,
        )  # fmt: skip
        assert (after.score, after.answer.index) == (before.score, before.answer.index)


def test_only_what_is_chosen_is_written(store: RecordStore, tmp_path: Path) -> None:
    store.append(made("B", truth=1, model="one"))
    store.append(made("A", truth=1, model="two"))
    path = tmp_path / "two.jsonl"
    assert export_records(store, path, RecordFilter(model=("two",))) == 1
    assert json.loads(path.read_text())["model"] == "two"


def test_an_unknown_ending_is_refused_and_a_failed_export_leaves_nothing(
    store: RecordStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnfitFile, match=r"\.jsonl, \.csv, \.xlsx, \.html, got 'all\.pdf'"):
        export_records(store, tmp_path / "all.pdf")
    store.append(made("B"))

    def torn(*_: Any) -> Any:
        yield from ()
        raise OSError("disk full")

    monkeypatch.setattr(type(store), "documents", torn)
    folder = tmp_path / "to"
    with pytest.raises(UnwritableFile, match="disk full"):
        export_records(store, folder / "all.csv")
    assert list(folder.iterdir()) == []


def test_a_report_shows_everything_and_names_nobody(store: RecordStore, tmp_path: Path) -> None:
    sent = prepared("multi-slice")
    record = send(sent, FakeModel("fake:B", "<b>B</b> =1"))
    store.append(record, sent.pictures)
    store.append(made("A", case="UCSF-PDGM-0004", truth=1))
    save_review(store.writing, Review(record.id, "Dr. Who", ("wrong side",), "see <i>this</i>"))
    path = tmp_path / "report.html"
    assert export_records(store, path) == 2
    html = path.read_text(encoding="utf-8")
    assert html.count("data:image/png;base64,") == len(sent.pictures)
    assert "<h2>Case 1</h2>" in html
    assert "<h2>Case 2</h2>" in html
    assert "wrong side" in html
    assert "see &lt;i&gt;this&lt;/i&gt;" in html
    assert "&lt;b&gt;B&lt;/b&gt;" in html
    for name in ("UCSF-PDGM-0004", "S-1", "Dr. Who", "seg.nii", str(tmp_path), "://"):
        assert name not in html


def test_a_report_names_no_other_study_and_no_imported_file(
    store: RecordStore, tmp_path: Path
) -> None:
    """The ablation of a wrong study and an imported model carry names of their own."""
    store.append(made("B", ablation="wrong-study:UCSF-PDGM-0005", model="imported:Doe_Jane_1957"))
    store.append(made("A", ablation="wrong-study:S-3", model="imported:clinic/Doe_Jane_1957"))
    store.append(made("A", ablation="without:T1c", model="org/Model-7B"))
    store.append(made("A", ablation=None, model="fake:A"))
    path = tmp_path / "report.html"
    export_records(store, path)
    html = path.read_text(encoding="utf-8")
    found = re.findall(r'<span class="meta">(\S+) · .*?</span>', html, re.DOTALL)
    assert found == ["imported", "imported", "Model-7B", "fake:A"]
    assert re.findall(r"· (w\S+)</span>", html) == ["wrong-study", "wrong-study", "without:T1c"]
    for name in ("UCSF-PDGM-0005", "S-3", "Doe", "clinic"):
        assert name not in html
