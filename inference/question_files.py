"""Question files: the benchmark's CSV, generic CSV and JSONL.

UTF-8 with or without a mark, UTF-16 with one; any newline; newlines inside
quotes. Anything else is refused in words: a wrong guess at an encoding would
change the words that models are sent.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from inference.errors import UnreadableQuestions
from inference.question_rows import LAYOUTS, Row, RowLayout
from inference.questions import QuestionSet, with_own_ids
from viewer.outside_json import parsed
from viewer.study import Problem

JSON_LINES = (".jsonl", ".ndjson", ".json")
LINE_END = re.compile(r"\r\n|\n|\r")
MOST_BYTES = 2**27
"""A file of more than 128 MiB is taken for another one, before it is read."""
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_questions(path: Path) -> QuestionSet:
    """Every question of the file, in its order.

    Rows whose answer is no option are kept without one and listed as
    problems. Raises `UnreadableQuestions` for a file that is missing, not
    text, or has none of the known column layouts.
    """
    rows = read_rows(path)
    if not rows:
        raise UnreadableQuestions(
            f"Expected questions in {path.name}, found no row; give a file with a header and rows."
        )
    layout = _layout_of(path, rows[0])
    questions = [layout.read(row, number) for number, row in enumerate(rows, start=1)]
    questions, repeated = with_own_ids(questions, lambda each: each.id)
    problems = [
        Problem(f"{path.name}, question {question.id}", question.problem)
        for question in questions
        if question.problem
    ]
    return QuestionSet(tuple(questions), (*problems, *repeated))


def read_rows(path: Path) -> list[Row]:
    """Every row of a CSV, TSV or JSON-lines file that is not empty, whatever its columns."""
    text = _decoded(path)
    if path.suffix.lower() in JSON_LINES:
        return list(_json_rows(path, text))
    try:
        return list(_csv_rows(text, "\t" if path.suffix.lower() == ".tsv" else ","))
    except csv.Error as error:
        raise UnreadableQuestions(
            f"Expected a table in {path.name}, got: {error}; save it anew as CSV, each text in "
            "quotes."
        ) from error


def _decoded(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise UnreadableQuestions(
                f"Expected a question file at {path}, got a folder, a pipe or a device; check "
                "the path."
            )
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableQuestions(
                f"Expected at most {MOST_BYTES >> 20} MiB in {path.name}, got "
                f"{path.stat().st_size >> 20}; split the file."
            )
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableQuestions(
            f"Expected a question file at {path}, got {reason}; check the path."
        ) from error
    encoding = next((name for mark, name in MARKS if raw.startswith(mark)), "utf-8")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableQuestions(
            f"Expected {path.name} in UTF-8, found byte {raw[error.start]:#04x} at "
            f"{error.start} that is not; save the file as UTF-8 (CSV UTF-8 in Excel)."
        ) from error
    if "\0" in text:
        raise UnreadableQuestions(
            f"Expected a text file, but {path.name} holds NUL bytes; save it as UTF-8 CSV or JSONL."
        )
    return text


def _csv_rows(text: str, delimiter: str) -> Iterator[Row]:
    file = io.StringIO(text, newline="")
    rows = csv.DictReader(file, skipinitialspace=True, delimiter=delimiter)
    if rows.fieldnames:
        rows.fieldnames = [name.strip() for name in rows.fieldnames]
    for row in rows:
        if any(value for value in row.values() if isinstance(value, str) and value.strip()):
            yield row


def _json_rows(path: Path, text: str) -> Iterator[Row]:
    """One object a line, or one array of objects."""
    if text.lstrip().startswith("["):
        numbered = enumerate(_array(path, text), start=1)
    else:
        lines = ((n, line) for n, line in enumerate(LINE_END.split(text), 1) if line.strip())
        numbered = ((n, _object(path, n, line)) for n, line in lines)  # type: ignore[assignment]
    for number, row in numbered:
        if not isinstance(row, dict):
            raise UnreadableQuestions(
                f"Expected one JSON object a line in {path.name}, got "
                f"{type(row).__name__} at {number}; give case, question, options and answer."
            )
        yield row


def _array(path: Path, text: str) -> list[object]:
    try:
        value = parsed(text)
    except ValueError as error:
        raise UnreadableQuestions(
            f"Expected JSON in {path.name}, got an error: {error}; mend the file."
        ) from error
    return value if isinstance(value, list) else [value]


def _object(path: Path, number: int, line: str) -> object:
    try:
        return parsed(line)
    except ValueError as error:
        raise UnreadableQuestions(
            f"Expected one JSON object a line in {path.name}, line {number} is none ({error}); "
            "mend that line."
        ) from error


def _layout_of(path: Path, row: Row) -> RowLayout:
    for layout in LAYOUTS:
        if set(layout.required) <= set(row):
            return layout
    wanted = " or ".join(", ".join(layout.required) for layout in LAYOUTS)
    have = ", ".join(str(name) for name in row if name)
    if len(row) == 1 and ";" in have:
        raise UnreadableQuestions(
            f"Expected columns parted by commas in {path.name}, found one column {have!r}; save "
            "it as CSV with commas."
        )
    raise UnreadableQuestions(
        f"Expected the columns {wanted} in {path.name}, found {have or 'none'}; rename the columns."
    )
