"""Reviewing in a real browser: by mouse and by keys, saved without a button."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import gradio as gr
import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Page, expect

from inference.choices import Choices
from inference.desk import Desk
from inference.panel_results import build_results
from inference.panel_results import wire as wire_results
from inference.panel_review import build_review, wire_examples
from inference.panel_review import wire as wire_review
from inference.record_store import RecordStore
from inference.reviews import review_by
from tests.benchmarks.monkey_page import WRITE
from tests.browser.test_main_job import SLOW_MS
from tests.inference.test_batch import desk as make_desk
from tests.inference.test_line import until

pytestmark = [
    pytest.mark.browser,
    # Gradio's own counting of requests, which runs in this process here
    pytest.mark.filterwarnings("ignore:'future.no_silent_downcasting'"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]

NAMED_AND_PRESSED = f"""(name) => {{
  ({WRITE})(["#reviewer :is(input, textarea)", name, false]);
  document.querySelector("#review-form [data-tag='wrong size']").click();
}}"""
"""Another name, and a tag of the form that still stands: in one go, as the form of the new
name could else be there before the press, which would rightly count."""


@dataclass(frozen=True)
class Served:
    desk: Desk
    url: str


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    desk = make_desk.__wrapped__(tmp_path, RecordStore(tmp_path / "data"))  # type: ignore[attr-defined]
    for question in ("q0", "q1", "q2"):
        desk.ask(Choices("S-1", question, "montage", "fake:B"))
    with gr.Blocks(analytics_enabled=False) as page:
        with gr.Tabs() as tabs:
            with gr.Tab("First", id="first"):
                gr.HTML("nothing here")
            with gr.Tab("Results", id="results") as results_tab:
                results = build_results()
            with gr.Tab("Review", id="review") as review_tab:
                review = build_review()
        wire_results(results, lambda: desk, results_tab, page)
        wire_review(review, lambda: desk, review_tab)
        wire_examples(results.tables, review, lambda: desk, tabs)
    served_app = gr.mount_gradio_app(FastAPI(), page, path="/", footer_links=[])
    server = uvicorn.Server(uvicorn.Config(served_app, port=0, log_level="warning"))
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    yield Served(desk, f"http://127.0.0.1:{listening.getsockname()[1]}/")
    server.should_exit = server.force_exit = True
    thread.join(timeout=10)
    desk.records.close()


def test_an_answer_is_reviewed_by_keys_and_found_again_from_the_results(
    page: Page, served: Served
) -> None:
    engine = served.desk.records.engine
    ids = [record.id for record in served.desk.records.select()]
    page.set_default_timeout(SLOW_MS)
    page.goto(served.url)
    page.get_by_role("tab", name="Review").click()
    page.get_by_label("Reviewer").fill("Ann")
    page.locator("#review-next").click()
    form = page.locator("#review-form form")
    expect(form).to_have_attribute("data-record", ids[0], timeout=SLOW_MS)
    expect(page.locator("#review-record img")).to_have_count(1, timeout=SLOW_MS)
    expect(form.locator("[data-tag='wrong side']")).to_have_attribute(
        "title", "Left and right, or front and back, are exchanged."
    )
    page.locator("#review-record h3").first.click()
    page.keyboard.press("7")
    expect(page.locator("#review-saved")).to_contain_text("Saved", timeout=SLOW_MS)
    assert review_by(engine, ids[0], "Ann").tags == ("wrong side",)
    form.locator("[data-note]").fill("sees left as right")
    form.locator("[data-score='logic']").fill("3")
    form.locator("[data-score='logic']").blur()
    until(lambda: review_by(engine, ids[0], "Ann").note == "sees left as right")
    until(lambda: dict(review_by(engine, ids[0], "Ann").scores) == {"logic": 3})
    page.locator("#review-record h3").first.click()
    page.keyboard.press("n")
    expect(form).to_have_attribute("data-record", ids[1], timeout=SLOW_MS)
    # Nothing of the answer before is left in the form, nor saved with this one.
    expect(form.locator("[data-note]")).to_have_value("")
    expect(form.locator("[data-score='logic']")).to_have_value("")
    page.keyboard.press("7")
    expect(page.locator("#review-saved")).to_contain_text("Saved", timeout=SLOW_MS)
    theirs = review_by(engine, ids[1], "Ann")
    assert (theirs.tags, theirs.note, dict(theirs.scores)) == (("wrong side",), "", {})
    page.get_by_role("tab", name="Results").click()
    expect(page.locator("#statuses")).to_be_visible(timeout=SLOW_MS)
    page.locator("#tag-counts [data-record]").first.click()
    expect(form).to_have_attribute("data-record", ids[0], timeout=SLOW_MS)
    expect(form).to_be_visible(timeout=SLOW_MS)
    expect(form.locator("[data-note]")).to_have_value("sees left as right", timeout=SLOW_MS)
    # What is said in the form of one name is never kept under the next one.
    page.get_by_role("tab", name="Review").click()
    form.locator("[data-note]").fill("Ann's last word")
    page.evaluate(NAMED_AND_PRESSED, "Bob")
    expect(form).to_have_attribute("data-reviewer", "Bob", timeout=SLOW_MS)
    expect(form.locator("[data-note]")).to_have_value("")
    form.locator("[data-tag='wrong size']").click()
    until(lambda: review_by(engine, ids[0], "Bob").tags == ("wrong size",))
    until(lambda: review_by(engine, ids[0], "Ann").note == "Ann's last word")
    assert review_by(engine, ids[0], "Ann").tags == ("wrong side",)
    assert review_by(engine, ids[0], "Bob").note == ""
