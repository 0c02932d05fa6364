"""A reader study in a real browser: by keys, blinded, paused, gone on with, and revealed."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Page, expect

from inference.choices import Choices
from inference.desk import Desk
from inference.opening import Opening
from inference.panel_page import PAGE_CSS, build_page
from inference.reader_answers import answers_of, events_of, standing
from inference.reader_studies import study_named
from inference.record_store import RecordStore
from segmentation.routes import mask_routes
from tests.browser.test_main_job import SLOW_MS
from tests.inference.test_batch import desk as make_desk
from viewer.routes import mount_static, volume_routes

pytestmark = [
    pytest.mark.browser,
    # Gradio's own counting of requests, which runs in this process here
    pytest.mark.filterwarnings("ignore:'future.no_silent_downcasting'"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]


YOUNG = "{ const now = performance.now.bind(performance); performance.now = () => now() / 100; }"
"""A page that was loaded seconds ago, however slow the machine is."""
PANES = "document.querySelector('#reader-panes .mri-panes').mriPanes"


@contextmanager
def serving(desk: Desk) -> Iterator[str]:
    """The whole page as app.py builds it, over that desk."""
    app = FastAPI()
    app.include_router(volume_routes(desk.catalogue.study, desk.cache))
    app.include_router(mask_routes(desk.catalogue.study, lambda: desk.masks))
    mount_static(app)
    page = build_page(Opening(lambda say: desk), "fake")
    served = gr.mount_gradio_app(app, page, path="/", css_paths=[PAGE_CSS], footer_links=[])
    server = uvicorn.Server(uvicorn.Config(served, port=0, log_level="warning"))
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    server.should_exit = server.force_exit = True
    thread.join(timeout=10)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = make_desk.__wrapped__(tmp_path, RecordStore(tmp_path / "data"))  # type: ignore[attr-defined]
    for question in ("q0", "q1", "q2"):
        made.ask(Choices("S-1", question, "montage", "fake:B"))
    yield made
    made.records.close()


def begin(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("tab", name="Reader study").click()


def test_a_reader_answers_blinded_by_keys_pauses_goes_on_and_sees_the_truth(
    page: Page, desk: Desk
) -> None:
    engine = desk.records.engine
    page.set_default_timeout(SLOW_MS)
    form = page.locator("#reader-form form")
    tabs = page.get_by_role("tab")
    with serving(desk) as url:
        begin(page, f"{url}?measured=distance:axial:FLAIR:0,0,0,5,0,0")
        page.get_by_text("Make a study").click()
        page.get_by_label("Name", exact=True).fill("Pilot")
        page.locator("#maker-make").click()
        expect(page.locator("#maker-made")).to_contain_text("6 questions", timeout=SLOW_MS)
        expect(page.locator("#reader-study input")).to_have_value("Pilot", timeout=SLOW_MS)
        page.get_by_label("Reader", exact=True).fill("Ann")
        page.locator("#reader-start").click()
        study = study_named(engine, "Pilot")
        order = study.order_for("Ann")
        first = study.items[order[0]]
        expect(form).to_have_attribute("data-item", str(order[0]), timeout=SLOW_MS)
        expect(tabs).to_have_count(0, timeout=SLOW_MS)
        page.wait_for_function(
            f"(id) => {PANES}?.study === id && {PANES}.loaded.length === 4", arg=first.case
        )
        assert page.evaluate(f"{PANES}.maskLoaded") is False
        # What a link says about a study would be a hint; its reading starts without one.
        expect(page.locator("#reader-panes .measured li")).to_have_count(0)
        expect(page.locator("#reader-panes .notice")).to_be_hidden()
        expect(page.locator("#reader-panes .copy-link")).to_be_hidden()
        expect(page.get_by_text("ground truth")).to_have_count(0)
        expect(page.get_by_text("fake:B")).to_have_count(0)

        # Enter without an option says what is missing and keeps nothing.
        page.keyboard.press("Enter")
        expect(form.locator(".missing")).to_be_visible()
        assert answers_of(engine, "Pilot") == []
        plane = page.evaluate(f"{PANES}.plane")
        for key in ("c", "y", "r", "+", "+", "+"):
            page.keyboard.press(key)
        assert page.evaluate(f"{PANES}.plane") == plane
        form.locator("[data-sequence='FLAIR']").click()
        form.locator("[data-comment]").fill("clear")
        page.keyboard.press("Enter")
        expect(form).to_have_attribute("data-item", str(order[1]), timeout=SLOW_MS)
        (kept,) = answers_of(engine, "Pilot")
        assert kept.item == order[0]
        assert kept.answer.option == first.order[2]
        assert (kept.answer.answerable, kept.answer.relevant) == (True, True)
        assert (kept.answer.confidence, kept.answer.sequences) == (7, ("FLAIR",))
        assert kept.answer.comment == "clear"
        assert kept.seconds > 0

        # Back to the first, whose answer stands there; not beyond the second.
        page.keyboard.press("[")
        expect(form).to_have_attribute("data-item", str(order[0]), timeout=SLOW_MS)
        expect(form.locator(f"[data-option='{first.order[2]}']")).to_have_attribute(
            "aria-checked", "true"
        )
        page.keyboard.press("]")
        expect(form).to_have_attribute("data-item", str(order[1]), timeout=SLOW_MS)
        expect(form.locator("[data-do='next']")).to_be_disabled()

        # Paused time is not counted, and no question is in view.
        page.keyboard.press("p")
        expect(form).to_have_attribute("data-wait", "paused", timeout=SLOW_MS)
        before = standing(engine, "Pilot", "Ann").seen
        page.wait_for_timeout(3000)
        page.reload()
        expect(form).to_have_attribute("data-wait", "paused", timeout=SLOW_MS)
        expect(tabs).to_have_count(0)
        assert standing(engine, "Pilot", "Ann").seen == before
        expect(form).to_be_visible(timeout=SLOW_MS)
        page.keyboard.press("Enter")
        expect(form).to_have_attribute("data-item", str(order[1]), timeout=SLOW_MS)

    # Another server over the same database goes on where it was.
    with serving(replace(desk, records=RecordStore(desk.records.folder))) as url:
        page.add_init_script(YOUNG)
        begin(page, url)
        expect(page.locator("#reader-study input")).to_have_value("Pilot", timeout=SLOW_MS)
        page.get_by_label("Reader", exact=True).fill("Ann")
        page.locator("#reader-start").click()
        expect(form).to_have_attribute("data-item", str(order[1]), timeout=SLOW_MS)
        for place in range(1, 6):
            expect(form).to_have_attribute("data-item", str(order[place]), timeout=SLOW_MS)
            page.keyboard.press("1")
            page.keyboard.press("Enter")
        expect(form).to_have_attribute("data-wait", "finished", timeout=SLOW_MS)
        expect(tabs).to_have_count(0)
        form.get_by_role("button", name="Show the truth").click()
        expect(form).to_have_attribute("data-wait", "revealed", timeout=SLOW_MS)
        expect(form.locator(".tag", has_text="ground truth")).to_have_count(1)
        expect(form.locator(".tag", has_text="you")).to_have_count(1)
        expect(page.locator("#reader-figures")).to_contain_text("Cohen's kappa with Ann")
        expect(page.locator("#reader-figures")).to_contain_text("fake:B · montage")
        expect(tabs).to_have_count(6, timeout=SLOW_MS)
        assert standing(engine, "Pilot", "Ann").revealed
        kinds = [event.kind for event in events_of(engine, "Pilot")]
        assert kinds[0] == "began" and "paused" in kinds and kinds[-1] == "revealed"
        page.locator("#reader-export").click()
        expect(page.locator("#reader-file")).to_contain_text(re.compile(r"readers.*csv"))
