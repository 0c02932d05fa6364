"""The main job in a real browser: open, scroll, toggle, ask, read the answer beside the truth."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve, patient

pytestmark = pytest.mark.browser

SLOW_MS = 300_000
"""A first start on a busy two-core machine makes the demo studies and loads a model."""


@pytest.fixture(scope="module")
def demo(serve: Serve) -> str:
    return serve()


@pytest.fixture(scope="module")
def real(serve: Serve, cases_dir: Path) -> str:
    questions = ["questions.csv", "ucsf-questions.csv"]
    files = [part for name in questions for part in ("--questions", str(cases_dir / name))]
    return serve("--data", str(cases_dir), *files, "--model", "fake:B")


def open_page(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_function("window.mriPanes?.loaded.length === 4", timeout=SLOW_MS)
    page.wait_for_function("window.mriPanes?.maskLoaded", timeout=SLOW_MS)
    expect(page.locator("#question-card li")).to_have_count(4, timeout=SLOW_MS)
    expect(page.locator("#study-list .row[data-id]").first).to_be_visible(timeout=SLOW_MS)


def choose_study(page: Page, study: str) -> None:
    page.locator(f'#study-list [data-id="{study}"]').click()
    page.wait_for_function(
        f"window.mriPanes?.study === '{study}' && mriPanes.loaded.length === 4"
        " && mriPanes.maskLoaded",
        timeout=SLOW_MS,
    )


def ask(page: Page) -> str:
    """Press Ask and wait for the answer card; returns the card's text."""
    page.locator("#ask").click()
    card = page.locator("#answer .answer")
    expect(card).not_to_have_attribute("data-status", "asking", timeout=SLOW_MS)
    expect(page.locator("#ask")).to_be_enabled(timeout=SLOW_MS)
    return card.inner_text()


def scroll(page: Page) -> None:
    """Keys and wheel move the slice without a request to the server."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    start = page.evaluate("mriPanes.index")
    page.keyboard.press("ArrowUp")
    page.wait_for_function(f"window.mriPanes?.index === {start + 1}")
    page.keyboard.press("PageDown")
    page.wait_for_function(f"window.mriPanes?.index < {start}")
    page.locator(".pane-canvas").first.hover()
    before = page.evaluate("mriPanes.index")
    page.mouse.wheel(0, -120)
    page.wait_for_function(f"window.mriPanes?.index !== {before}")
    page.locator(".labels input").first.uncheck()
    page.locator(".labels input").first.check()
    assert [url for url in requests if "/volumes/" in url or "/masks/" in url] == []


def test_the_demo_answers_with_a_real_network(page: Page, demo: str, tmp_path: Path) -> None:
    open_page(page, demo)
    expect(page.locator("#masthead")).to_contain_text("not for diagnosis")
    expect(page.locator("#study-about")).to_contain_text("Synthetic study")
    scroll(page)
    page.locator("#representation input[value='montage']").check()
    expect(page.locator("#model-input figure")).to_have_count(1, timeout=SLOW_MS)
    page.locator("#representation input[value='multi-slice']").check()
    expect(page.locator("#model-input figure")).to_have_count(7, timeout=SLOW_MS)
    said = ask(page)
    assert "demo-gemma3-vlm" in said and "synthetic" in said
    assert said.count(" %") == 4
    assert "ground truth" not in said
    page.locator("#truth input").check()
    expect(page.locator("#answer")).to_contain_text("ground truth", timeout=SLOW_MS)
    expect(page.locator("#ablation tbody tr")).to_have_count(3, timeout=SLOW_MS)
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        shot = tmp_path / f"demo-{width}.png"
        page.screenshot(path=shot)
        assert shot.stat().st_size > 50_000
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_real_study_and_its_truth(page: Page, real: str) -> None:
    open_page(page, real)
    choose_study(page, "BraTS2021_01478")
    expect(page.locator("#question-card")).to_contain_text("hemisphere", timeout=SLOW_MS)
    scroll(page)
    page.locator("#truth input").check()
    said = ask(page)
    assert "Right hemisphere" in said and "wrong" in said
    expect(page.locator("#ablation")).to_contain_text(
        "Same answer without the image", timeout=SLOW_MS
    )
    expect(page.locator("#mask-table")).to_contain_text("230.9")


def test_an_answer_leaves_with_its_question(page: Page, real: str) -> None:
    open_page(page, real)
    ask(page)
    choose_study(page, "BraTS2021_01480")
    expect(page.locator("#answer .answer")).to_have_count(0, timeout=SLOW_MS)
    assert page.evaluate("mriPanes.study") == "BraTS2021_01480"


def test_a_question_id_that_two_studies_share_is_shown_for_the_study_at_hand(
    page: Page, real: str
) -> None:
    """Both files count their questions from 1."""
    open_page(page, real)
    page.locator("#truth input").check()
    first = page.locator("#question-card li").first
    for study, option in (
        ("BraTS2021_01476", "Right hemisphere"),
        ("UCSF-PDGM-0096", "Left hemisphere"),
        ("BraTS2021_01476", "Right hemisphere"),
    ):
        choose_study(page, study)
        expect(first).to_contain_text(option, timeout=SLOW_MS)
        page.wait_for_function(f"window.modelInput?.study === '{study}'", timeout=SLOW_MS)
        assert "1 · In which" in page.locator("#question input").input_value()


def test_two_sessions_keep_apart(page: Page, browser: Browser, real: str) -> None:
    """What one user opens is never what another one's question is about."""
    open_page(page, real)
    choose_study(page, "BraTS2021_01476")
    other_context = patient(browser.new_context())
    other = other_context.new_page()
    open_page(other, real)
    choose_study(other, "BraTS2021_01480")
    page.locator("#truth input").check()
    ask(page)
    expect(page.locator("#answer")).to_contain_text("wrong")
    expect(page.locator("#study-about h3")).to_have_text("BraTS2021_01476")
    expect(other.locator("#answer .answer")).to_have_count(0)
    other_context.close()


