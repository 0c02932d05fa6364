from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from inference.errors import UnknownQuestion, UnreadableQuestions
from inference.question_files import read_questions
from inference.questions import Question, QuestionSet, together

HEADER = "qa_id,Assigned ID,Question,Answer,Shuffled Question,Accession,Key\n"


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def benchmark(path: Path, rows: list[list[str]], encoding: str = "utf-8", end: str = "\n") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, lineterminator=end)
        writer.writerow(HEADER.strip().split(","))
        writer.writerows(rows)
    return path


ROW = ["7", "UCSF-PDGM-0004", "Where?\n1) Left\n2) Right", "Right", "Where?\n1) Right\n2) Left",
       "ACC123", "secret"]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_of_the_benchmark(tmp_path: Path, encoding: str, end: str) -> None:
    (question,) = read_questions(benchmark(tmp_path / "q.csv", [ROW], encoding, end)).questions
    assert (question.id, question.study_id) == ("7", "UCSF-PDGM-0004")
    assert (question.stem, question.options) == ("Where?", ("Left", "Right"))
    assert (question.answer, question.shuffled, question.problem) == (1, (1, 0), None)


def test_other_columns_are_dropped(tmp_path: Path) -> None:
    questions = read_questions(benchmark(tmp_path / "q.csv", [ROW]))
    assert "secret" not in repr(questions)
    assert "ACC123" not in repr(questions)


def test_an_answer_that_is_no_option_is_kept_and_said(tmp_path: Path) -> None:
    found = read_questions(benchmark(tmp_path / "q.csv", [[*ROW[:3], "right", *ROW[4:]]]))
    (question,) = found.questions
    assert question.answer is None
    assert "none of the options" in (question.problem or "")
    assert len(found.problems) == 1


def test_two_equal_options_have_no_answer(tmp_path: Path) -> None:
    row = ["7", "S", "Where?\n1) Left\n2) Left", "Left", "", "", ""]
    (question,) = read_questions(benchmark(tmp_path / "q.csv", [row])).questions
    assert question.answer is None
    assert "same text" in (question.problem or "")


def test_a_shuffle_of_other_options_is_left_out_and_said(tmp_path: Path) -> None:
    row = [*ROW[:4], "Where?\n1) Up\n2) Left", "", ""]
    (question,) = read_questions(benchmark(tmp_path / "q.csv", [row])).questions
    assert (question.answer, question.shuffled) == (1, None)
    assert "shuffled" in (question.problem or "")


def test_an_id_that_occurs_twice_can_be_asked_twice(tmp_path: Path) -> None:
    found = read_questions(benchmark(tmp_path / "q.csv", [ROW, ROW]))
    assert [question.id for question in found.questions] == ["7", "7~2"]
    assert len(found.problems) == 1


@pytest.mark.parametrize(
    ("answer", "index"), [("Right", 1), ("B", 1), ("b", 1), (2, 1), ("2", 1), ("1", 0)]
)
def test_generic_rows_answer_by_text_letter_or_number(
    tmp_path: Path, answer: str | int, index: int
) -> None:
    row = {"case": "S-1", "question": "Where?", "options": ["Left", "Right"], "answer": answer}
    (question,) = read_questions(written(tmp_path / "q.jsonl", json.dumps(row))).questions
    assert (question.answer, question.id, question.study_id) == (index, "1", "S-1")


def test_an_options_own_text_comes_before_its_number(tmp_path: Path) -> None:
    row = {"case": "S", "question": "How many?", "options": ["2", "1"], "answer": "1"}
    (question,) = read_questions(written(tmp_path / "q.jsonl", json.dumps(row))).questions
    assert question.answer == 1


def test_generic_csv_and_json_array(tmp_path: Path) -> None:
    table = 'case,question,options,answer,id,category\nS,Where?,"Left\nRight",A,x1,place\n'
    (from_csv,) = read_questions(written(tmp_path / "q.csv", table)).questions
    rows = [{"case": "S", "question": "Where?", "options": ["Left", "Right"], "answer": "Left",
             "id": "x1", "category": "place"}]  # fmt: skip
    (from_json,) = read_questions(written(tmp_path / "q.json", json.dumps(rows))).questions
    assert from_csv == from_json
    assert (from_csv.id, from_csv.category, from_csv.answer) == ("x1", "place", 0)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("q.csv", b"case,question,options,answer\nS,Gr\xfc\xdfe,a|b,a\n", "UTF-8"),
        ("q.csv", b"a\0b", "NUL"),
        ("q.csv", b"", "no row"),
        ("q.csv", b"id,text\n1,2\n", "columns"),
        ("q.jsonl", b"{not json}", "line 1"),
        ("q.jsonl", b"[1, 2]", "object"),
        ("q.json", b"[", "JSON"),
    ],
)
def test_what_is_no_question_file_is_refused_in_words(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    with pytest.raises(UnreadableQuestions, match=words):
        read_questions(written(tmp_path / name, content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableQuestions, match=r"absent\.csv"):
        read_questions(tmp_path / "absent.csv")


def test_two_files_give_one_study_no_id_twice_and_two_studies_may_share_one() -> None:
    about = [Question("1", study, "Where?", ("Left", "Right"), 0) for study in ("S-1", "S-2")]
    found = together([QuestionSet(tuple(about)), QuestionSet((about[0],))])
    ids = [(question.study_id, question.id) for question in found.questions]
    assert ids == [("S-1", "1"), ("S-2", "1"), ("S-1", "1~2")]
    assert len(found.problems) == 1


@pytest.mark.cases
def test_real_question_files(cases_dir: Path) -> None:
    names = ("questions.csv", "ucsf-questions.csv")
    found = together([read_questions(cases_dir / name) for name in names])
    assert (len(found.questions), found.problems) == (25, ())
    for question in found.questions:
        assert len(question.options) == 4
        assert question.answer is not None
        assert question.category is not None
        assert question.shuffled is not None
    assert found.question("1").options[0] == "Right hemisphere"
    with pytest.raises(UnknownQuestion):
        found.question("999")
