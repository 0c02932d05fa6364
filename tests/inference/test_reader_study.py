from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from sqlalchemy import text

from inference import reader_exports
from inference.errors import BadReading, UnfitFile
from inference.questions import Question
from inference.reader_agreement import NO_OPTION, accuracy, cohen, fleiss, spearman
from inference.reader_answers import (
    ReaderAnswer,
    answers_of,
    begin,
    events_of,
    note,
    save_answer,
    standing,
)
from inference.reader_exports import export_readers
from inference.reader_results import reader_results
from inference.reader_studies import ReaderStudy, make_study, study_named, study_names
from inference.reader_tables import lines
from inference.record_store import RecordStore
from tests.inference.made_records import made
from viewer.errors import UnwritableFile

OPTIONS = ("Left", "Right", "Both", "Neither")
QUESTIONS = tuple(
    Question(f"q{n}", "S-1" if n < 4 else "S-2", f"Where ({n})?", OPTIONS, n % 4) for n in range(8)
)


@pytest.fixture
def study(store: RecordStore) -> ReaderStudy:
    return make_study(store.writing, "Pilot", QUESTIONS, 7)


def answer_all(store: RecordStore, reader: str, right: int, confidence: int = 5) -> None:
    """The first `right` questions of the reader's order rightly, the others wrongly."""
    now = standing(store.engine, "Pilot", reader)
    for place, item in enumerate(now.order):
        truth = now.study.items[item].truth
        assert truth is not None
        option = truth if place < right else (truth + 1) % 4
        sure = confidence if place < right else confidence - 3
        answer = ReaderAnswer(option, True, True, sure, ("FLAIR",))
        save_answer(store.writing, "Pilot", reader, item, answer, 2.0)


def test_a_study_is_fixed_and_comes_back_as_it_was_made(
    store: RecordStore, study: ReaderStudy
) -> None:
    assert study_named(store.engine, "Pilot") == study
    assert study_names(store.engine) == ["Pilot"]
    assert len({item.order for item in study.items}) > 1
    assert all(sorted(item.order) == [0, 1, 2, 3] for item in study.items)
    with pytest.raises(BadReading, match="no study has"):
        make_study(store.writing, " Pilot ", QUESTIONS[:2], 1)
    with pytest.raises(BadReading, match="Pilot"):
        study_named(store.engine, "Other")
    for name, questions in (("", QUESTIONS), ("x", [replace(QUESTIONS[0], options=())])):
        with pytest.raises(BadReading, match="got none"):
            make_study(store.writing, name, questions, 0)


def test_orders_follow_from_the_seed_and_the_reader_alone(
    store: RecordStore, study: ReaderStudy
) -> None:
    ann, bob = (study.order_for(reader) for reader in ("Ann", "Bob"))
    assert sorted(ann) == sorted(bob) == list(range(8))
    assert ann != bob
    again = make_study(store.writing, "Pilot 2", QUESTIONS, 7)
    assert (again.items, again.order_for("Ann")) == (study.items, ann)
    assert make_study(store.writing, "Pilot 3", QUESTIONS, 8).order_for("Ann") != ann
    fewer = make_study(store.writing, "Short", QUESTIONS, 7, most=3)
    assert len(fewer.items) == 3


def test_answers_are_kept_and_reading_goes_on_where_it_was(
    store: RecordStore, study: ReaderStudy
) -> None:
    first = begin(store.writing, "Pilot", "Ann")
    assert (first.first_open, first.last_place, first.answers) == (0, 0, {})
    item = first.order[0]
    note(store.writing, "Pilot", "Ann", "paused", item, 4.0)
    whole = ReaderAnswer(2, True, False, 8, ("T1c", "FLAIR"), "=odd")
    save_answer(store.writing, "Pilot", "Ann", item, whole, 2.5)
    store.close()
    again = RecordStore(store.folder, store.url)
    later = begin(again.writing, "Pilot", " Ann ")
    again.close()
    assert later.answers[item].answer == whole
    assert later.seen[item] == pytest.approx(6.5)
    assert later.first_open == later.last_place == 1
    assert standing(store.engine, "Pilot", "Bob").answers == {}
    assert [e.kind for e in events_of(store.engine, "Pilot")] == ["began", "paused", "resumed"]


