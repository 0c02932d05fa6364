"""A report to read and pass on: one HTML file with pictures, answers, truth and review tags.

It names no study, no file, no machine and no reviewer: cases are numbered in
the order in which they first occur. Pictures stand inside the file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from inference.errors import UnfitFile
from inference.filters import RecordFilter
from inference.html import render_html
from inference.record_store import RecordStore
from inference.records import IMPORTED
from inference.reviews import Review, reviews_of
from inference.shown_slices import OF_ANOTHER_STUDY

LIMIT = 2_000
"""Most answers of one report: pictures stand inside it, and people read it."""


def write_report(store: RecordStore, path: Path, chosen: RecordFilter) -> int:
    """Write the report of the records that pass; how many answers it holds.

    `UnfitFile` where they are more than anybody reads.
    """
    records = [json.loads(document) for document in store.documents(chosen)]
    if len(records) > LIMIT:
        raise UnfitFile(
            f"Expected at most {LIMIT} answers for a report, got {len(records)}; choose fewer "
            "(by case or model), or export them as .xlsx."
        )
    reviews = reviews_of(store.engine, [record["id"] for record in records])
    cases = list(dict.fromkeys(record["case"] for record in records))
    html = render_html(
        "report.html",
        cases=[
            (
                f"Case {number}",
                _questions([r for r in records if r["case"] == case], store, reviews),
            )
            for number, case in enumerate(cases, start=1)
        ],
        count=len(records),
    )
    path.write_text(html, encoding="utf-8")
    return len(records)


def _questions(
    records: Sequence[Mapping[str, Any]],
    store: RecordStore,
    reviews: Mapping[str, Sequence[Review]],
) -> Iterator[dict[str, Any]]:
    """The questions of one case, each with all its answers."""
    for question in dict.fromkeys(record["question_id"] for record in records):
        asked = [record for record in records if record["question_id"] == question]
        yield {
            "stem": asked[0]["stem"],
            "options": asked[0]["options"],
            "truth": asked[0]["truth"],
            "answers": [_answer(record, store, reviews.get(record["id"], ())) for record in asked],
        }


def _answer(
    record: Mapping[str, Any], store: RecordStore, reviews: Sequence[Review]
) -> dict[str, Any]:
    return {
        "model": _model(record["model"]),
        "representation": record["representation"],
        "ordering": record["ordering"],
        "ablation": _ablation(record["ablation"] or ""),
        "answer": record["answer"]["text"] or record["answer"]["status"],
        "score": record["score"],
        "raw": record["raw"],
        "tags": sorted({tag for review in reviews for tag in review.tags}),
        "notes": [review.note for review in reviews if review.note],
        "pictures": list(_pictures(record, store)),
    }


def _model(name: str) -> str:
    """The model; of an imported one only that it is: its name may be that of a person's file."""
    if name.startswith(IMPORTED):
        return IMPORTED.removesuffix(":")
    return Path(name).name if "/" in name else name


def _ablation(name: str) -> str:
    """The ablation; of another study's pictures not whose they are."""
    row = name.partition(":")[0]
    return row if row == OF_ANOTHER_STUDY else name


def _pictures(record: Mapping[str, Any], store: RecordStore) -> Iterator[tuple[str, str]]:
    """(data URL, caption) of each picture that is still kept."""
    for detail in record["picture_details"]:
        path = store.pictures / f"{detail['sha256']}.png"
        if path.is_file():
            encoded = base64.b64encode(path.read_bytes()).decode()
            yield f"data:image/png;base64,{encoded}", detail["caption"]
