"""The slices that a model was shown: marked, gone to in one click, and its pictures looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.panes_page import make_study, open_panes, spec_json
from tests.browser.test_main_job import SLOW_MS, ask, choose_study, open_page
from tests.browser.test_panes import show
from viewer.study import Study

pytestmark = pytest.mark.browser

SLICES = [
    {"sequence": name, "plane": plane, "mm": mm}
    for plane, mm in (
        ("axial", [-41, 39, 25]),
        ("axial", [-41, 39, 45]),
        ("coronal", [-41, 30, 34]),
    )
    for name in ("T1", "FLAIR")
]
"""Axial 10 and 20 and coronal 20 of the phantom of `panes_page`."""


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    folder = tmp_path_factory.mktemp("studies")
    made = [make_study(folder, name) for name in ("one", "two")]
    return {study.id: study for study in made}


def add_button(page: Page, study: str, label: str) -> None:
    """A button as an answer card carries it."""
    page.evaluate(
        "([study, slices, label]) => { const b = document.createElement('button');"
        "Object.assign(b.dataset, { study, question: '1', slices });"
        "b.textContent = label; document.body.prepend(b); }",
        [study, json.dumps(SLICES), label],
    )


def test_the_panes_go_to_what_the_model_saw(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    open_panes(page, address)
    show(page, studies["one"])
    add_button(page, "one", "here")
    add_button(page, "two", "elsewhere")
    page.keyboard.press("End")
    page.get_by_role("button", name="here", exact=True).click()
    page.wait_for_function("window.mriPanes?.index === 20")  # the nearest to the last slice
    ticks = page.locator(".tick")
    expect(ticks).to_have_count(2)
    expect(ticks.nth(0)).to_have_attribute("title", "Shown to the model: axial 10, T1, FLAIR")
    track = page.locator(".ticks").bounding_box()
    tick = ticks.nth(0).bounding_box()
    assert track and tick
    middle = (tick["x"] + tick["width"] / 2 - track["x"]) / track["width"]
    assert middle == pytest.approx(10.5 / 30, abs=0.01)
    said = page.get_by_role("group", name="Model input").locator("output")
    expect(said).to_have_text("2 of 3 · T1, FLAIR")
    marked = page.locator(".pane:has(.pane-shown:not([hidden]))")
    expect(marked).to_have_count(2)
    page.keyboard.press("ArrowUp")
    expect(said).to_have_text("3 slices")
    expect(marked).to_have_count(0)
    page.keyboard.press("b")
    page.wait_for_function("window.mriPanes?.index === 20")
    page.keyboard.press("b")
    page.wait_for_function("window.mriPanes?.index === 10")
    page.keyboard.press("f")
    page.keyboard.press("f")
    page.wait_for_function("window.mriPanes?.plane === 'coronal' && mriPanes.index === 20")
    page.get_by_role("button", name="Previous: Model input").click()
    page.wait_for_function("window.mriPanes?.plane === 'axial' && mriPanes.index === 20")
    # Of another study: Python is asked to open it, and then the panes go there.
    page.get_by_role("button", name="elsewhere").click()
    page.wait_for_function("opened.length === 1")
    assert page.evaluate("opened") == [{"study": "two", "question": "1"}]
    show(page, studies["two"])
    page.wait_for_function("window.mriPanes?.plane === 'axial' && mriPanes.index === 20")
    expect(said).to_have_text("2 of 3 · T1, FLAIR")


MOUNT_A_READERS = """async (value) => {
  const { mountPanes } = await import("/static/panes/panes.js");
  const hooks = { use() {}, open() {}, linked: false };
  window.readers = await mountPanes(document.querySelector("#box"), hooks);
  readers.show(JSON.parse(value));
}"""


def test_a_blinded_readers_panes_are_not_told_what_the_model_saw(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    """The first study of the Read tab is open while a reader sees the same one."""
    open_panes(page, address)
    show(page, studies["one"])
    told = {"study": "one", "question": "1", "slices": json.dumps(SLICES)}
    tell = "document.dispatchEvent(new CustomEvent('model-input', { detail: modelInput }))"
    page.evaluate("(told) => (window.modelInput = told)", told)
    page.evaluate(MOUNT_A_READERS, spec_json(studies["one"]))
    page.wait_for_function("document.querySelector('#box').mriPanes.loaded.length === 4")
    page.evaluate(tell)
    page.wait_for_function("panes.places(panes.lead()).length === 3")
    assert page.evaluate("readers.places(readers.lead())") == []
    expect(page.locator("#box .tick")).to_have_count(0)
    expect(page.locator("#box .pane-shown:not([hidden])")).to_have_count(0)


def test_an_answer_leads_to_its_slices_and_its_pictures(
    page: Page, serve: Serve, cases_dir: Path, tmp_path: Path
) -> None:
    """Read, Compare and Review of a real study."""
    questions = str(cases_dir / "questions.csv")
    address = serve("--data", str(cases_dir), "--questions", questions, "--model", "fake:B")
    open_page(page, address)
    choose_study(page, "BraTS2021_01478")
    page.wait_for_function("window.mriPanes?.places.length === 1", timeout=SLOW_MS)
    page.locator("#representation input[value='multi-montage']").check()
    page.wait_for_function("window.mriPanes?.places.length === 3", timeout=SLOW_MS)
    ask(page)
    page.keyboard.press("Home")
    page.locator("#answer .show-slices button").click()
    page.wait_for_function("window.mriPanes?.plane === 'axial' && mriPanes.index === 68")
    page.keyboard.press("f")
    page.wait_for_function("window.mriPanes?.plane === 'coronal' && mriPanes.index === 88")
    look_at_the_pictures(page)

    # Opened again from the review list while another study is on the panes.
    choose_study(page, "BraTS2021_01476")
    page.get_by_role("tab", name="Review").click()
    page.locator("#review-list button", has_text="hemisphere").last.click(timeout=SLOW_MS)
    page.locator("#review-record .show-slices button").click(timeout=SLOW_MS)
    page.wait_for_function("window.mriPanes?.study === 'BraTS2021_01478'", timeout=SLOW_MS)
    page.wait_for_function(
        "window.mriPanes?.index !== null && mriPanes.places.length > 0", timeout=SLOW_MS
    )
    expect(page.locator("#panes")).to_be_visible()
    here = "p.plane === mriPanes.plane && p.index === mriPanes.index"
    assert page.evaluate(f"mriPanes.places.some((p) => {here})")


def look_at_the_pictures(page: Page) -> None:
    """The strip's pictures, large: their own pixels, a whole number of times as large."""
    strip = page.locator("#model-input .enlarge")
    strip.nth(0).click()
    dialog = page.get_by_role("dialog", name="Picture as sent")
    expect(dialog).to_contain_text("Picture 1 of 3")
    captions = page.locator("#model-input figcaption").all_inner_texts()
    assert len(set(captions)) == 3
    expect(dialog.locator("h2")).to_have_text(captions[0])
    exact = "(i) => [i.clientWidth / i.naturalWidth, getComputedStyle(i).imageRendering]"
    times, rendering = dialog.locator("img").evaluate(exact)
    assert times >= 1 and times == int(times) and rendering == "pixelated"
    same = dialog.locator("img").get_attribute("src")
    assert same == strip.locator("img").nth(0).get_attribute("src")
    before = page.evaluate("mriPanes.index")
    page.keyboard.press("ArrowRight")
    expect(dialog).to_contain_text("Picture 2 of 3")
    page.keyboard.press("End")
    expect(dialog).to_contain_text("Picture 3 of 3")
    expect(dialog.locator("h2")).to_have_text(captions[2])
    page.keyboard.press("+")
    assert dialog.locator("img").evaluate(exact)[0] == times + 1
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    assert page.evaluate("mriPanes.index") == before
