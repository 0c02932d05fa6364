"""Real browsers in a crowd: each sees its own study, question, slices and answer."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS
from tests.crowd import Visitor, Wish, write_studies

pytestmark = pytest.mark.browser

BROWSERS = [Wish(number) for number in (1, 6, 11, 16)]
"""All ask with the same representation, so only the study tells their pictures apart."""
CLIENTS = [Wish(number) for number in (2, 3, 4, 5, 7, 8)]


@pytest.fixture(scope="module")
def crowded(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("crowd")
    questions = write_studies(folder / "studies", BROWSERS + CLIENTS)
    return serve("--data", str(folder / "studies"), "--questions", str(questions))


def opened(browser: Browser, address: str, wish: Wish) -> Page:
    """A page in a browser profile of its own, on that user's study."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(SLOW_MS)
    page.goto(f"{address}?study={wish.case}&question={wish.word}")
    return page


def test_each_page_shows_what_is_its_own(browser: Browser, crowded: str) -> None:
    pages = [opened(browser, crowded, wish) for wish in BROWSERS]
    visitors = [Visitor(crowded) for _ in CLIENTS]
    for page, wish in zip(pages, BROWSERS, strict=True):
        expect(page.locator("#question-card")).to_contain_text(wish.word, timeout=SLOW_MS)
        page.locator("#model input").fill(wish.model)
        page.locator("#model input").press("Enter")
        here = "(id) => window.modelInput?.study === id && window.mriPanes?.study === id"
        page.wait_for_function(here, arg=wish.case)
        page.wait_for_function("mriPanes.loaded.length === 4")
    jobs = [visitor.ask(wish) for visitor, wish in zip(visitors, CLIENTS, strict=True)]
    for page in pages:
        page.locator("#ask").click()
    for page, wish in zip(pages, BROWSERS, strict=True):
        card = page.locator("#answer .answer")
        chosen = card.locator(".option.chosen")
        expect(chosen).to_contain_text(
            f"{wish.letter}{wish.letter.lower()} {wish.word}", timeout=SLOW_MS
        )
        others = {other.word for other in BROWSERS + CLIENTS} - {wish.word}
        assert not [word for word in others if word in page.locator("body").inner_text()]
        slices = json.loads(card.locator("button[data-slices]").get_attribute("data-slices") or "")
        assert slices == json.loads(page.evaluate("window.modelInput.slices"))
    for job, wish in zip(jobs, CLIENTS, strict=True):
        assert wish.word in str(job.result(timeout=SLOW_MS / 1000))
    pictures = [
        page.locator("#model-input figure img").first.get_attribute("src") for page in pages
    ]
    assert len(set(pictures)) == len(pages)
    for page in pages:
        page.context.close()
    for visitor in visitors:
        visitor.client.close()
