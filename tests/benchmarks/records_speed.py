"""Speed of the records: append, results, filter and export over 100,000 made-up records.

    python -m tests.benchmarks.records_speed [--records 100000] [--folder DIR]

Prints one JSON document; nothing is asserted, since a busy machine is no fault
of the code: `*_cpu_s` is what the process itself took, beside the wall clock.
The limits to compare with stand in `LIMITS`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from inference.exports import export_records
from inference.filters import RecordFilter
from inference.record_store import RecordStore
from inference.records import Record
from inference.results import results
from inference.results_tables import comparison
from inference.review_list import listed
from tests.inference.made_records import made

LIMITS = {"append_per_s": 500, "results_s": 2.0, "filter_s": 0.3, "export_s": 20.0}
SINGLE = 2_000
"""Records that are appended one by one, each in its own transaction."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(arguments.folder or Path(folder), arguments.records)
    print(json.dumps({"limits": LIMITS, **measured}, indent=2))


def measure(folder: Path, count: int) -> dict[str, Any]:
    store, rng = RecordStore(folder), random.Random(0)
    records = [record(n, rng) for n in range(count)]
    one_by_one = records[: min(SINGLE, count)]
    single = seconds(lambda: [store.append(each) for each in one_by_one])
    bulk = seconds(lambda: store.append_many(records[len(one_by_one) :]))
    wrong = RecordFilter(model=("model-1",), representation=("montage",), score=("wrong",))
    texts = RecordFilter(text="hemisphere 7?")
    return {
        "records": count,
        "load_average": os.getloadavg(),
        "append_per_s": len(one_by_one) / single,
        "append_many_per_s": (count - len(one_by_one)) / bulk if bulk else None,
        **timed("results", lambda: comparison(results(store.engine))),
        **timed("filter", lambda: listed(store.engine, wrong)),
        **timed("filter_text", lambda: listed(store.engine, texts)),
        **timed("export_jsonl", lambda: export_records(store, folder / "all.jsonl")),
        **timed("export_csv", lambda: export_records(store, folder / "all.csv")),
        **timed("export_xlsx", lambda: export_records(store, folder / "all.xlsx")),
        "database_mb": (folder / "records.sqlite").stat().st_size / 1e6,
    }


def record(n: int, rng: random.Random) -> Record:
    """The n-th of a plan of 3 models x 2 representations x 2 orders over many questions."""
    question, rest = divmod(n, 12)
    model, rest = divmod(rest, 4)
    representation, order = divmod(rest, 2)
    raw = rng.choice(["A", "B", "C", "D", "I cannot tell."])
    return replace(
        made(raw, truth=question % 4),
        case=f"UCSF-PDGM-{question // 24:04d}",
        question_id=f"q{question}",
        stem=f"In which hemisphere {question % 100}?",
        model=f"model-{model}",
        representation=("montage", "text-only")[representation],
        ordering=("original", "shuffled")[order],
        category=f"category {question % 8}",
    )


def timed(name: str, work: Callable[[], object]) -> dict[str, float]:
    """Seconds by the clock, and those of this process alone."""
    cpu = time.process_time()
    wall = seconds(work)
    return {f"{name}_s": wall, f"{name}_cpu_s": time.process_time() - cpu}


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
