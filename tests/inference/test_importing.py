from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from inference.errors import UnfitFile
from inference.importing import Labels, read_answers
from inference.questions import Question
from inference.record_store import RecordStore
from inference.results import results

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
