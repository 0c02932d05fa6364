from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from inference.desk import Desk
from inference.error_tags import TAGS
from inference.figures import accuracy_figure, save_figure
from inference.filters import RecordFilter
from inference.panel_results import counted, filter_of, written
from inference.panel_review import opened_record, saved
from inference.record_store import RecordStore
from inference.results import results
from inference.results_page import results_html
from inference.review_list import PAGE, listed, next_unreviewed, reviewed, tag_counts, values_of
from inference.review_page import form_html, list_html
from inference.reviews import Review, save_review
from tests.inference.made_records import made
from tests.inference.test_batch import desk

__all__ = ["desk"]

sqlite_only = pytest.mark.parametrize("store", ["sqlite"], indirect=True)


def test_an_empty_page_says_what_to_do(store: RecordStore) -> None:
    assert "app.py run" in results_html(results(store.engine))


@sqlite_only
def test_the_page_shows_ours_and_theirs_and_runs_nothing(store: RecordStore) -> None:
    store.append(made("B", truth=1, model="<script>x</script>", category="side"))
    store.append(made("A", truth=1, question_id="q2", representation="montage"))
    store.append(made("Yes", truth=0, question_id="q3", options=("Yes", "No")))
    store.append(made("A", truth=1, ablation="noise"))
    html = results_html(results(store.engine), tag_counts(store.engine))
    assert "<script>" not in html
    assert html.count('data-published="true"') >= 8
    assert html.count('data-published="false"') == 2
    assert "substring" in html
    for table in ("statuses", "yes-no", "categories", "ablation-results", "hard"):
        assert f'id="{table}"' in html


@sqlite_only
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_figures_are_drawn_without_a_screen(
    ending: str, store: RecordStore, tmp_path: Path
) -> None:
    store.append(made("B", truth=1, model="ours"))
    path = tmp_path / f"f{ending}"
    save_figure(accuracy_figure(results(store.engine)), path)
    if ending == ".png":
        with Image.open(path) as image:
            assert image.width > 1500
    else:
        text = path.read_text(encoding="utf-8")
        assert "ours" in text
        assert "(published)" in text


def test_a_list_has_pages_and_filters_and_knows_what_is_next(store: RecordStore) -> None:
    store.append_many([made("B", truth=1, question_id=f"q{n}", model=f"m{n % 2}")
                       for n in range(PAGE + 3)])  # fmt: skip
    engine = store.engine
    assert listed(engine).total == PAGE + 3
    assert [len(listed(engine, page=page).items) for page in (0, 1, 2)] == [PAGE, 3, 0]
    odd = RecordFilter(model=("m1",))
    assert listed(engine, odd).total == (PAGE + 3) // 2
    assert values_of(engine, "model") == ["m0", "m1"]
    first = next_unreviewed(engine, "Ann")
    assert first is not None
    save_review(store.writing, Review(first, "Ann"))
    second = next_unreviewed(engine, "Ann", after=first)
    assert second not in (None, first)
    assert next_unreviewed(engine, "Ben") == first
    assert reviewed(engine, "Ann") == (1, PAGE + 3)
    for item in listed(engine, odd).items:
        save_review(store.writing, Review(item.id, "Ann"))
    assert next_unreviewed(engine, "Ann", odd) is None


def test_tags_are_counted_once_a_record_with_examples(store: RecordStore) -> None:
    records = [made("B", model="m", question_id=f"q{n}") for n in range(7)]
    store.append_many(records)
    for record in records:
        save_review(store.writing, Review(record.id, "Ann", ("wrong side",)))
    save_review(store.writing, Review(records[0].id, "Ben", ("wrong side", "wrong class")))
    counts = {count.tag: count for count in tag_counts(store.engine)}
    assert (counts["wrong side"].records, counts["wrong class"].records) == (7, 1)
    assert counts["wrong side"].examples == tuple(record.id for record in records[:5])


@sqlite_only
def test_the_form_holds_the_reviewers_own_words_only(store: RecordStore) -> None:
    record = made("<b>B</b>")
    store.append(record)
    save_review(store.writing, Review(record.id, "Ann", ("wrong side",), "<i>n</i>", {"logic": 4}))
    html = form_html(store, record.id, "Ann")
    assert html.count('aria-pressed="true"') == 1
    assert all(about in html.replace("&#39;", "'") for about in TAGS.values())
    assert "&lt;i&gt;n&lt;/i&gt;" in html
    assert 'value="4"' in html
    other = form_html(store, record.id, "Ben")
    assert 'aria-pressed="true"' not in other
    assert "What 1 other found" in other
    assert "Type your name" in form_html(store, record.id, " ")
    assert "1 reviewed by Ann" in list_html(store, "Ann")


@sqlite_only
def test_the_pages_count_open_save_and_write(desk: Desk) -> None:
    from inference.choices import Choices

    record = desk.ask(Choices("S-1", "q1", "montage", "fake:B"))
    nothing = filter_of(([], None, [], [], [], [], None))
    assert nothing == RecordFilter()
    tables, figure, where = counted(desk, nothing)
    assert "fake:B" in tables
    assert figure is not None
    assert "records.sqlite" in where
    shown, form, notice, opened = opened_record(desk, record.id, "Ann")
    assert "data:image/png;base64," in shown
    assert (notice, opened) == ("", record.id)
    assert 'data-tag="wrong side"' in form
    assert "Saved" in saved(desk, Review(record.id, "Ann", ("wrong side",)))
    refused = saved(desk, Review(record.id, "Ann", ("<img>",)))
    assert "&lt;img&gt;" in refused
    for kind in (".csv", ".jsonl", ".svg"):
        assert Path(written(desk, kind, nothing)).stat().st_size > 0
