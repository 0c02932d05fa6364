"""Comparing in a real browser: the grid fills, two cells stand side by side, verdicts appear."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS, open_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def fake(serve: Serve) -> str:
    return serve("--model", "fake:B")


@pytest.fixture(scope="module")
def embedded(serve: Serve) -> str:
    return serve()


def open_compare(page: Page, address: str) -> None:
    open_page(page, address)
    page.get_by_role("tab", name="Compare").click()
    expect(page.locator("#compare-about .question")).to_be_visible(timeout=SLOW_MS)


def run(page: Page, button: str, card: str, cells: int) -> None:
    page.locator(f"#{button}-run").click()
    done = page.locator(f"#{card} .card")
    expect(done).to_have_attribute("data-of", str(cells), timeout=SLOW_MS)
    expect(done).to_have_attribute("data-done", str(cells), timeout=4 * SLOW_MS)
    expect(page.locator(f"#{button}-run")).to_be_enabled(timeout=SLOW_MS)


def test_the_grid_fills_and_a_fake_is_found_out(page: Page, fake: str, tmp_path: Path) -> None:
    open_compare(page, fake)
    run(page, "compare", "compare-grid", 28)
    cells = page.locator("#compare-grid [data-state=filled]")
    expect(cells).to_have_count(28)
    # It always says B, so its answer is another one in every order, picture or not.
    row = page.locator("#compare-grid tr[data-representation=montage]")
    expect(row).to_contain_text("image-blind (few)")
    expect(row).to_contain_text("position-biased (few)")
    expect(page.locator("#compare-pair")).to_contain_text("total variation 0.000")
    # Both at once, quicker than the page hears back of the first.
    page.evaluate(
        "() => [...document.querySelectorAll('#compare-grid [data-state=filled]')]"
        ".slice(0, 2).forEach((cell) => cell.click())"
    )
    pair = page.locator("#compare-pair")
    expect(pair).to_contain_text("total variation 1.000", timeout=SLOW_MS)
    expect(pair).to_contain_text("Pictures: the same. Words: different.")
    expect(pair.locator("figure img")).to_have_count(2)
    page.locator("#compare-run").click()
    expect(page.locator("#compare-grid")).to_contain_text(
        "28 of 28 were asked before", timeout=4 * SLOW_MS
    )
    expect(page.locator("#compare-run")).to_be_enabled(timeout=SLOW_MS)
    page.locator("#compare-truth input").uncheck()
    expect(page.locator("#compare-grid .cell.wrong")).to_have_count(0, timeout=SLOW_MS)
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=tmp_path / f"compare-{width}.png")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_ablations_give_verdicts_with_definitions(page: Page, fake: str) -> None:
    open_compare(page, fake)
    page.get_by_role("tab", name="Ablations and evidence").click()
    page.locator("#ablations-run").click()
    table = page.locator("#ablation-table .card")
    expect(page.locator("#verdicts .verdicts")).to_be_visible(timeout=4 * SLOW_MS)
    for name in ("blank", "noise", "mirrored", "without FLAIR", "alone T1", "as-published"):
        expect(table.locator(f"tr[data-ablation='{name}']")).to_have_count(1)
    expect(table).to_contain_text(re.compile("wrong-study DEMO-"))
    blind = page.locator("#verdicts dt[data-verdict=image-blind]")
    expect(blind).to_have_attribute("data-holds", "True")
    expect(blind).to_contain_text("small number: 4")
    expect(page.locator("#verdicts")).to_contain_text("under 0.05, in every order asked")
    expect(page.locator("#evidence tr[data-evidence]")).to_have_count(7)
    expect(page.locator("#evidence")).to_contain_text("arXiv 2602.21950")


def test_the_embedded_model_fills_the_grid_and_scrolling_goes_on(page: Page, embedded: str) -> None:
    open_compare(page, embedded)
    page.locator("#compare-run").click()
    expect(page.locator("#compare-grid .card")).to_have_attribute("data-of", "28", timeout=SLOW_MS)
    page.get_by_role("tab", name="Read", exact=True).click()
    start = page.evaluate("mriPanes.index")
    page.keyboard.press("ArrowUp")
    page.wait_for_function(f"window.mriPanes?.index === {start + 1}")
    page.get_by_role("tab", name="Compare").click()
    expect(page.locator("#compare-grid .card")).to_have_attribute(
        "data-done", "28", timeout=4 * SLOW_MS
    )
    expect(page.locator("#compare-grid [data-state=filled]")).to_have_count(28)


def test_cancel_keeps_what_was_answered(page: Page, embedded: str) -> None:
    open_compare(page, embedded)
    page.get_by_role("tab", name="Ablations and evidence").click()
    page.locator("#ablations-run").click()
    expect(page.locator("#ablation-table .progress-line")).to_be_visible(timeout=SLOW_MS)
    page.locator("#ablations-cancel").click()
    expect(page.locator("#ablations-run")).to_be_enabled(timeout=SLOW_MS)
    expect(page.locator("#ablation-table")).to_contain_text("cancelled", timeout=SLOW_MS)
    page.locator("#compare-truth input").uncheck()
    expect(page.locator("#ablation-table")).not_to_contain_text("Truth", timeout=SLOW_MS)
    expect(page.locator("#ablation-table")).to_contain_text("cancelled")


def test_an_empty_choice_is_answered_in_words(page: Page, fake: str) -> None:
    open_compare(page, fake)
    for box in page.locator("#compare-representations input").all():
        box.uncheck()
    page.locator("#compare-run").click()
    said = page.locator("#compare-grid")
    expect(said).to_contain_text("Choose at least one model", timeout=SLOW_MS)
    page.locator("#compare-truth input").uncheck()
    expect(page.locator("#compare-about .truth")).to_have_count(0, timeout=SLOW_MS)
    expect(said).to_contain_text("Choose at least one model")


def test_a_set_is_run_shown_and_resumed_and_a_pattern_opens_its_case(
    page: Page, fake: str, tmp_path: Path
) -> None:
    open_compare(page, fake)
    page.get_by_role("tab", name="Sets of questions").click()
    page.locator("#sets-studies input").click()
    page.locator("ul[role=listbox] li", has_text="DEMO-0002").first.click(timeout=SLOW_MS)
    page.keyboard.press("Escape")
    page.locator("#sets-run").click()
    progress = page.locator("#sets-progress .set-run")
    expect(progress).to_have_attribute("data-doing", "done", timeout=4 * SLOW_MS)
    rows = page.locator("#sets-accuracy tr[data-arm]")
    expect(rows).to_have_count(10, timeout=SLOW_MS)
    expect(page.locator("#sets-accuracy")).to_contain_text("Majority position")
    expect(page.locator("#sets-accuracy-chart img")).to_be_visible(timeout=SLOW_MS)
    expect(page.locator("#sets-calibration-chart img")).to_be_visible(timeout=SLOW_MS)
    page.screenshot(path=tmp_path / "sets.png", full_page=True)
    page.locator("#sets-run").click()
    expect(progress).to_contain_text(re.compile(r"\b0 asked now"), timeout=4 * SLOW_MS)
    expect(progress).to_have_attribute("data-doing", "done", timeout=4 * SLOW_MS)
    page.locator("#sets-pattern input").click()
    page.locator("ul[role=listbox] li", has_text="confident and wrong").first.click()
    link = page.locator("#sets-found a").first
    expect(page.locator("#sets-found h3")).to_contain_text("confident and wrong", timeout=SLOW_MS)
    stem = link.inner_text()
    with page.context.expect_page(timeout=SLOW_MS) as opening:
        link.click()
    case = opening.value
    case.wait_for_function("window.mriPanes?.study === 'DEMO-0002'", timeout=SLOW_MS)
    expect(case.locator("#question-card h3")).to_have_text(stem, timeout=SLOW_MS)
