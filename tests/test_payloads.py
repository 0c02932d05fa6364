"""Hostile texts in every place are text: on terminals, in tables, in reports, in cards."""

from __future__ import annotations

import csv
import json
import re
import warnings
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest

import app
from inference.cards import answer_card, problem_card, question_card, waiting_card
from inference.exports import export_records
from inference.figures import accuracy_figure, save_figure
from inference.questions import Question
from inference.record_store import RecordStore
from inference.results import results
from inference.review_page import form_html, list_html, record_html
from inference.reviews import Review, save_review
from tests.inference.made_records import made
from tests.payloads import MARK, PAYLOADS, TERMINAL, as_file_name
from tests.viewer.images import save
from viewer.panel_studies import about_html
from viewer.printable import OBEYED
from viewer.study import Problem, SequenceFile, Study

ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "ol", "ul", "li",
    "div", "span", "strong", "b", "br", "small", "em", "details", "summary", "pre", "figure", "img",
    "figcaption", "table", "thead", "tbody", "tr", "th", "td", "button", "form", "label", "input",
    "textarea", "kbd", "dl", "dt", "dd", "section", "code", "progress", "a",
}  # fmt: skip


class Elements(HTMLParser):
    """Elements and attributes that a browser would make of the text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.strange: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        address = dict(attrs).get("src") or dict(attrs).get("href") or ""
        if (
            tag not in ALLOWED
            or any(name.startswith("on") for name in names)
            or dict(attrs).get("id") == MARK
            or (address and not address.startswith(("data:image/png", "?study=")))
        ):
            self.strange.append(self.get_starttag_text() or tag)


def strange_in(html: str) -> list[str]:
    parser = Elements()
    parser.feed(html)
    return parser.strange


def test_the_corpus_is_large_and_bites() -> None:
    assert len(PAYLOADS) >= 40 and len(set(PAYLOADS)) == len(PAYLOADS)
    assert sum(bool(strange_in(payload)) for payload in PAYLOADS) >= 25


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RecordStore:
    """One record and one review for every payload, with it in every text."""
    store = RecordStore(tmp_path_factory.mktemp("payloads"))
    for text in PAYLOADS:
        record = made(
            text, stem=text, options=(text, "B " + text), case=text, question_id=text,
            category=text, model=f"server:{text}", prompt=text, thinking=text, error=text,
            revision=text, notes=(text,),
        )  # fmt: skip
        store.append(record)
        save_review(store.writing, Review(record.id, f"x{text}", ("hallucination",)[:0], text))
    return store


def test_every_card_shows_text(store: RecordStore) -> None:
    for record in store.select():
        plain = record.to_json()
        text = record.stem
        question = Question("1", text, text, (text, "B"), 0, problem=text)
        file = SequenceFile(text, Path("/x"), (1, 1, 1), (1.0, 1.0, 1.0), notes=(text,))
        study = Study(text, text, Path("/x"), (file,), problems=(Problem(text, text),))
        cards = (
            answer_card(plain, True), question_card(question, (0, 1), True), problem_card(text),
            waiting_card(text, text), record_html(store, record), about_html(study),
            form_html(store, record.id, f"x{text}"), form_html(store, record.id, "somebody else"),
            list_html(store, text),
        )  # fmt: skip
        for card in cards:
            assert strange_in(card) == [], text
        assert " ".join(text.split()) in " ".join(unescape(cards[0]).split())


def test_the_report_shows_text_and_forbids_the_rest(store: RecordStore, tmp_path: Path) -> None:
    export_records(store, tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert strange_in(html) == []
    assert "default-src 'none'" in html


def test_tables_hold_no_formula(store: RecordStore, tmp_path: Path) -> None:
    export_records(store, tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    shown = [cell.lstrip("\u200b \t\r\n\x1b\x9b") for cell in cells if MARK in cell]
    assert shown and not [cell for cell in shown if cell[:1] in set("=+-@")]
    export_records(store, tmp_path / "r.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "r.xlsx").worksheets[0]
    assert not [cell for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_figure_writes_them_as_they_are(store: RecordStore, ending: str, tmp_path: Path) -> None:
    figure = accuracy_figure(results(store.engine))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(?s).*(Glyph|Tight|onstrained).*")
        save_figure(figure, tmp_path / f"f{ending}")
    content = (tmp_path / f"f{ending}").read_bytes()
    if ending == ".svg":
        names = {
            text for element in ElementTree.fromstring(content).iter() if (text := element.text)
        }
        assert any("$\\href{javascript" in name for name in names)
        assert not [e for e in ElementTree.fromstring(content).iter() if e.tag.endswith("script")]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Studies whose folders, and files beside, are called like payloads."""
    root = tmp_path_factory.mktemp("data")
    for text in PAYLOADS:
        save(root / as_file_name(text) / "t1.nii")
        (root / as_file_name(text) / f"{as_file_name(text)}.nii").write_bytes(b"x")
    return root


@pytest.mark.parametrize("as_json", [True, False])
def test_a_terminal_is_told_nothing(
    data: Path, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main(["cases", "--data", str(data), *["--json"] * as_json]) == 0
    said = capsys.readouterr()
    assert MARK in said.out
    assert not OBEYED.search((said.out + said.err).replace("\n", ""))
    if as_json:
        ids = {study["id"] for study in json.loads(said.out)["studies"]}
        on_one_line = {as_file_name(text) for text in TERMINAL if not set(text) & set("\r\n")}
        assert on_one_line and on_one_line <= ids
    else:
        assert not re.search(r"^skipped /etc/passwd", said.out, re.MULTILINE)


@pytest.mark.parametrize("text", TERMINAL)
def test_an_error_is_one_line(text: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["render", "--data", str(data), "--case", text + "!", "--representation", text]
    assert app.main([*given, "--out", str(data / "out")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == said.rstrip("\n").count("\n") + 1
    assert not OBEYED.search(said.replace("\n", ""))
