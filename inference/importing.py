"""Answers that were made elsewhere as records of an `imported` model.

A laptop without a GPU can so inspect a finished run. Records exported from
here as JSON lines come back as they were, with their ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from inference.ablations import ablation_named
from inference.answer_rows import LAYOUTS, Given, given_of, layout_of
from inference.choices import order_of
from inference.errors import BadOrder, BadRecord, UnfitFile, UnknownQuestion
from inference.export_rows import COLUMNS
from inference.exported_rows import (
    KEY,
    OWN_SLICES,
    RULE,
    SHOWN_ORDER,
    most_probable_of,
    order_shown,
)
from inference.keys import Asked
from inference.markers import Offered
from inference.matching import study_key
from inference.orders import Order
from inference.parsing import Answer, parse
from inference.pictures import PictureSettings
from inference.prompts import MARKS
from inference.question_files import MOST_BYTES, read_rows
from inference.question_rows import Row
from inference.questions import Question
from inference.record_rows import counted_name
from inference.records import IMPORTED, Record, record_from_json
from inference.replies import Finish
from inference.reply_text import split_thinking
from inference.scoring import grade, substring_grade
from inference.spreadsheets import unguarded
from viewer.errors import UserError
from viewer.study import Problem

NOT_STATED = "not stated"
"""Of a representation that the file does not name."""

GUARDED = set(COLUMNS) - {KEY, OWN_SLICES, RULE, SHOWN_ORDER}
"""Columns by which a CSV is known for one that was exported from here, by older versions too."""

FAILED = "The file says that this ask failed"
UNKNOWN = "its question is not known; give the question file with --questions"


@dataclass(frozen=True)
class Labels:
    """What the file does not say itself: who answered, from what, in which order."""

    model: str = ""
    representation: str = NOT_STATED
    ordering: str = "original"


@dataclass(frozen=True)
class Imported:
    """The records of a file and the rows that could not be read, each with its reason."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...]


def read_answers(
    path: Path, questions: Sequence[Question] = (), labels: Labels | None = None
) -> Imported:
    """Every answer of the file.

    `questions` are looked through where a row does not hold its options.
    `UnfitFile` where the file is none or has none of the known columns.
    """
    rows = _rows(path)
    if rows and {"key", "picture_details"} <= set(rows[0]):
        return _own_records(path, rows)
    layout = layout_of(rows[0]) if rows else None
    if layout is None:
        known = "; ".join(dict.fromkeys(layout.name for layout in LAYOUTS))
        have = ", ".join(map(str, rows[0])) if rows else "no row"
        raise UnfitFile(
            f"Expected answers in {path.name} in one of these layouts ({known}), found {have}; "
            "rename the columns."
        )
    labels = labels or Labels()
    known_questions = _Known(questions)
    seen = _Repeats()
    records, problems = [], []
    for number, row in enumerate(rows, start=1):
        try:
            given = given_of(row, layout, number)
            question = known_questions.find(given)
            if question is None:
                raise UnknownQuestion(UNKNOWN)
            records.append(_record(given, question, labels, path.stem, seen))
        except UserError as error:
            problems.append(Problem(f"{path.name}, row {number}", str(error)))
    return Imported(tuple(records), tuple(problems))


class _Repeats:
    """Numbers the asks that are named alike, from 0; records of one ask share its number."""

    def __init__(self) -> None:
        self._asks: dict[tuple[str, ...], list[str]] = {}

    def number(self, place: tuple[str, ...], key: str) -> int:
        """`key` is the ask's own, empty where the file has none: then each row is an ask."""
        asks = self._asks.setdefault(place, [])
        if not key or key not in asks:
            asks.append(key)
            return len(asks) - 1
        return asks.index(key)


class _Known:
    """Questions by what a row may name them by."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._by_id = {(study_key(q.study_id), q.id): q for q in questions}
        self._by_stem = {(study_key(q.study_id), q.stem): q for q in questions}
        ids = Counter(q.id for q in questions)
        self._by_id_alone = {q.id: q for q in questions if ids[q.id] == 1}
        self._all = tuple(questions)

    def find(self, given: Given) -> Question | None:
        """By case and id, by case and words, by an id that occurs once; else the row's own."""
        case = study_key(given.case)
        return (
            self._by_id.get((case, given.question_id))
            or self._by_stem.get((case, given.stem))
            or (None if given.case else self._by_id_alone.get(given.question_id))
            or given.question
            or self._asked_in(given)
        )

    def _asked_in(self, given: Given) -> Question | None:
        """By its place in the file, if the prompt holds its words; else the one that it holds."""
        if not given.prompt:
            return None
        if given.place is not None and given.place < len(self._all):
            question = self._all[given.place]
            if _holds(given.prompt, question):
                return question
        held = [question for question in self._all if _holds(given.prompt, question)]
        return held[0] if len(held) == 1 else None


def _holds(prompt: str, question: Question) -> bool:
    return all(text in prompt for text in (question.stem, *question.options))


