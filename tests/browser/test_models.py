"""The Models page in a real browser: the table, the memory, a changed convention."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def fake(serve: Serve) -> str:
    return serve("--model", "fake:B")


def open_question(page: Page, address: str) -> None:
    """The page with its first question; the panes are not waited for."""
    page.set_default_timeout(SLOW_MS)
    page.goto(address)
    expect(page.locator("#question-card li")).to_have_count(4, timeout=SLOW_MS)


def test_models_are_told_loaded_changed_and_marked(page: Page, fake: str) -> None:
    open_question(page, fake)
    page.get_by_role("tab", name="Models").click()
    table = page.locator("#models-table")
    gated = table.locator("tr[data-model='google/medgemma-1.5-4b-it']")
    expect(gated).to_have_attribute("data-state", "cannot", timeout=SLOW_MS)
    expect(table.locator("tr[data-model='fake:B']")).to_have_attribute(
        "data-state", "ready", timeout=SLOW_MS
    )
    page.locator("#models-load").click()
    expect(page.locator("#models-status")).to_contain_text("is in memory", timeout=SLOW_MS)
    expect(table.locator("tr[data-model='fake:B']")).to_contain_text("in memory", timeout=SLOW_MS)
    held = page.locator("#models-residents li[data-resident='fake:B']")
    expect(held).to_contain_text("takes no memory here", timeout=SLOW_MS)
    page.locator("#models-max-pictures input").fill("1")
    page.locator("#models-keep").click()
    expect(table.locator("tr[data-model='fake:B']")).to_contain_text("one picture", timeout=SLOW_MS)
    expect(table.locator("tr[data-model='fake:B']")).to_contain_text("changed", timeout=SLOW_MS)
    page.get_by_role("tab", name="Read", exact=True).click()
    choice = page.locator("#representation")
    greyed = choice.locator("label.impossible", has_text="multi-slice")
    expect(greyed).to_contain_text("takes one picture; this has 7 or more", timeout=SLOW_MS)
    box = choice.locator("input[value='multi-slice']")
    expect(box).to_be_disabled(timeout=SLOW_MS)
    reason = box.get_attribute("aria-describedby")
    expect(page.locator(f"#{reason}")).to_contain_text("takes one picture", timeout=SLOW_MS)
    expect(choice.locator("input[value='montage']")).to_be_enabled(timeout=SLOW_MS)
    page.get_by_role("tab", name="Compare").click()
    expect(page.locator("#compare-representations input[value='volume']")).to_be_disabled(
        timeout=SLOW_MS
    )
    expect(page.locator("#compare-representations input[value='blank']")).to_be_checked(
        timeout=SLOW_MS
    )
    page.get_by_role("tab", name="Models").click()
    page.get_by_role("button", name="Free the memory of fake:B").click()
    expect(page.locator("#models-residents")).to_contain_text(
        "No model is in memory", timeout=SLOW_MS
    )


def test_a_representation_is_chosen_by_keys_and_the_pictures_follow(page: Page, fake: str) -> None:
    late: list[Route] = []
    page.route("**/panes/keys.js*", lambda route: late.append(route))
    with page.expect_request("**/panes/keys.js*", timeout=SLOW_MS):
        open_question(page, fake)
    page.locator("#model input").focus()
    page.keyboard.press("Shift+Tab")  # the keys are the panes' until Tab brings the focus here
    expect(page.locator("#representation input[value='multi-slice']")).to_be_focused()
    # The panes hear keys only from now on, and are to know of the Tab before it.
    assert late
    for route in late:
        route.continue_()
    page.wait_for_function("window.mriPanes?.index !== undefined", timeout=SLOW_MS)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#representation input[value='montage']")).to_be_checked(timeout=SLOW_MS)
    expect(page.locator("#model-input figure")).to_have_count(1, timeout=SLOW_MS)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#representation input[value='multi-slice']")).to_be_focused(
        timeout=SLOW_MS
    )
    expect(page.locator("#model-input figure")).to_have_count(7, timeout=SLOW_MS)


def test_changed_conventions_are_what_the_pictures_show(page: Page, fake: str) -> None:
    open_question(page, fake)
    page.locator("#representation input[value='montage']").check()
    page.locator("#representation input[value='single-slice']").check()
    picture = page.locator("#model-input figure img")
    expect(picture).to_have_count(1, timeout=SLOW_MS)
    page.get_by_role("tab", name="Models").click()
    row = page.locator("#models-table tr[data-model='fake:B']")
    expect(row).to_have_attribute("data-state", "ready", timeout=SLOW_MS)  # the page is all there
    page.locator("#models-size input").fill("64")
    page.locator("#models-size input").press("Tab")
    page.locator("#models-keep").click()
    expect(page.locator("#models-status")).to_contain_text("asked so from now on", timeout=SLOW_MS)
    expect(row).to_contain_text("changed", timeout=SLOW_MS)
    page.get_by_role("tab", name="Read", exact=True).click()
    size = "[...document.querySelectorAll('#model-input figure img')].map((i) => i.naturalWidth)"
    page.wait_for_function(f"JSON.stringify({size}) === '[64]'", timeout=SLOW_MS)


def test_every_order_is_averaged_on_request(page: Page, fake: str) -> None:
    open_question(page, fake)
    page.locator("#without input").uncheck()
    page.locator("#every-order input").check()
    page.locator("#ask").click()
    card = page.locator("#ablation .cyclic")
    expect(card).to_contain_text("cyclic orders", timeout=SLOW_MS)
    # The fake always says B, so every option comes first once: the order decides alone.
    expect(card).to_contain_text("by the order alone", timeout=SLOW_MS)
    expect(page.locator("#ask")).to_be_enabled(timeout=SLOW_MS)
