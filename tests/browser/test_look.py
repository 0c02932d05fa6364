"""Calm, readable and reachable: no jump while loading, no grave fault for assistive technology."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import axe_source, grave_faults
from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS, open_page

pytestmark = pytest.mark.browser

MOST_SHIFT = 0.1
"""Cumulative layout shift that is called good."""
SHIFTS = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) layoutShift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
PAGES = ("Read", "Compare", "Models", "Results", "Review")


@pytest.fixture(scope="module")
def real(serve: Serve, cases_dir: Path) -> str:
    questions = ["--questions", str(cases_dir / "questions.csv")]
    return serve("--data", str(cases_dir), *questions, "--model", "fake:B")


@pytest.fixture
def still(browser: Browser) -> Iterator[Page]:
    """A page of a reader who asked for less motion: colours are at rest when they are judged."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, reduced_motion="reduce", color_scheme="light"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)])
def test_nothing_jumps_while_a_study_loads(page: Page, real: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.add_init_script(SHIFTS)
    open_page(page, real)
    page.wait_for_timeout(1000)
    assert page.evaluate("layoutShift") < MOST_SHIFT


def test_no_page_has_a_grave_fault(still: Page, real: str) -> None:
    source = axe_source()
    open_page(still, real)
    still.evaluate(source)
    faults = []
    for name in PAGES:
        still.get_by_role("tab", name=name, exact=True).click()
        still.wait_for_timeout(2500)
        for look in ("dark", "light"):
            still.locator("#look").select_option(look)
            faults += [f"{name}, {look}: {fault}" for fault in grave_faults(still)]
    still.get_by_role("tab", name="Read", exact=True).click()
    still.locator(".studies .widen").click()
    faults += [f"table: {fault}" for fault in grave_faults(still)]
    assert faults == []


def test_the_look_is_dark_until_the_user_says_otherwise(still: Page, real: str) -> None:
    still.goto(real)
    look = still.locator("#look")
    expect(look).to_have_value("dark", timeout=SLOW_MS)
    expect(still.locator("html")).to_have_attribute("data-look", "dark", timeout=SLOW_MS)
    look.select_option("system")
    expect(still.locator("html")).to_have_attribute("data-look", "light")
    still.reload()
    expect(still.locator("html")).to_have_attribute("data-look", "light", timeout=SLOW_MS)
    expect(look).to_have_value("system")


@pytest.mark.parametrize("size", [(1024, 768), (1440, 900), (3840, 2160)])
def test_the_page_fits_the_screen(page: Page, real: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, real)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for part in ("#study-list", "#panes", "#right-column"):
        box = page.locator(part).bounding_box()
        assert box is not None and box["width"] > size[0] * 0.1
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1
    # On the large screen every word grows, those below the slices too.
    link = page.get_by_role("button", name="Copy link").bounding_box()
    assert link and link["height"] == pytest.approx(24 * (1.5 if size[0] > 2600 else 1), abs=1)
