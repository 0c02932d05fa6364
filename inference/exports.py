"""Records out of the database: raw as JSON lines, as tables, or as a report to read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from inference.case_report import write_report
from inference.errors import UnfitFile
from inference.export_rows import COLUMNS, export_row
from inference.filters import EVERYTHING, RecordFilter
from inference.record_store import RecordStore
from inference.spreadsheets import write_csv
from inference.workbooks import write_xlsx
from viewer.written import whole_file, writing

Write = Callable[[RecordStore, Path, RecordFilter], int]


def export_records(store: RecordStore, path: Path, chosen: RecordFilter = EVERYTHING) -> int:
    """Write the records that pass in the format of the file's ending; how many they are.

    The file appears whole or not at all. `UnfitFile` lists the endings;
    `UnwritableFile` where the disk refuses it.
    """
    write = FORMATS.get(path.suffix.lower())
    if write is None:
        raise UnfitFile(
            f"Expected a file that ends in {', '.join(FORMATS)}, got {path.name!r}; "
            "choose one of these."
        )
    with writing(path), whole_file(path) as fresh:
        return write(store, fresh, chosen)


def _jsonl(store: RecordStore, path: Path, chosen: RecordFilter) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for document in store.documents(chosen):
            file.write(document + "\n")
            count += 1
    return count


def _csv(store: RecordStore, path: Path, chosen: RecordFilter) -> int:
    rows = (export_row(json.loads(document)) for document in store.documents(chosen))
    return write_csv(path, list(COLUMNS), rows)


def _xlsx(store: RecordStore, path: Path, chosen: RecordFilter) -> int:
    rows = (export_row(json.loads(document)) for document in store.documents(chosen))
    return write_xlsx(path, list(COLUMNS), rows)


FORMATS: dict[str, Write] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".html": write_report,
}