def test_a_changed_answer_is_another_row_and_the_newest_counts(
    store: RecordStore, study: ReaderStudy
) -> None:
    item = study.order_for("Ann")[0]
    for option in (0, 3):
        save_answer(store.writing, "Pilot", "Ann", item, ReaderAnswer(option), 1.0)
    assert [row.answer.option for row in answers_of(store.engine, "Pilot")] == [0, 3]
    now = standing(store.engine, "Pilot", "Ann")
    assert (now.answers[item].answer.option, now.seen[item]) == (3, 2.0)


def test_what_may_not_be_kept_is_refused_in_words(store: RecordStore, study: ReaderStudy) -> None:
    first, second, *_ = study.order_for("Ann")
    for item, answer, said in (
        (second, ReaderAnswer(0), "next question"),
        (first, ReaderAnswer(None), "an option"),
        (first, ReaderAnswer(4), "one of 4 options"),
        (first, ReaderAnswer(0, confidence=11), "0 to 10"),
    ):
        with pytest.raises(BadReading, match=said):
            save_answer(store.writing, "Pilot", "Ann", item, answer, 1.0)
    with pytest.raises(BadReading, match="name"):
        begin(store.writing, "Pilot", "  ")
    assert answers_of(store.engine, "Pilot") == []
    save_answer(store.writing, "Pilot", "Ann", first, ReaderAnswer(None, answerable=False), 1.0)


def test_nothing_is_answered_after_the_truth_was_shown(
    store: RecordStore, study: ReaderStudy
) -> None:
    note(store.writing, "Pilot", "Ann", "revealed")
    assert begin(store.writing, "Pilot", "Ann").revealed
    with pytest.raises(BadReading, match="has seen it"):
        save_answer(store.writing, "Pilot", "Ann", study.order_for("Ann")[0], ReaderAnswer(0), 1.0)
    assert not standing(store.engine, "Pilot", "Bob").revealed


def test_rows_are_only_ever_added(store: RecordStore, study: ReaderStudy) -> None:
    answer_all(store, "Ann", 4)
    before = answers_of(store.engine, "Pilot")
    answer_all(store, "Ann", 8)
    answer_all(store, "Bob", 2)
    assert answers_of(store.engine, "Pilot")[: len(before)] == before


def test_the_figures_of_a_study(store: RecordStore, study: ReaderStudy) -> None:
    for reader, right in (("Ann", 6), ("Bob", 8), ("Cem", 2)):
        answer_all(store, reader, right)
    for model, answers in (("m1", "ABCDABCD"), ("m2", "AAAAAAAA"), ("m3", "BCDABCDX")):
        for question, letter in zip(QUESTIONS, answers, strict=True):
            fields = {"options": OPTIONS, "case": question.study_id, "question_id": question.id}
            store.append(made(letter, truth=question.answer, model=model, **fields))
    found = reader_results(store.engine, "Pilot")
    rights = {row.reader: row.right.hits for row in found.readers if row.right}
    assert rights == {"Ann": 6, "Bob": 8, "Cem": 2}
    ann = found.readers[0]
    assert ann.right and ann.right.low < 0.75 < ann.right.high
    assert ann.sure.rho == pytest.approx(1.0)
    assert found.readers[1].sure.rho is None
    assert len(found.pairs) == 3 and found.all_readers and found.all_readers.questions == 8
    by_name = {row.name.split(" ")[0]: row for row in found.models}
    assert by_name["m1"].kappas["Bob"].value == pytest.approx(1.0)
    assert [by_name[m].right.hits for m in ("m1", "m2", "m3")] == [8, 2, 0]  # type: ignore[union-attr]
    assert found.ranking["Bob"].rho == pytest.approx(1.0)
    # A reply that names no option agrees with nobody, not even with "cannot be answered".
    for item in standing(store.engine, "Pilot", "Dee").order:
        save_answer(store.writing, "Pilot", "Dee", item, ReaderAnswer(None, False), 2.0)
    rows = reader_results(store.engine, "Pilot").models
    assert [row.kappas["Dee"].agreed for row in rows if row.name.startswith("m3")] == [0]
    json.dumps(found.to_json(), allow_nan=False)
    told = "\n".join(lines(found))
    assert "Bob: 8 answered (blinded), 100.0%" in told
    assert "Fleiss' kappa" in told