def test_files_of_the_data_folder_have_no_address(page: Page, real: str, cases_dir: Path) -> None:
    file = next((cases_dir / "brats2021" / "BraTS2021_01476").glob("*.nii.gz"))
    for address in (f"gradio_api/file={file}", f"file={file}", f"volumes/..%2F{file.name}.nii"):
        assert page.request.get(real + address).status in {403, 404}


def test_the_slice_on_the_screen_becomes_the_input(page: Page, real: str) -> None:
    open_page(page, real)
    choose_study(page, "BraTS2021_01476")
    page.locator("#representation input[value='single-slice']").check()
    page.keyboard.press("Home")
    page.locator("#panes").get_by_text("Jump to tumor").click()
    index = page.evaluate("mriPanes.index")
    page.keyboard.press("PageUp")
    page.wait_for_function(f"window.mriPanes?.index > {index}")
    chosen = page.evaluate("mriPanes.index")
    page.locator("#panes").get_by_text("Use this slice").click()
    caption = page.locator("#model-input figcaption")
    expect(caption).to_have_count(1, timeout=SLOW_MS)
    expect(caption).to_have_text(f"Axial FLAIR, slice {chosen}", timeout=SLOW_MS)
    expect(page.locator("#model-input")).to_contain_text("chosen on the screen")
    choose_study(page, "BraTS2021_01477")
    expect(caption).to_have_text("Axial FLAIR, slice 68", timeout=SLOW_MS)


def test_a_question_of_ones_own_is_asked_and_scored(page: Page, real: str) -> None:
    open_page(page, real)
    page.locator("#own-question button").first.click()
    page.locator("#own-use").click()
    expect(page.locator("#own-problem")).to_contain_text("Expected a question", timeout=SLOW_MS)
    page.locator("#own-stem textarea").fill("Is there <b>edema</b>?")
    page.locator("#own-options textarea").fill("Yes, much\nNo, none")
    page.locator("#own-use").click()
    expect(page.locator("#question-card")).to_contain_text(
        "Is there <b>edema</b>?", timeout=SLOW_MS
    )
    expect(page.locator("#question-card li")).to_have_count(2)
    assert "No, none" in ask(page)