def _record(given: Given, question: Question, labels: Labels, file: str, seen: _Repeats) -> Record:
    told = given.exported
    ordering = given.ordering or ("" if told.order else labels.ordering)
    order = _order(given, question, ordering)
    representation = counted_name(
        given.representation or labels.representation, told.masks, told.own_slices
    )
    model = IMPORTED + (given.model or labels.model or file).removeprefix(IMPORTED)
    place = (model, question.study_id, question.id, representation, ordering)
    repeat = seen.number(place, told.key)
    answer, finish = _answer(given, question, order), _finish(given)
    judged = ablation_named(told.ablation)[0].judge(question) if told.ablation else question
    truth = question.truth
    name = "\0".join((*place, str(repeat), *filter(None, [told.ablation]), given.text))
    return Record(
        id=sha256(name.encode(errors="surrogatepass")).hexdigest()[:32],
        time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        case=question.study_id,
        question_id=question.id,
        stem=question.stem,
        options=question.options,
        category=question.category,
        truth=question.answer,
        order=order,
        ordering=ordering,
        letters=tuple(MARKS["letters"][: len(order)]),
        representation=representation,
        settings=PictureSettings(),
        slices={},
        pictures=(),
        mask=None,
        notes=(f"imported from {file}",),
        prompt="",
        model=model,
        revision=None,
        dtype=None,
        asked=Asked(score=told.scored, generate=not told.scored, words=False, answer_start=""),
        generation={"repeat": repeat},
        answer=answer,
        scores=None,
        raw=given.text,
        thinking=split_thinking(given.text).thinking,
        finish=finish,
        error=f"{FAILED}: {given.text[:200]}" if finish == "error" else None,
        tokens=0,
        seconds=0.0,
        score=grade(answer, judged),
        substring_grade=substring_grade(given.text, truth) if truth and not told.scored else None,
        ablation=told.ablation,
    )


def _order(given: Given, question: Question, ordering: str) -> Order:
    """The order that was shown. `BadOrder` where the file only says that there was another."""
    shown = order_shown(given.exported, question)
    if shown is None and ordering == "shuffled" and question.shuffled is None:
        raise BadOrder(
            "Expected the order in which the options were shown, got only that they were shuffled; "
            "give the question file with its shuffled options by --questions."
        )
    return shown or order_of(question, ordering)


def _answer(given: Given, question: Question, order: Order) -> Answer:
    if given.exported.scored:
        return most_probable_of(given.exported, question)
    shown = tuple(question.options[index] for index in order)
    letters = tuple(MARKS["letters"][: len(order)])
    return parse(given.text, Offered(shown, letters, order), _finish(given))


def _finish(given: Given) -> Finish:
    return "error" if given.failed else given.exported.finish


def _own_records(path: Path, rows: Sequence[Row]) -> Imported:
    records, problems = [], []
    for number, row in enumerate(rows, start=1):
        try:
            records.append(record_from_json(row))
        except BadRecord as error:
            problems.append(Problem(f"{path.name}, row {number}", str(error)))
    return Imported(tuple(records), tuple(problems))


def _rows(path: Path) -> list[Row]:
    if not path.is_file():
        raise UnfitFile(f"Expected a file of answers at {path}, found none; check the path.")
    if path.suffix.lower() == ".xlsx":
        return _sheet_rows(path)
    rows = read_rows(path)
    if rows and path.suffix.lower() == ".csv" and set(rows[0]) >= GUARDED:
        return [{name: unguarded(str(cell)) for name, cell in row.items()} for row in rows]
    if len(rows) == 1 and isinstance(rows[0].get("logs"), list):
        logs: list[Row] = rows[0]["logs"]  # lmms-eval before 0.3: one document with all samples
        if not all(isinstance(log, dict) for log in logs):
            raise UnfitFile(
                f"Expected samples under logs in {path.name}, got other values; mend it."
            )
        return logs
    return rows


def _sheet_rows(path: Path) -> list[Row]:
    """The first sheet of a workbook; every cell as text."""
    from openpyxl import load_workbook

    try:
        unpacked = sum(part.file_size for part in ZipFile(path).infolist())
        if unpacked > MOST_BYTES:
            raise ValueError("too large")
        with closing(load_workbook(path, read_only=True, data_only=True)) as book:
            cells = book.worksheets[0].iter_rows(values_only=True)
            names = [str(name) for name in next(cells, ())]
            rows: list[Row] = [
                {n: "" if c is None else str(c) for n, c in zip(names, row, strict=False)}
                for row in cells
            ]
    except Exception as error:  # openpyxl lets its parsers' own errors through
        raise UnfitFile(
            f"Expected an Excel workbook of at most {MOST_BYTES >> 20} MiB unpacked in "
            f"{path.name}, which cannot be read ({type(error).__name__}); save it anew as .xlsx "
            "or CSV."
        ) from error
    return rows
