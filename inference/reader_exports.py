"""Reader studies out of the database: every row, as tables or as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from inference.errors import UnfitFile
from inference.exported_rows import order_cell
from inference.option_lists import options_cell
from inference.reader_answers import Given, answers_of, events_of
from inference.reader_studies import ReaderStudy, study_named, study_names
from inference.spreadsheets import write_csv
from inference.workbooks import Cell, write_xlsx
from viewer.written import whole_file, writing

COLUMNS = (
    "study", "seed", "reader", "place", "case", "question_id", "question", "options", "order",
    "category", "truth", "answer", "letter", "right", "answerable", "relevant", "confidence",
    "sequences", "comment", "seconds", "time", "counts",
)  # fmt: skip
"""`place` counts from 1 in the reader's own order; `counts` is true for the newest row of each."""


def export_readers(engine: Engine, path: Path, names: Sequence[str] = ()) -> int:
    """Write the answers of these studies, else of all; how many rows.

    The file appears whole or not at all. `UnfitFile` lists the endings;
    `UnwritableFile` where the disk refuses it.
    """
    write = FORMATS.get(path.suffix.lower())
    if write is None:
        raise UnfitFile(
            f"Expected a file that ends in {', '.join(FORMATS)}, got {path.name!r}; "
            "choose one of these."
        )
    studies = [study_named(engine, name) for name in names or study_names(engine)]
    with writing(path), whole_file(path) as fresh:
        return write(engine, fresh, studies)


def _csv(engine: Engine, path: Path, studies: Sequence[ReaderStudy]) -> int:
    return write_csv(path, COLUMNS, _table(engine, studies))


def _xlsx(engine: Engine, path: Path, studies: Sequence[ReaderStudy]) -> int:
    return write_xlsx(path, COLUMNS, _table(engine, studies))


def _jsonl(engine: Engine, path: Path, studies: Sequence[ReaderStudy]) -> int:
    lines = [line for study in studies for line in _lines(engine, study)]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return len(lines)


def _lines(engine: Engine, study: ReaderStudy) -> Iterator[dict[str, Any]]:
    """The study whole, then its rows as they are kept."""
    yield {"kind": "study", **asdict(study)}
    for given in answers_of(engine, study.name):
        yield {"kind": "answer", "study": study.name, **asdict(given)}
    for event in events_of(engine, study.name):
        yield {**asdict(event), "kind": "event", "event": event.kind, "study": study.name}


def _table(engine: Engine, studies: Sequence[ReaderStudy]) -> Iterator[list[Cell]]:
    for study in studies:
        rows = answers_of(engine, study.name)
        newest = {(given.reader, given.item): given for given in rows}
        for given in rows:
            yield _row(study, given, newest[given.reader, given.item] is given)


def _row(study: ReaderStudy, given: Given, counts: bool) -> list[Cell]:
    item, answer = study.items[given.item], given.answer
    place, position = study.order_for(given.reader).index(given.item), item.position(answer.option)
    right = None if item.truth is None else answer.option == item.truth
    return [
        study.name, study.seed, given.reader, place + 1, item.case, item.question_id, item.stem,
        options_cell(item.options), order_cell(item.order), item.category,
        None if item.truth is None else item.options[item.truth],
        None if answer.option is None else item.options[answer.option],
        None if position is None else item.letters[position],
        right, answer.answerable, answer.relevant, answer.confidence,
        ", ".join(answer.sequences), answer.comment, given.seconds, given.time, counts,
    ]  # fmt: skip


FORMATS: dict[str, Callable[[Engine, Path, Sequence[ReaderStudy]], int]] = {
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".jsonl": _jsonl,
}
