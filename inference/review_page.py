"""What a reviewer sees: the list, one record with its pictures, and the form, as HTML."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inference.cards import answer_card
from inference.error_tags import CRITERIA, HIGHEST, TAGS
from inference.filters import EVERYTHING, RecordFilter
from inference.html import render_html
from inference.record_store import RecordStore
from inference.records import Record
from inference.review_list import PAGE, listed, reviewed
from inference.reviews import review_by, reviews_of
from inference.shown_slices import ShownSlices

KEYS = "1234567890-="
"""The key of each tag, in their order."""


def list_html(
    store: RecordStore, reviewer: str, chosen: RecordFilter = EVERYTHING, page: int = 0
) -> str:
    """One page of the records that pass, with who has reviewed them, and how far `reviewer` is."""
    found = listed(store.engine, chosen, page)
    by_record = reviews_of(store.engine, [item.id for item in found.items])
    done, total = reviewed(store.engine, reviewer, chosen)
    return render_html(
        "review_list.html",
        items=[
            (
                item,
                reviewer.strip() in {r.reviewer for r in by_record.get(item.id, [])},
                len(by_record.get(item.id, [])),
            )
            for item in found.items
        ],
        first=page * PAGE + 1 if found.items else 0,
        last=page * PAGE + len(found.items),
        total=total,
        done=done,
        reviewer=reviewer.strip(),
    )


def record_html(store: RecordStore, record: Record, shown: ShownSlices | None = None) -> str:
    """Question, pictures as they were sent, answer and truth; `shown` are the pictures' slices."""
    plain = record.to_json()
    strip = render_html(
        "pictures.html",
        heading="What the model was sent" if record.prompt else "Answered elsewhere",
        lines=[f"{record.representation} · order {record.ordering or 'by hand'} · {record.case}"],
        pictures=list(_kept_pictures(store.pictures, plain)),
        text=record.prompt,
        shown=None,
    )
    asked = render_html("record.html", record=plain)
    return asked + answer_card(plain, truth_shown=True, shown=shown) + strip


def form_html(store: RecordStore, record_id: str, reviewer: str) -> str:
    """The reviewer's own tags, scores and note; what others found is closed until asked for."""
    if not reviewer.strip():
        return render_html("review_form.html", reviewer="", record_id=record_id)
    mine = review_by(store.engine, record_id, reviewer)
    everybody = reviews_of(store.engine, [record_id]).get(record_id, [])
    return render_html(
        "review_form.html",
        reviewer=mine.reviewer,
        record_id=record_id,
        review=mine,
        tags=[(key, tag, about) for key, (tag, about) in zip(KEYS, TAGS.items(), strict=True)],
        criteria=CRITERIA,
        highest=HIGHEST,
        others=[review for review in everybody if review.reviewer != mine.reviewer],
    )


def _kept_pictures(folder: Path, record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each picture that is still kept, for `pictures.html`."""
    details = record["picture_details"]
    for detail in details:
        path = folder / f"{detail['sha256']}.png"
        if path.is_file():
            yield {
                "name": f"{detail['sequence']} {detail['plane']}",
                "caption": detail["caption"],
                "source": "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode(),
                "sha256": detail["sha256"],
                "width": detail["width"],
                "height": detail["height"],
                "wide": len(details) == 1 or bool(detail["tiles"]),
                "place": detail["plane"],
                "sides": None,
            }
