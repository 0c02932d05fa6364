"""Results from the records: every figure is derived anew, nothing is stored.

One ask counts once: of several records with one key the newest that did not
fail. Ablations are never mixed with the asks as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sqlalchemy import Engine, case, select

from inference.counts import SCORES, Tally, YesNo
from inference.filters import EVERYTHING, RecordFilter, where
from inference.record_rows import WITHOUT_PICTURE, plain_word
from inference.tables import RECORDS

COLUMNS = (
    "key", "case", "question_id", "category", "model", "revision", "representation",
    "ordering", "ablation", "truth", "answer", "yes_no", "score", "substring_grade", "finish",
)  # fmt: skip
YES_NO_ONLY = ("truth", "answer")
FAILED = ("error", "cancelled")


@dataclass(frozen=True)
class Row:
    """One line of a table: which asks it counts, and the counts."""

    model: str
    revision: str | None
    representation: str
    reshuffled: bool
    tally: Tally
    ablation: str | None = None
    category: str | None = None


@dataclass(frozen=True)
class YesNoRow:
    """Precision, recall and the rest of one model under one representation."""

    model: str
    representation: str
    reshuffled: bool
    counts: YesNo


@dataclass(frozen=True)
class Hard:
    """A question and how many of the models that were asked it fail it."""

    case: str
    question_id: str
    failed: int
    models: int


@dataclass(frozen=True)
class Results:
    """Everything that the results page shows; each part is a tuple of rows."""

    asks: int
    table: tuple[Row, ...]
    ablations: tuple[Row, ...]
    categories: tuple[Row, ...]
    yes_no: tuple[YesNoRow, ...]
    hard: tuple[Hard, ...]


def results(engine: Engine, chosen: RecordFilter = EVERYTHING) -> Results:
    """Count the records that pass."""
    asks = read_asks(engine, chosen)
    plain = asks[asks["ablation"].isna()]
    by = ["model", "revision", "representation", "reshuffled"]
    return Results(
        asks=len(asks),
        table=tuple(_rows(plain, by)),
        ablations=tuple(_rows(asks[asks["ablation"].notna()], [*by, "ablation"])),
        categories=tuple(_rows(plain[plain["category"].notna()], [*by, "category"])),
        yes_no=tuple(_yes_no_rows(plain)),
        hard=_hard(plain),
    )


def read_asks(engine: Engine, chosen: RecordFilter = EVERYTHING) -> Any:
    """The asks that pass as a data frame of `COLUMNS`, one row an ask.

    `truth` and `answer` are read of yes/no questions only: nothing else looks at them.
    """
    wanted = select(*(_column(name) for name in COLUMNS)).where(*where(chosen))
    with engine.connect() as connection:
        # The driver's own tuples: SQLAlchemy's rows cost as much again as reading them.
        cursor = connection.execute(wanted.order_by(RECORDS.c.number)).cursor
        rows = [] if cursor is None else cursor.fetchall()
    asks = pd.DataFrame.from_records(rows, columns=list(COLUMNS))
    failed = asks["finish"].isin(FAILED)
    asks = pd.concat([asks[failed], asks[~failed]]).drop_duplicates("key", keep="last")
    return asks.assign(
        reshuffled=asks["ordering"] != "original",
        question=asks["case"] + "\0" + asks["question_id"],
    )


def _column(name: str) -> Any:
    column = RECORDS.c[name]
    return case((RECORDS.c.yes_no, column)).label(name) if name in YES_NO_ONLY else column


def _rows(asks: Any, by: list[str]) -> Iterator[Row]:
    """A row for each group, in the order of their names."""
    keyed = asks.assign(group=asks.groupby(by, dropna=False, sort=True).ngroup())
    heads = keyed.drop_duplicates("group").set_index("group")[by].sort_index()
    scores = pd.crosstab(keyed["group"], keyed["score"])
    questions = keyed[keyed["score"] != "no truth"].groupby("group")["question"].nunique()
    replies = keyed[keyed["substring_grade"].notna()].groupby("group")["substring_grade"]
    right, graded = replies.sum(), replies.size()
    for group, head in heads.iterrows():
        named: dict[str, Any] = {
            name: None if pd.isna(value) else value for name, value in head.items()
        }
        counts = {score: int(scores.at[group, score]) for score in SCORES if score in scores}
        yield Row(
            **named,
            tally=Tally(
                {score: count for score, count in counts.items() if count},
                int(questions.get(group, 0)),
                int(right.get(group, 0)),
                int(graded.get(group, 0)),
            ),
        )


def _yes_no_rows(asks: Any) -> Iterator[YesNoRow]:
    """Questions that have a Yes and a No among their options and one of them as truth."""
    asked = asks[asks["yes_no"].astype(bool) & asks["truth"].notna()]
    asked = asked.assign(
        truth=asked["truth"].map(plain_word), answer=asked["answer"].fillna("").map(plain_word)
    )
    asked = asked[asked["truth"].isin(["yes", "no"])]
    for head, group in asked.groupby(["model", "representation", "reshuffled"], sort=True):
        pairs = group.groupby(["truth", "answer"]).size().to_dict()

        def count(truth: str, answer: str, pairs: Any = pairs) -> int:
            return int(pairs.get((truth, answer), 0))

        totals = group["truth"].value_counts().to_dict()
        yes, no = ((count(truth, "yes"), count(truth, "no")) for truth in ("yes", "no"))
        others = [int(totals.get(t, 0)) - sum(pair) for t, pair in (("yes", yes), ("no", no))]
        model, representation, reshuffled = head
        counts = YesNo(*yes, others[0], *no, others[1])
        yield YesNoRow(model, representation, bool(reshuffled), counts)


def _hard(asks: Any) -> tuple[Hard, ...]:
    """Questions that any model fails, the hardest first.

    A model fails a question that it answers rightly in less than half of its
    asks with a picture, in the file's own order.
    """
    seen = asks[
        ~asks["representation"].isin(WITHOUT_PICTURE)
        & ~asks["reshuffled"]
        & (asks["score"] != "no truth")
    ]
    seen = seen.assign(right=seen["score"] == "right")
    share = seen.groupby(["case", "question_id", "model"])["right"].mean().reset_index()
    share = share.assign(failed=share["right"] < 0.5)
    counts = share.groupby(["case", "question_id"])["failed"].agg(["sum", "size"]).reset_index()
    counts = counts[counts["sum"] > 0].sort_values(
        ["sum", "case", "question_id"], ascending=[False, True, True]
    )
    return tuple(
        Hard(of, question, int(failed), int(models))
        for of, question, failed, models in counts.itertuples(index=False)
    )
