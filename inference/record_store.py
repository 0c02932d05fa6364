"""Where records are kept: one append-only JSON-lines file, and the pictures by hash.

A line is written whole, flushed to the disk, and never changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_dir

from inference.errors import BadRecord
from inference.picture_files import keep_pictures
from inference.pictures import Picture
from inference.records import Record, record_from_json
from viewer.study import Problem

DATA_VARIABLE = "MRI_VQA_DATA"


def data_folder() -> Path:
    """Where the application keeps what the user made: MRI_VQA_DATA, else the user's data."""
    return Path(os.environ.get(DATA_VARIABLE) or user_data_dir("mri-vqa-viewer"))


@dataclass(frozen=True)
class Stored:
    """What a record file holds, and its lines that cannot be read, each with its reason."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class RecordStore:
    """Records below one folder. Several threads and processes may append at once."""

    folder: Path

    @property
    def path(self) -> Path:
        """The file with one record a line."""
        return self.folder / "records.jsonl"

    @property
    def pictures(self) -> Path:
        """The folder of `<sha256>.png`."""
        return self.folder / "pictures"

    def append(self, record: Record, pictures: Sequence[Picture] = ()) -> None:
        """Keep a record and its pictures; returns once they are on the disk."""
        self.folder.mkdir(parents=True, exist_ok=True)
        keep_pictures(self.pictures, pictures)
        line = json.dumps(record.to_json(), ensure_ascii=False, allow_nan=False) + "\n"
        # One write to a file opened for appending lands in one piece.
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, (_unless_whole(self.path) + line).encode())
            os.fsync(file)
        finally:
            os.close(file)

    def read(self) -> Stored:
        """Every record in the order of writing."""
        if not self.path.is_file():
            return Stored((), ())
        records, problems = [], []
        lines = self.path.read_text(encoding="utf-8", errors="replace").split("\n")
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                records.append(record_from_json(json.loads(line)))
            except (ValueError, BadRecord) as error:
                problems.append(Problem(f"{self.path.name}, line {number}", str(error)))
        return Stored(tuple(records), tuple(problems))


def _unless_whole(path: Path) -> str:
    """A line end where the last writer was stopped in the middle of its line."""
    if path.stat().st_size == 0:
        return ""
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return "" if file.read(1) == b"\n" else "\n"