def test_tables_hold_every_row_and_run_no_formula(
    store: RecordStore, study: ReaderStudy, tmp_path: Path
) -> None:
    item = study.order_for("Ann")[0]
    for option in (0, 1):
        answer = ReaderAnswer(option, True, None, 3, ("T1",), "=1+1")
        save_answer(store.writing, "Pilot", "Ann", item, answer, 1.25)
    for kind in ("csv", "xlsx", "jsonl"):
        count = export_readers(store.engine, tmp_path / f"r.{kind}")
        assert count == (3 if kind == "jsonl" else 2)
    with (tmp_path / "r.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["counts"] for row in rows] == ["False", "True"]
    assert rows[0]["comment"] == "'=1+1"
    position = study.items[item].order.index(0)
    assert (rows[0]["answer"], rows[0]["letter"]) == ("Left", "ABCD"[position])
    sheet = load_workbook(tmp_path / "r.xlsx").active
    assert sheet["A2"].value == "Pilot"
    raw = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text("utf-8").splitlines()]
    assert raw[0]["items"][item]["order"] == list(study.items[item].order)
    with pytest.raises(UnfitFile, match=r"\.csv"):
        export_readers(store.engine, tmp_path / "r.pdf")


def test_a_failed_export_of_readers_leaves_what_was_there(
    store: RecordStore, study: ReaderStudy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(*_: Any) -> Any:
        yield ["half", "a", "row"]
        raise OSError("disk full")

    monkeypatch.setattr(reader_exports, "_table", torn)
    folder = tmp_path / "to"
    path = folder / "r.csv"
    export_readers(store.engine, folder / "r.jsonl")
    path.write_text("before")
    with pytest.raises(UnwritableFile, match=r"r\.csv, got: disk full"):
        export_readers(store.engine, path)
    assert path.read_text() == "before"
    assert {each.name for each in folder.iterdir()} == {"r.csv", "r.jsonl"}


def test_kappas_of_known_tables() -> None:
    # Cohen 1960, its own kind of table: 20 + 15 alike of 50, expected 0.5.
    pairs = [(0, 0)] * 20 + [(0, 1)] * 5 + [(1, 0)] * 10 + [(1, 1)] * 15
    one, other = ({n: pair[side] for n, pair in enumerate(pairs)} for side in (0, 1))
    assert cohen(one, other).value == pytest.approx(0.4)
    # Fleiss 1971's worked example, as given in textbooks: 10 subjects, 14 raters, kappa 0.210.
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    rows = [[k for k, count in enumerate(row) for _ in range(count)] for row in table]
    readers = [{n: row[rater] for n, row in enumerate(rows)} for rater in range(14)]
    assert fleiss(readers).value == pytest.approx(0.210, abs=5e-4)


LABELS = st.dictionaries(st.integers(0, 9), st.integers(NO_OPTION, 3), max_size=10)


@settings(deadline=None)
@given(LABELS, LABELS)
def test_agreement_is_symmetric_and_bounded(one: dict[int, int], other: dict[int, int]) -> None:
    kappa, turned = cohen(one, other), cohen(other, one)
    assert (kappa.value is None) == (turned.value is None)
    assert kappa.value is None or kappa.value == pytest.approx(turned.value)
    assert kappa.value is None or -1 - 1e-9 <= kappa.value <= 1 + 1e-9
    assert kappa.agreed <= kappa.questions == len(set(one) & set(other))
    alone = cohen(one, one).value
    assert alone is None or alone == pytest.approx(1.0)


def test_too_little_gives_no_figure() -> None:
    assert accuracy({}, {0: 1}) is None
    assert spearman([(1.0, 2.0), (2.0, 3.0)]).rho is None
    assert spearman([(1.0, 2.0)] * 5).rho is None
    assert fleiss([{0: 1}, {0: 1}, {0: 1}]).value is None


def test_an_older_database_gets_the_new_tables(store: RecordStore) -> None:
    for table in ("reader_events", "reader_answers", "reader_studies"):
        with store.writing.begin() as connection:
            connection.execute(text(f"DROP TABLE {table}"))
    again = RecordStore(store.folder, store.url)
    assert study_names(again.engine) == []
    again.close()
