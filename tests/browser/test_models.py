"""The Models page in a real browser: the table, the memory, a changed convention."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS, open_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def fake(serve: Serve) -> str:
    return serve("--model", "fake:B")


def test_models_are_told_loaded_changed_and_marked(page: Page, fake: str) -> None:
    open_page(page, fake)
    page.get_by_role("tab", name="Models").click()
    table = page.locator("#models-table")
    gated = table.locator("tr[data-model='google/medgemma-1.5-4b-it']")
    expect(gated).to_have_attribute("data-state", "cannot", timeout=SLOW_MS)
    expect(table.locator("tr[data-model='fake:B']")).to_have_attribute("data-state", "ready")
    page.locator("#models-load").click()
    expect(page.locator("#models-status")).to_contain_text("is in memory", timeout=SLOW_MS)
    expect(table.locator("tr[data-model='fake:B']")).to_contain_text("in memory")
    page.locator("#models-most input").fill("1")
    page.locator("#models-keep").click()
    expect(table.locator("tr[data-model='fake:B']")).to_contain_text("one picture")
    expect(table.locator("tr[data-model='fake:B']")).to_contain_text("changed")
    page.get_by_role("tab", name="Read").click()
    page.locator("#representation input").click()
    shown = page.get_by_role("option").filter(has_text="multi-slice")
    expect(shown).to_contain_text("not possible: fake:B takes one picture", timeout=SLOW_MS)


def test_every_order_is_averaged_on_request(page: Page, fake: str) -> None:
    open_page(page, fake)
    page.locator("#without input").uncheck()
    page.locator("#every-order input").check()
    page.locator("#ask").click()
    card = page.locator("#ablation .cyclic")
    expect(card).to_contain_text("cyclic orders", timeout=SLOW_MS)
    # The fake always says B, so every option comes first once: the order decides alone.
    expect(card).to_contain_text("by the order alone")
    expect(page.locator("#ask")).to_be_enabled(timeout=SLOW_MS)
