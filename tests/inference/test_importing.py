from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from inference.ablations import ablation_named
from inference.ask import send
from inference.errors import UnfitFile
from inference.exports import export_records
from inference.importing import Imported, Labels, read_answers
from inference.models.fake import FakeModel
from inference.pictures import PictureSettings
from inference.preparation import AskSettings
from inference.questions import Question
from inference.record_rows import row_of
from inference.record_store import RecordStore
from inference.results import results
from tests.inference.made_records import made
from tests.inference.test_ablations import setup_of
from tests.inference.test_ask import prepared

OPTIONS = ("Left", "Right", "Both", "Neither")
QUESTIONS = (
    Question("q1", "UCSF-PDGM-0004", "Which side?", OPTIONS, 1, "side", shuffled=(3, 2, 1, 0)),
    Question("q2", "UCSF-PDGM-0004", "Which size?", ("Small", "Large"), 0),
    Question("q1", "UCSF-PDGM-0005", "Which side?", OPTIONS, 0),
)
BENCHMARK = "Which side?\n1) Left\n2) Right\n3) Both\n4) Neither"


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_jsonl(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_answers_to_known_questions_are_graded(tmp_path: Path) -> None:
    rows = [
        {"case": "UCSF-PDGM-4_nifti", "question": "Which side?", "answer": "The answer is B"},
        {"case": "UCSF-PDGM-0004", "question": "Which size?", "answer": "maybe"},
        {"case": "UCSF-PDGM-0009", "question": "Which size?", "answer": "A"},
    ]
    for path in (write_csv(tmp_path / "run.csv", rows), write_jsonl(tmp_path / "run.jsonl", rows)):
        found = read_answers(path, QUESTIONS)
        assert [record.score for record in found.records] == ["right", "unparsed"]
        assert {record.model for record in found.records} == {"imported:run"}
        assert [problem.file for problem in found.problems] == [f"{path.name}, row 3"]
        assert found.records[0].raw == "The answer is B"


def test_the_benchmarks_own_result_file_needs_nothing_else(tmp_path: Path) -> None:
    row = {"qa_id": "7", "Assigned ID": "UCSF-PDGM-0004", "Question": BENCHMARK,
           "Answer": "Right", "Accession": "123", "predicted_answer": "2) Right"}  # fmt: skip
    labels = Labels("MedGemma", "multi-slice")
    (record,) = read_answers(write_csv(tmp_path / "r.csv", [row]), (), labels).records
    assert (record.score, record.options, record.question_id) == ("right", OPTIONS, "7")
    assert (record.model, record.representation) == ("imported:MedGemma", "multi-slice")
    assert record.substring_grade is True
    assert "123" not in json.dumps(record.to_json())


def test_a_letter_is_read_in_the_order_that_was_shown(tmp_path: Path) -> None:
    row = {"case": "UCSF-PDGM-0004", "question_id": "q1", "response": "Answer: C"}
    path = write_jsonl(tmp_path / "r.jsonl", [row])
    original, shuffled = (
        read_answers(path, QUESTIONS, Labels(ordering=order)).records[0]
        for order in ("original", "shuffled")
    )
    assert (original.answer.text, shuffled.answer.text) == ("Both", "Right")


def samples() -> list[dict[str, Any]]:
    doc = {"case": "UCSF-PDGM-0004", "id": "q1", "question": "Which side?",
           "options": list(OPTIONS), "answer": "Right"}  # fmt: skip
    return [
        {"doc_id": 0, "doc": doc, "target": "B", "resps": [["B. Right"]], "filtered_resps": ["B"]},
        {"doc_id": 1, "doc": {**doc, "id": "q9"}, "target": "B", "resps": [["A"]]},
    ]


def test_samples_of_lmms_eval(tmp_path: Path) -> None:
    new = write_jsonl(tmp_path / "samples_pdgm.jsonl", samples())
    old = tmp_path / "old.json"
    old.write_text(json.dumps({"args": {}, "logs": samples()}), encoding="utf-8")
    for path in (new, old):
        records = read_answers(path).records
        assert [record.score for record in records] == ["right", "wrong"]
        assert [record.raw for record in records] == ["B. Right", "A"]


def test_logs_of_vlmevalkit(tmp_path: Path) -> None:
    row = {"index": "q1", "case": "UCSF-PDGM-0004", "question": "Which side?", "A": "Left",
           "B": "Right", "C": "Both", "D": "", "answer": "B", "prediction": "B"}  # fmt: skip
    book = Workbook()
    book.active.append(list(row))
    book.active.append(list(row.values()))
    book.save(tmp_path / "Qwen_PDGM.xlsx")
    tsv = tmp_path / "Qwen_PDGM.tsv"
    tsv.write_text("\t".join(row) + "\n" + "\t".join(row.values()) + "\n", encoding="utf-8")
    for path in (tmp_path / "Qwen_PDGM.xlsx", tsv):
        (record,) = read_answers(path).records
        assert (record.score, record.options) == ("right", OPTIONS[:3])
        assert record.model == "imported:Qwen_PDGM"


def as_written_now(**changes: Any) -> dict[str, Any]:
    """A row of `<date>_samples_<task>.jsonl`: no doc, no resps where filtering changed nothing."""
    prompt = "Which side?\nA. Left\nB. Right\nC. Both\nD. Neither\nAnswer with the letter."
    row = {"doc_id": 0, "target": "B", "filtered_resps": ["B"], "doc_hash": "0" * 64,
           "input": prompt, "exact_match": 1.0}  # fmt: skip
    return {**row, **changes}


def test_samples_of_lmms_eval_as_it_writes_them_now(tmp_path: Path) -> None:
    size = "Which size?\nA. Small\nB. Large\n"
    rows = [
        as_written_now(),
        as_written_now(doc_id=2, resps=[["I think A."]], filtered_resps=["A"]),
        as_written_now(doc_id=1, input=size, filtered_resps=["B"]),
        as_written_now(doc_id=7, input=size, filtered_resps=["A"]),
        as_written_now(doc_id=7),
        as_written_now(doc_id=0, filtered_resps=[""], success=False),
    ]
    found = read_answers(write_jsonl(tmp_path / "20260101_samples_pdgm.jsonl", rows), QUESTIONS)
    told = [(r.case, r.question_id, r.answer.text, r.score) for r in found.records]
    assert told == [
        ("UCSF-PDGM-0004", "q1", "Right", "right"),
        ("UCSF-PDGM-0005", "q1", "Left", "right"),
        ("UCSF-PDGM-0004", "q2", "Large", "wrong"),
        ("UCSF-PDGM-0004", "q2", "Small", "right"),
        ("UCSF-PDGM-0004", "q1", None, "error"),
    ]
    assert found.records[1].raw == "I think A."
    # Two cases are asked which side: without its place the row could be either's.
    assert [problem.file[-5:] for problem in found.problems] == ["row 5"]


def test_samples_without_their_questions_are_named(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "samples.jsonl", [as_written_now()])
    (problem,) = read_answers(path).problems
    assert "--questions" in problem.reason


def test_vlmevalkit_has_gaps_hints_and_failed_asks(tmp_path: Path) -> None:
    row = {"index": 7, "case": "UCSF-PDGM-0004", "hint": "nan", "question": "Which side?",
           "A": "Left", "B": "Right", "C": "nan", "D": "", "answer": "B", "category": "side",
           "split": "", "prediction": "B. Right", "thinking": "", "hit": 1, "log": ""}  # fmt: skip
    failed = {**row, "index": 8, "hint": "A tumor.",
              "prediction": "Failed to obtain answer via API."}  # fmt: skip
    path = write_csv(tmp_path / "Model_PDGM.csv", [row, failed])
    whole = tmp_path / "Model_PDGM.json"
    whole.write_text(json.dumps([row, failed]), encoding="utf-8")
    for each in (path, whole):
        right, lost = read_answers(each).records
        assert (right.options, right.stem) == (("Left", "Right"), "Which side?")
        assert right.score == "right"
        assert (lost.stem, lost.score) == ("A tumor.\nWhich side?", "error")
        assert lost.finish == "error"


def test_repeats_are_kept_apart_and_a_second_import_adds_nothing(
    store: RecordStore, tmp_path: Path
) -> None:
    row = {"case": "UCSF-PDGM-0004", "question_id": "q1", "prediction": "B"}
    path = write_jsonl(tmp_path / "r.jsonl", [row, row, {**row, "prediction": "A"}])
    assert store.append_many(read_answers(path, QUESTIONS).records) == 3
    assert store.append_many(read_answers(path, QUESTIONS).records) == 0
    (counted,) = results(store.engine).table
    assert counted.tally.by_score == {"right": 2, "wrong": 1}
    assert counted.tally.questions == 1


def test_a_file_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    unknown = write_csv(tmp_path / "x.csv", [{"a": 1, "b": 2}])
    book = tmp_path / "torn.xlsx"
    book.write_bytes(b"not a workbook")
    for path, said in ((unknown, "found a, b"), (book, "cannot be read"),
                       (tmp_path / "none.csv", "found none")):  # fmt: skip
        with pytest.raises(UnfitFile, match=said):
            read_answers(path)


def test_a_table_from_here_comes_back_as_it_was_counted(tmp_path: Path) -> None:
    """Letters by the order that was sent, ablations as such, answers without a reply as stated."""
    asked = RecordStore(tmp_path / "asked")
    shuffled = send(replace(prepared("multi-slice", order=(1, 0, 2, 3)), ordering="shuffled"),
                    FakeModel(answer="B"))  # fmt: skip
    row, variant = ablation_named("mirrored")
    mirrored = send(row.prepare(setup_of(), variant), FakeModel(answer="A"))
    scored = prepared("multi-slice", settings=AskSettings(generate=False))
    masked = prepared("multi-slice", settings=AskSettings(PictureSettings(include_masks=True)))
    mine = made("A", slices={"source": "user"}, representation="montage")
    odd = made("A", options=("a | b", "c", "[d]", "e"), truth=0, question_id="odd")
    twice = [send(prepared("multi-slice"), FakeModel(answer=letter)) for letter in "AB"]
    assert twice[0].key == twice[1].key
    others = [send(scored, FakeModel()), send(masked, FakeModel()), mine, odd]
    records = [shuffled, mirrored, *others, *twice]
    asked.append_many(records)
    assert shuffled.answer.index == 0 and mirrored.ablation == "mirrored"
    for name in ("t.csv", "t.xlsx"):
        export_records(asked, tmp_path / name)
        back = RecordStore(tmp_path / f"back-{name}")
        found = read_answers(tmp_path / name)
        assert not found.problems
        back.append_many(found.records)
        for was, now in zip(records, found.records, strict=True):
            assert now.options == was.options
            assert now.order == was.order and now.asked.generate == was.asked.generate
            assert (now.answer, now.score, now.finish) == (was.answer, was.score, was.finish)
            told = [row_of(record) for record in (was, now)]
            for column in ("representation", "ordering", "ablation"):
                assert told[0][column] == told[1][column]
        tables = [results(store.engine) for store in (asked, back)]
        for one, other in zip(*((*t.table, *t.ablations) for t in tables), strict=True):
            assert (one.representation, one.ablation, one.tally) == (
                other.representation, other.ablation, other.tally)  # fmt: skip


def test_an_order_that_no_one_kept_is_not_made_up(tmp_path: Path) -> None:
    row = {"case": "S-1", "question_id": "q", "question": "Which?", "options": "Left | Right",
           "truth": "Left", "raw": "A", "ordering": "shuffled"}  # fmt: skip
    (problem,) = read_answers(write_csv(tmp_path / "old.csv", [row])).problems
    assert "--questions" in problem.reason

    def shown(order: str) -> Imported:
        return read_answers(write_csv(tmp_path / "new.csv", [{**row, "shown_order": order}]))

    for cell, said in (("2 2", "each of 2 options once"), ("b a", "numbers under shown_order")):
        assert said in shown(cell).problems[0].reason
    assert shown("2 1").records[0].answer.text == "Right"
