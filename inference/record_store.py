"""Where records are kept: one database, and the pictures by hash.

A record and its row are one transaction and are never changed afterwards.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from platformdirs import user_data_dir
from sqlalchemy import Connection, Engine, insert, select

from inference.database import DATA_VARIABLE, WRITES, database_url, open_database
from inference.errors import BadRecord
from inference.filters import EVERYTHING, RecordFilter, where
from inference.picture_files import keep_pictures
from inference.pictures import Picture
from inference.record_rows import row_of
from inference.records import Record, record_from_json
from inference.tables import DOCUMENTS, RECORDS
from viewer.study import Problem, is_of_one_session

FAILED = ("error", "cancelled")
"""How an ask ends that is worth making again."""

AT_ONCE = 500
"""Records of one transaction where many are kept together."""


def data_folder() -> Path:
    """Where the application keeps what the user made: MRI_VQA_DATA, else the user's data."""
    return Path(os.environ.get(DATA_VARIABLE) or user_data_dir("mri-vqa-viewer"))


@dataclass(frozen=True)
class Stored:
    """What a store holds, and the records that cannot be read, each with its reason."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...]


class RecordStore:
    """Records below one folder, or in the database that `url` names.

    Several threads and processes may append at once. The database is opened
    at its first use.
    """

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self.folder = folder
        self.url = url or database_url(folder)

    @cached_property
    def engine(self) -> Engine:
        """The open database, for reading."""
        return open_database(self.url)

    @cached_property
    def writing(self) -> Engine:
        """The same database; its transactions take the write lock when they begin."""
        return self.engine.execution_options(**WRITES)

    @property
    def pictures(self) -> Path:
        """The folder of `<sha256>.png`."""
        return self.folder / "pictures"

    def close(self) -> None:
        """Let go of every connection; the next use opens them again."""
        self.engine.dispose()

    def append(self, record: Record, pictures: Sequence[Picture] = ()) -> None:
        """Keep a record and its pictures; returns once the transaction is committed.

        Nothing is kept of a study that one session opened from its own files.
        """
        if is_of_one_session(record.case):
            return
        keep_pictures(self.pictures, pictures)
        with self.writing.begin() as connection:
            _insert(connection, [record])

    def append_many(self, records: Sequence[Record]) -> int:
        """Keep those whose id is not yet here, many a transaction; how many were new."""
        fresh = 0
        for start in range(0, len(records), AT_ONCE):
            part = {record.id: record for record in records[start : start + AT_ONCE]}
            with self.writing.begin() as connection:
                known = connection.scalars(select(RECORDS.c.id).where(RECORDS.c.id.in_(part)))
                for known_id in known.all():
                    del part[known_id]
                _insert(connection, list(part.values()))
            fresh += len(part)
        return fresh

    def find(self, key: str) -> Record | None:
        """The newest record of that key whose ask neither failed nor was cancelled."""
        chosen = RECORDS.c.key == key, RECORDS.c.finish.not_in(FAILED)
        newest = select(RECORDS.c.id).where(*chosen).order_by(RECORDS.c.number.desc()).limit(1)
        with self.engine.connect() as connection:
            found = connection.scalar(
                select(DOCUMENTS.c.document).where(DOCUMENTS.c.id == newest.scalar_subquery())
            )
        return None if found is None else record_from_json(json.loads(found))

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of `keys` that `find` would find."""
        found: set[str] = set()
        with self.engine.connect() as connection:
            for start in range(0, len(keys), AT_ONCE):
                part = RECORDS.c.key.in_(keys[start : start + AT_ONCE])
                asked = select(RECORDS.c.key).where(part, RECORDS.c.finish.not_in(FAILED))
                found |= set(connection.scalars(asked))
        return found

    def truths(self, keys: Sequence[str]) -> dict[str, str | None]:
        """By which option (None: none) the record that `find` would find was graded, by its key."""
        found: dict[str, str | None] = {}
        with self.engine.connect() as connection:
            for start in range(0, len(keys), AT_ONCE):
                part = RECORDS.c.key.in_(keys[start : start + AT_ONCE])
                asked = select(RECORDS.c.key, RECORDS.c.truth).where(
                    part, RECORDS.c.finish.not_in(FAILED)
                )
                rows = connection.execute(asked.order_by(RECORDS.c.number))
                found |= {row.key: row.truth for row in rows}
        return found

    def record(self, record_id: str) -> Record:
        """The record of that id, or of the one id that begins so; `BadRecord` else."""
        begins = RECORDS.c.id.startswith(record_id, autoescape=True)
        with self.engine.connect() as connection:
            found = connection.scalars(
                select(DOCUMENTS.c.document).join(RECORDS).where(begins).limit(2)
            ).all()
        if not record_id or len(found) != 1:
            raise BadRecord(
                f"Expected the id of one record, {'several begin' if found else 'none begins'} "
                f"with {record_id!r}; take an id from the results."
            )
        return record_from_json(json.loads(found[0]))

    def documents(self, chosen: RecordFilter = EVERYTHING) -> Iterator[str]:
        """The JSON of every record that passes, in the order of writing."""
        asked = select(DOCUMENTS.c.document).join(RECORDS).where(*where(chosen))
        with self.engine.connect() as connection:
            rows = connection.execution_options(yield_per=AT_ONCE)
            yield from rows.scalars(asked.order_by(RECORDS.c.number))

    def read(self, chosen: RecordFilter = EVERYTHING) -> Stored:
        """Every record that passes, in the order of writing."""
        records, problems = [], []
        for number, document in enumerate(self.documents(chosen), start=1):
            try:
                records.append(record_from_json(json.loads(document)))
            except (ValueError, BadRecord) as error:
                problems.append(Problem(f"record {number}", str(error)))
        return Stored(tuple(records), tuple(problems))

    def select(self, chosen: RecordFilter = EVERYTHING) -> tuple[Record, ...]:
        """The readable records that pass."""
        return self.read(chosen).records


def _insert(connection: Connection, records: Sequence[Record]) -> None:
    if not records:
        return
    connection.execute(insert(RECORDS), [row_of(record) for record in records])
    connection.execute(
        insert(DOCUMENTS),
        [
            {"id": record.id, "document": json.dumps(record.to_json(), allow_nan=False)}
            for record in records
        ],
    )
