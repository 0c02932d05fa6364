"""What the panes show and take while files are on their way, and where they do not come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.panes_page import PATIENCE_MS, make_study, open_panes, spec_json
from tests.browser.test_panes import show
from viewer.study import Study

pytestmark = pytest.mark.browser

VOLUMES = "**/volumes/**"
NO_CANVAS = """
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (...given) {
  if (this.className === "pane-canvas") throw new Error("out of memory");
  return get.call(this, ...given);
};
"""


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    folder = tmp_path_factory.mktemp("studies")
    made = [make_study(folder, "many", sequences=6), make_study(folder, "two", sequences=2)]
    return {study.id: study for study in made}


def hold_volumes(page: Page) -> list[Route]:
    """Volumes asked for from now on, which never come by themselves."""
    held: list[Route] = []
    page.route(VOLUMES, lambda route: held.append(route))
    return held


def hand_over(page: Page, study: Study) -> None:
    """A spec as Gradio would hand it over; nothing of it need be there."""
    page.evaluate("(json) => panes.show(JSON.parse(json))", spec_json(study))


def expect_loading(page: Page, count: int) -> None:
    loading = page.locator(".pane[data-status=loading]")
    expect(loading).to_have_count(count, timeout=PATIENCE_MS)


def test_panes_that_are_passed_by_wait_for_nothing(panes: Page, studies: dict[str, Study]) -> None:
    """The list's pictures are not fetched while any pane is loading."""
    hold_volumes(panes)
    hand_over(panes, studies["many"])
    expect_loading(panes, 4)
    panes.keyboard.press("1")
    expect_loading(panes, 1)
    panes.keyboard.press("4")
    expect_loading(panes, 4)
    hand_over(panes, studies["two"])
    expect_loading(panes, 2)


def test_a_pane_that_loads_keeps_no_word_of_the_study_before(
    panes: Page, studies: dict[str, Study]
) -> None:
    show(panes, studies["many"])
    pane = panes.locator(".pane").first
    pane.hover()
    parts = [pane.locator(f".pane-{part}") for part in ("where", "reading")]
    for part in parts:
        expect(part).to_be_visible()
    hold_volumes(panes)
    hand_over(panes, studies["two"])
    expect_loading(panes, 2)
    for part in parts:
        expect(part).to_be_hidden()
    expect(pane.locator(".pane-name")).to_have_value("T1")


def test_a_pane_that_could_not_start_keeps_saying_so(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    page.add_init_script(NO_CANVAS)
    open_panes(page, address)
    hand_over(page, studies["two"])
    message = page.locator(".pane[data-status=error] .pane-message").first
    expect(message).to_have_text("This pane could not start: out of memory", timeout=PATIENCE_MS)
    page.keyboard.press("x")
    expect_loading(page, 0)
    expect(message).to_have_text("This pane could not start: out of memory", timeout=PATIENCE_MS)


def test_the_panes_stand_back_until_the_study_marked_in_the_list_is_there(
    panes: Page, studies: dict[str, Study]
) -> None:
    def mark(study: str) -> None:
        told = "(detail) => document.dispatchEvent(new CustomEvent('study-marked', { detail }))"
        panes.evaluate(told, study)

    awaited = panes.locator(".mri-panes[aria-busy=true] .stage")
    expect(awaited).to_have_count(0)
    mark("two")
    expect(awaited).to_have_count(1)
    show(panes, studies["two"])
    expect(awaited).to_have_count(0)
    mark("many")
    expect(awaited).to_have_css("opacity", "0.35", timeout=PATIENCE_MS)
    mark("two")  # thought better of
    expect(awaited).to_have_count(0)
    panes.clock.install()
    mark("many")
    panes.clock.fast_forward(90_000)
    expect(awaited).to_have_count(0, timeout=PATIENCE_MS)  # it cannot be opened
    notice = panes.locator(".notice")
    expect(notice).to_contain_text("has not come from the server")
    hand_over(panes, studies["many"])
    expect(notice).to_be_hidden()


def test_a_drag_that_outlives_its_pane_windows_nothing(
    panes: Page, studies: dict[str, Study]
) -> None:
    """The layout changes under the held button; an error in the page fails this test."""
    show(panes, studies["many"])
    box = panes.locator(".pane-canvas").nth(3).bounding_box()
    assert box
    panes.mouse.move(box["x"] + 100, box["y"] + 100)
    panes.mouse.down(button="right")
    panes.mouse.move(box["x"] + 120, box["y"] + 100)
    panes.keyboard.press("1")
    panes.mouse.move(box["x"] + 160, box["y"] + 140, steps=4)
    panes.mouse.up(button="right")
    hand_over(panes, studies["two"])
    panes.wait_for_function("window.mriPanes?.loaded.length === 1")


def test_panes_whose_stylesheet_does_not_come_say_so(page: Page, address: str) -> None:
    page.route("**/panes/panes.css", lambda route: route.abort())
    page.goto(f"{address}static/panes/panes.js")  # a page of the server without panes of its own
    mount = "import('/static/panes/panes.js').then((m) => m.mountPanes(document.body, {}))"
    said = page.evaluate(f"{mount}.catch((error) => error.message)")
    assert said == "panes.css did not come from the server; load the page again."


@pytest.mark.parametrize("again", ["r", "online"])
def test_what_did_not_come_is_asked_for_again(
    panes: Page, studies: dict[str, Study], again: str
) -> None:
    """By R, which the sentence in the pane names, and when the network is back; masks too."""
    for files in (VOLUMES, "**/masks/**"):
        panes.route(files, lambda route: route.abort())
    hand_over(panes, studies["many"])
    failed = panes.locator(".pane[data-status=error] .pane-message")
    expect(failed).to_have_count(4, timeout=PATIENCE_MS)
    expect(failed.first).to_contain_text("Reset (R) tries again")
    panes.unroute_all()
    if again == "r":
        panes.keyboard.press("r")
    else:
        panes.evaluate("dispatchEvent(new Event('online'))")
    panes.wait_for_function("window.mriPanes?.loaded.length === 4 && mriPanes.maskLoaded")
    expect(failed).to_have_count(0, timeout=PATIENCE_MS)
