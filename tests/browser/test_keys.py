"""Keys work without a click first, and never steal from text, sliders and lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.panes_page import make_study, open_panes, serving
from tests.browser.test_main_job import SLOW_MS, choose_study, open_page
from tests.browser.test_panes import show
from viewer.study import Study

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make_study(tmp_path_factory.mktemp("studies"), "six", sequences=6)


@pytest.fixture(scope="module")
def address(study: Study) -> Iterator[str]:
    with serving([study]) as url:
        yield url


def test_a_slider_keeps_the_keys_that_move_it(page: Page, address: str, study: Study) -> None:
    open_panes(page, address)
    show(page, study)
    before = page.evaluate("mriPanes.index")
    opacity = page.get_by_label("Mask opacity")
    opacity.click(position={"x": 20, "y": 8})
    at = float(opacity.input_value())
    page.keyboard.press("ArrowRight")
    assert float(opacity.input_value()) == at + 1
    page.keyboard.press("End")
    assert opacity.input_value() == "100"
    assert page.evaluate("mriPanes.index") == before
    page.keyboard.press("c")  # a letter moves no slider
    page.wait_for_function("window.mriPanes?.plane === 'coronal'")
    # The slice bar is the panes' own slider: the same keys, the same slices.
    page.get_by_label("Slice", exact=True).click(position={"x": 30, "y": 8})
    at = page.evaluate("mriPanes.index")
    page.keyboard.press("PageUp")
    page.wait_for_function(f"window.mriPanes?.index === {at + 10}")


def test_a_list_keeps_its_keys_while_it_has_the_focus(
    page: Page, address: str, study: Study
) -> None:
    open_panes(page, address)
    show(page, study)
    before = page.evaluate("mriPanes.index")
    preset = page.get_by_label("Window preset")
    preset.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("mriPanes.index") == before
    # Chosen with the mouse it is done, and the next arrow key scrolls.
    preset.click()
    preset.select_option("full")
    page.keyboard.press("ArrowUp")
    page.wait_for_function(f"window.mriPanes?.index === {before + 1}")
    assert preset.input_value() == "full"


def test_sequences_stand_in_reading_order(page: Page, address: str, study: Study) -> None:
    open_panes(page, address)
    show(page, study)
    page.keyboard.press("0")
    names = page.locator(".pane:not([hidden]) .pane-name")
    expect(names).to_have_count(6)
    values = [names.nth(cell).input_value() for cell in range(6)]
    assert values == ["T1", "T1c", "T2", "FLAIR", "SWI", "ADC"]


def test_the_pages_own_boxes_keep_their_keys(page: Page, serve: Serve, cases_dir: Path) -> None:
    """Slices scroll without a click first; nothing is stolen from boxes and lists."""
    questions = str(cases_dir / "questions.csv")
    address = serve("--data", str(cases_dir), "--questions", questions, "--model", "fake:B")
    open_page(page, address)
    start = page.evaluate("mriPanes.index")
    page.keyboard.press("PageUp")
    page.wait_for_function(f"window.mriPanes?.index === {start + 10}")
    for box in ("#study-list input[type=search]", "#question input", "#model input"):
        page.locator(box).first.click()
        for key in ("ArrowUp", "Home", "PageUp", "End", "c", "j"):
            page.keyboard.press(key)
        page.keyboard.press("Escape")
    assert page.evaluate("[mriPanes.index, mriPanes.plane]") == [start + 10, "axial"]
    # The sheet of keys opens from lists too; only text keeps its question mark.
    dialog = page.get_by_role("dialog", name="Keys and mouse")
    for place in ("#study-list .row[tabindex='0']", ".toolbar select"):
        page.locator(place).first.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("?")
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    search = page.locator("#study-list input[type=search]")
    search.fill("")
    search.press("?")
    expect(dialog).to_be_hidden()
    assert search.input_value() == "?"
    search.press("Escape")
    page.locator("#masthead").click()
    # A study chosen by mouse leaves the keys to the panes.
    choose_study(page, "BraTS2021_01477")
    page.wait_for_function("window.mriPanes?.study === 'BraTS2021_01477'", timeout=SLOW_MS)
    page.wait_for_function("window.mriPanes?.index === 68", timeout=SLOW_MS)
    page.keyboard.press("ArrowUp")
    page.wait_for_function("window.mriPanes?.index === 69 && mriPanes.study === 'BraTS2021_01477'")


TABLES = {
    "panes/keys": "KEYS",
    "panes/marks": "HANDLE_KEYS",
    "panes/solid": "TURN_KEYS",
    "panes/enlarge": "PICTURE_KEYS",
    "browser/keys": "LIST_KEYS",
}
"""Where each place of the focus keeps its keys."""

PRESS = """(node) => {
  const named = "ArrowUp ArrowDown ArrowLeft ArrowRight Delete Backspace PageUp PageDown Home End"
    + " Enter Escape Insert F2 F6";
  const letters = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  const heard = [];
  for (const key of [...named.split(" "), ...letters]) {
    for (const before of key.length === 1 ? ["", "Alt+"] : ["", "Shift+", "Alt+"]) {
      const held = { altKey: before === "Alt+", shiftKey: before === "Shift+" };
      const options = { key, ...held, bubbles: true, cancelable: true };
      const event = new KeyboardEvent("keydown", options);
      node.dispatchEvent(event);
      if (event.defaultPrevented) heard.push(before + (key.length === 1 ? key.toLowerCase() : key));
      document.querySelector(".help[open]")?.close();
    }
  }
  return heard;
}"""
"""Every key, alone and with Shift and Alt, to one element; gives those that it or the page took."""


def test_the_sheet_lists_every_key(page: Page, serve: Serve, cases_dir: Path) -> None:
    """What is taken from the browser is in a table, and what is in a table is on the sheet."""
    questions = str(cases_dir / "questions.csv")
    open_page(page, serve("--data", str(cases_dir), "--questions", questions, "--model", "fake:B"))
    tables = page.evaluate(
        "async (tables) => (await Promise.all(Object.entries(tables).map(async ([file, name]) =>"
        " (await import(new URL(`static/${file}.js`, document.baseURI)))[name]))).flat()",
        TABLES,
    )
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys and mouse")
    sheet = dialog.inner_text()
    marked = page.locator("#study-list [aria-current]")
    first = marked.get_attribute("data-id")
    page.keyboard.press("Alt+ArrowDown")  # no study changes under it
    assert marked.get_attribute("data-id") == first
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    # Its button has the focus until the next frame: the keys are the panes' again all the same.
    before = page.evaluate("mriPanes.index")
    held = {"key": "ArrowUp", "bubbles": True, "cancelable": True}
    page.locator("dialog.help button").dispatch_event("keydown", held)
    assert page.evaluate("mriPanes.index") == before + 1
    for row in tables:
        assert "says" not in row or (row["says"] in sheet and row["shown"] in sheet), row
    for keys in ("Alt ↓", "Alt ↑", "/"):
        assert keys in sheet
    for key in ("d", ".", "Shift+ArrowRight", ".", "Escape"):
        page.keyboard.press(key)
    page.locator("#model-input .enlarge").first.click()
    known = {key for row in tables for key in row["keys"]}
    places = ("[data-handle]", ".solid-canvas", ".search", ".row[data-id]", ".enlarged", "body")
    taken = {place: set(page.locator(place).first.evaluate(PRESS)) for place in places}
    for place, keys in taken.items():
        assert keys, f"no key is taken at {place}"
        assert keys <= known, f"{place}: {sorted(keys - known)}"
    assert {"/", "Alt+ArrowDown", "?", "Home"} <= taken["body"]
