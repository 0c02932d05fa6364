from __future__ import annotations

import json

import pytest

from inference.counts import Tally, YesNo
from inference.filters import RecordFilter
from inference.record_store import RecordStore
from inference.results import results
from inference.results_tables import comparison, document, lines
from tests.inference.made_records import made

YES_NO = ("Yes", "No", "Not applicable")


def test_every_status_is_counted_in_the_open(store: RecordStore) -> None:
    for n, raw in enumerate(["B", "A", "I cannot answer.", "maybe", ""]):
        store.append(made(raw, question_id=f"q{n}", truth=1))
    store.append(made("A", question_id="q9", truth=None))
    (row,) = results(store.engine).table
    assert row.tally.by_score == {
        "right": 1, "wrong": 1, "unparsed": 1, "refused": 1, "no answer": 1, "no truth": 1,
    }  # fmt: skip
    assert (row.tally.graded, row.tally.accuracy) == (5, 0.2)
    assert row.tally.interval == pytest.approx((0.0362, 0.6245), abs=1e-4)


def test_one_ask_counts_once_and_a_failure_only_where_nothing_came_after_all(
    store: RecordStore,
) -> None:
    store.append(made("B", truth=1))
    store.append(made("", truth=1, finish="error", error="out of memory"))
    store.append(made("A", truth=1))
    store.append(made("", truth=1, finish="error", error="out of memory", question_id="other"))
    found = results(store.engine)
    assert found.asks == 2
    assert found.table[0].tally.by_score == {"wrong": 1, "error": 1}


def test_asks_with_masks_in_their_pictures_stand_in_a_row_of_their_own(store: RecordStore) -> None:
    masked = ({"sha256": "0", "includes_mask": True},)
    for n, fields in enumerate(
        ({}, {"pictures": masked}, {"pictures": masked, "ablation": "masks-included"})
    ):
        store.append(made("B", question_id=f"q{n}", truth=1, representation="montage", **fields))
    found = results(store.engine)
    assert [row.representation for row in found.table] == ["montage", "montage with masks"]
    assert [row.representation for row in found.ablations] == ["montage"]
    only = results(store.engine, RecordFilter(representation=("montage with masks",)))
    assert only.asks == 1


def test_repeats_add_no_certainty() -> None:
    once = Tally({"right": 10, "wrong": 10}, questions=20)
    thrice = Tally({"right": 30, "wrong": 30}, questions=20)
    assert once.interval == thrice.interval
    assert Tally({"no truth": 3}, questions=0).accuracy is None


def test_yes_and_no_have_precision_recall_specificity_and_f1(store: RecordStore) -> None:
    answers = ["Yes"] * 3 + ["No"] + ["Not applicable"] + ["No"] * 4 + ["Yes"] + ["perhaps"]
    for n, raw in enumerate(answers):
        truth = 0 if n < 5 else 1
        store.append(made(raw, question_id=f"q{n}", options=YES_NO, truth=truth))
    store.append(made("Yes", question_id="other", options=YES_NO, truth=2))
    store.append(made("A", question_id="four", truth=0))
    (row,) = results(store.engine).yes_no
    assert row.counts == YesNo(3, 1, 1, 1, 4, 1)
    assert (row.counts.precision, row.counts.recall) == (3 / 4, 3 / 5)
    assert row.counts.specificity == 4 / 6
    assert row.counts.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)
    nothing = YesNo(0, 0, 0, 0, 0, 0)
    assert nothing.precision is nothing.recall is nothing.specificity is nothing.f1 is None


def test_orders_ablations_and_categories_stand_apart(store: RecordStore) -> None:
    store.append(made("B", truth=1, category="side"))
    store.append(made("A", truth=1, category="size", question_id="q2"))
    store.append(made("A", truth=1, ordering="shuffled"))
    store.append(made("A", truth=1, ablation="noise", representation="montage"))
    found = results(store.engine)
    assert [(row.reshuffled, row.tally.right) for row in found.table] == [(False, 1), (True, 0)]
    assert [row.ablation for row in found.ablations] == ["noise"]
    tallies = {row.category: row.tally.accuracy for row in found.categories if not row.reshuffled}
    assert tallies["side"] == 1.0
    assert tallies["size"] == 0.0


