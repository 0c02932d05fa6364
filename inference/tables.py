"""The tables of the database, the same on SQLite and PostgreSQL.

A record is kept twice over: whole, as the JSON that can be replayed, and as a
slim row of what is counted and filtered. The whole text stands in a table of
its own, so that counting never reads it.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

COUNTED = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column called INTEGER."""

RECORDS = Table(
    "records",
    METADATA,
    Column("number", COUNTED, primary_key=True, autoincrement=True),
    Column("id", String, unique=True, nullable=False),
    Column("key", String(64), nullable=False),
    Column("time", String, nullable=False),
    Column("case", String, nullable=False),
    Column("question_id", String, nullable=False),
    Column("stem", Text, nullable=False),
    Column("category", String),
    Column("model", String, nullable=False),
    Column("revision", String),
    Column("representation", String, nullable=False),
    Column("ordering", String, nullable=False),
    Column("ablation", String),
    Column("truth", Text),
    Column("answer", Text),
    Column("yes_no", Boolean, nullable=False),
    Column("status", String, nullable=False),
    Column("score", String, nullable=False),
    Column("substring_grade", Boolean),
    Column("finish", String, nullable=False),
    Column("seconds", Float, nullable=False),
    Index("records_key", "key"),
    Index("records_by_model", "model", "representation", "score"),
    Index("records_by_question", "case", "question_id"),
)
"""`truth` and `answer` are option texts, `yes_no` says that Yes and No are among the options."""

DOCUMENTS = Table(
    "documents",
    METADATA,
    Column("id", String, ForeignKey("records.id"), primary_key=True),
    Column("document", Text, nullable=False),
)

CLAIMS = Table(
    "claims",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("owner", String, nullable=False),
    Column("until", Float, nullable=False),
)
"""Asks that a run is about to make: by whom, and until when (seconds since 1970) it holds."""

REVIEWS = Table(
    "reviews",
    METADATA,
    Column("record_id", String, ForeignKey("records.id"), primary_key=True),
    Column("reviewer", String, primary_key=True),
    Column("tags", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("time", String, nullable=False),
)
"""One row a record and reviewer; `tags` and `scores` are JSON."""

READER_STUDIES = Table(
    "reader_studies",
    METADATA,
    Column("name", String, primary_key=True),
    Column("seed", BigInteger, nullable=False),
    Column("items", Text, nullable=False),
    Column("time", String, nullable=False),
)
"""Selections of questions for human readers, never changed; `items` is JSON with each by value."""

READER_ANSWERS = Table(
    "reader_answers",
    METADATA,
    Column("number", COUNTED, primary_key=True, autoincrement=True),
    Column("study", String, ForeignKey("reader_studies.name"), nullable=False),
    Column("reader", String, nullable=False),
    Column("item", Integer, nullable=False),
    Column("answer", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("time", String, nullable=False),
    Index("reader_answers_of", "study", "reader"),
)
"""Append-only: a changed answer is another row. `answer` is JSON; `item` counts from 0."""

READER_EVENTS = Table(
    "reader_events",
    METADATA,
    Column("number", COUNTED, primary_key=True, autoincrement=True),
    Column("study", String, ForeignKey("reader_studies.name"), nullable=False),
    Column("reader", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("item", Integer),
    Column("seconds", Float),
    Column("time", String, nullable=False),
    Index("reader_events_of", "study", "reader"),
)
"""Append-only: when a reader began, looked at a question for some seconds, and saw the truth."""
