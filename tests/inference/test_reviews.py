from __future__ import annotations

import pytest

from inference.error_tags import CRITERIA, TAGS
from inference.errors import BadReview
from inference.record_store import RecordStore
from inference.reviews import Review, review_by, reviews_of, save_review
from tests.inference.made_records import made


def test_every_reviewer_keeps_a_review_of_their_own(store: RecordStore) -> None:
    record = made("B")
    store.append(record)
    save_review(store.writing, Review(record.id, "Ann", ("wrong side",), "left is right"))
    save_review(store.writing, Review(record.id, "Ben ", ("other", "wrong size"), "", {"logic": 3}))
    save_review(store.writing, Review(record.id, "Ann", (), "looked again"))
    ann, ben = (review_by(store.engine, record.id, name) for name in ("Ann", "Ben"))
    assert (ann.tags, ann.note) == ((), "looked again")
    assert (ben.tags, ben.scores) == (("wrong size", "other"), {"logic": 3})
    assert {review.reviewer for review in reviews_of(store.engine, [record.id])[record.id]} == {
        "Ann", "Ben",
    }  # fmt: skip
    assert review_by(store.engine, record.id, "Cid") == Review(record.id, "Cid")
    assert store.select() == (store.record(record.id),)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"reviewer": " "}, "reviewer's name"),
        ({"tags": ("invented",)}, "invented"),
        ({"scores": {"logic": 11}}, "11"),
        ({"scores": {"charm": 1}}, "charm"),
    ],
)
def test_a_review_that_is_none_is_refused(
    store: RecordStore, change: dict[str, object], said: str
) -> None:
    record = made("B")
    store.append(record)
    fields: dict[str, object] = {"record_id": record.id, "reviewer": "Ann", **change}
    with pytest.raises(BadReview, match=said):
        save_review(store.writing, Review(**fields))  # type: ignore[arg-type]
    assert reviews_of(store.engine, [record.id]) == {}


def test_every_tag_and_criterion_has_a_definition() -> None:
    assert len(TAGS) == 12
    assert len(CRITERIA) == 6
    assert all(text.endswith(".") for text in (*TAGS.values(), *CRITERIA.values()))