def test_difficulty_counts_the_models_that_fail(store: RecordStore) -> None:
    for model, replies in {"one": "BBA", "two": "BAA"}.items():
        for n, raw in enumerate(replies):
            store.append(made(raw, truth=1, model=model, question_id=f"q{n}",
                              representation="montage"))  # fmt: skip
    store.append(made("A", truth=1, model="two", question_id="q0", representation="text-only"))
    hard = results(store.engine).hard
    assert [(each.question_id, each.failed, each.models) for each in hard] == [
        ("q2", 2, 2), ("q1", 1, 2),
    ]  # fmt: skip


def test_only_what_is_chosen_is_counted(store: RecordStore) -> None:
    store.append(made("B", truth=1, model="one"))
    store.append(made("B", truth=1, model="two"))
    assert [row.model for row in results(store.engine, RecordFilter(model=("two",))).table] == [
        "two"
    ]


def test_ours_stand_above_the_published_marked_as_such(store: RecordStore) -> None:
    store.append(made("B", truth=1, model="ours", representation="montage"))
    table = comparison(results(store.engine))
    assert [line.published for line in table.lines] == [False] + [True] * (len(table.lines) - 1)
    place = table.columns.index(("montage", False))
    ours = table.lines[0].cells[place][0]
    assert (ours.percent, ours.asks, ours.note) == (100.0, 1, "")
    medgemma = next(line for line in table.lines if line.model.startswith("MedGemma"))
    assert medgemma.cells[place][0].percent == 43.38
    assert ("not stated", True) in table.columns
    assert table.headings()[place + 1] in {"montage, reshuffled", "multi-montage", "blank"}


OWN = {"source": "user"}


def test_answers_by_probability_and_at_own_slices_are_told_apart(store: RecordStore) -> None:
    store.append(made("B", truth=1, representation="montage", substring_grade=None))
    store.append(made("B", truth=1, representation="montage", question_id="q2"))
    store.append(made("B", truth=1, representation="montage", slices=OWN, question_id="q3"))
    store.append(made("B", truth=1, representation="blank", slices=OWN, question_id="q3"))
    found = results(store.engine)
    named = [row.representation for row in found.table]
    assert named == ["blank", "montage", "montage at own slices"]
    (ours,) = (line for line in comparison(found).lines if not line.published)
    notes = [cell.note for cells in ours.cells for cell in cells]
    assert notes == ["1 of 2 by option probabilities alone", ""]


def test_two_revisions_of_a_model_are_two_rows(store: RecordStore) -> None:
    store.append(made("B", truth=1, model="ours", revision="a" * 40))
    store.append(made("A", truth=1, model="ours", revision="b" * 40))
    names = [line.model for line in comparison(results(store.engine)).lines if not line.published]
    assert names == ["ours (aaaaaaaaaaaa)", "ours (bbbbbbbbbbbb)"]


def test_the_document_is_json_and_names_the_known_faults(store: RecordStore) -> None:
    empty = results(store.engine)
    assert lines(empty)[0].startswith("No asks are recorded")
    store.append(made("B", truth=1, options=YES_NO, category="side"))
    plain = json.loads(json.dumps(document(results(store.engine)), allow_nan=False))
    assert plain["asks"] == 1
    assert len(plain["published_faults"]) >= 5
    assert "100.0%" not in lines(empty)[0]
    assert "1 right" in lines(results(store.engine))[1]


def test_ablations_stand_below_the_asks_as_they_are_as_text_too(store: RecordStore) -> None:
    store.append(made("A", truth=0, representation="montage"))
    store.append(made("B", truth=0, representation="montage", ablation="noise", question_id="q2"))
    told = lines(results(store.engine))
    assert [line.split()[0] if line else "" for line in told] == [
        "model", "fake", "", "Under", "model", "fake",
    ]  # fmt: skip
    assert "ablation" not in told[0] and "1 right" in told[1]
    assert "ablation" in told[4] and "noise" in told[5] and "1 wrong" in told[5]
    alone = lines(results(store.engine, RecordFilter(text="nothing holds this")))
    assert alone[0].startswith("No asks are recorded")


def test_ablations_are_told_where_nothing_else_is_recorded(store: RecordStore) -> None:
    store.append(made("B", truth=0, representation="montage", ablation="noise"))
    told = lines(results(store.engine))
    assert told[0] == "No ask as it is passes." and "noise" in told[-1]
