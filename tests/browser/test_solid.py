"""The 3-D pane: letters and pixels agree however it is turned."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.panes_page import PATIENCE_MS, make_study, open_panes, spec_json
from tests.browser.test_panes import NO_WEBGL, settle, show
from viewer.study import Study

pytestmark = pytest.mark.browser

SIDES = {"R": 1, "A": 1, "S": 1}
"""Towards these letters the marked block of the phantom lies."""


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    folder = tmp_path_factory.mktemp("studies")
    made = [make_study(folder, "head"), make_study(folder, "lps", "LPS")]
    return {study.id: study for study in made}


def open_solid(page: Page, address: str, study: Study) -> None:
    open_panes(page, address)
    show(page, study)
    page.keyboard.press("v")
    page.wait_for_function("window.mriPanes?.solid")


def picture(page: Page) -> NDArray[np.int64]:
    data = page.evaluate("mriPanes.picture('solid')").split(",")[1]
    image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    return np.asarray(image).astype(np.int64)


def block(page: Page) -> tuple[float, float]:
    """Where the yellow block lies from the middle: to the right and up, in pixels."""
    pixels = picture(page)
    yellow = pixels[:, :, 0] - pixels[:, :, 2] > 60
    assert yellow.sum() > 20
    down, right = np.argwhere(yellow).mean(axis=0) - np.array(yellow.shape) / 2
    return right, -down


def letters(page: Page) -> dict[str, tuple[float, float]]:
    """Where each visible letter stands from the middle of the pane: to the right and up."""
    box = page.locator(".solid-canvas").bounding_box()
    assert box
    found = {}
    for node in page.locator(".solid-letter:not([hidden])").all():
        place = node.bounding_box()
        assert place
        found[node.inner_text()] = (
            place["x"] + place["width"] / 2 - box["x"] - box["width"] / 2,
            box["y"] + box["height"] / 2 - place["y"] - place["height"] / 2,
        )
    return found


def assert_agree(page: Page) -> None:
    """The block lies towards R, A and S: their letters' sum points where it is drawn."""
    stands = letters(page)
    towards = np.sum([stands[letter] for letter in SIDES if letter in stands], axis=0)
    assert np.dot(towards, block(page)) > 0, stands
    for one, other in (("R", "L"), ("A", "P"), ("S", "I")):
        if one in stands:
            assert np.allclose(stands[one], -np.array(stands[other]), atol=3)


@pytest.mark.parametrize("study", ["head", "lps"])
def test_letters_stay_right_while_it_turns(
    page: Page, address: str, studies: dict[str, Study], study: str
) -> None:
    open_solid(page, address, studies[study])
    front = letters(page)
    assert front["R"][0] < 0 < front["L"][0]  # seen from the front, nothing mirrored
    assert front["S"][1] > 0 > front["I"][1]
    assert "A" not in front
    assert_agree(page)
    for name in ("Back", "Right", "Left", "Top", "Bottom"):
        page.get_by_role("button", name=name, exact=True).click()
        assert_agree(page)
    bottom = letters(page)
    assert bottom["A"][1] > 0 and bottom["R"][0] < 0  # as an axial slice is read
    page.locator(".solid-canvas").focus()
    for key in ("ArrowLeft", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        assert_agree(page)


def test_drag_and_arrow_keys_turn_it(page: Page, address: str, studies: dict[str, Study]) -> None:
    open_solid(page, address, studies["head"])
    index = page.evaluate("mriPanes.index")
    box = page.locator(".solid-canvas").bounding_box()
    assert box
    page.mouse.move(box["x"] + 150, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 210, box["y"] + 120, steps=4)
    page.mouse.up()
    view = page.evaluate("mriPanes.solid")
    assert view["turn"] != 0 and view["tilt"] != 0
    assert_agree(page)
    page.keyboard.press("ArrowUp")  # it has the focus: it turns, and the slices stay
    assert page.evaluate("mriPanes.solid")["tilt"] > view["tilt"]
    assert page.evaluate("mriPanes.index") == index
    page.locator(".pane-canvas").first.click()
    now = page.evaluate("mriPanes.index")
    page.keyboard.press("ArrowUp")
    page.wait_for_function(f"window.mriPanes?.index === {now + 1}")


def test_labels_come_and_go_in_3d_as_everywhere(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    open_solid(page, address, studies["head"])
    block(page)
    page.get_by_label("edema").uncheck()
    page.get_by_label("core").uncheck()
    settle(page)
    pixels = picture(page)
    assert (pixels[:, :, 0] - pixels[:, :, 2] > 60).sum() == 0
    assert pixels.max() > 40, "the head is gone too"


def test_double_click_shows_it_alone(page: Page, address: str, studies: dict[str, Study]) -> None:
    open_solid(page, address, studies["head"])
    expect(page.locator(":is(.pane, .solid):not([hidden])")).to_have_count(4)
    page.locator(".solid-canvas").dblclick()
    expect(page.locator(":is(.pane, .solid):not([hidden])")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(":is(.pane, .solid):not([hidden])")).to_have_count(4)


def test_without_webgl_a_sentence_stands_there(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    page.add_init_script(NO_WEBGL)
    open_panes(page, address)
    show(page, studies["head"])
    page.keyboard.press("v")
    expect(page.locator(".solid-message")).to_contain_text("3-D needs WebGL 2")
    expect(page.locator(".pane:not([hidden]) .pane-where").first).to_contain_text("axial")


def test_a_lost_context_is_told_as_such_while_slices_are_scrolled(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    open_solid(page, address, studies["head"])
    page.evaluate("""() => {
        const gl = document.querySelector(".solid-canvas").getContext("webgl2");
        window.lost = gl.getExtension("WEBGL_lose_context");
        lost.loseContext(); }""")
    message = page.locator(".solid-message")
    expect(message).to_contain_text("graphics card gave up", timeout=PATIENCE_MS)
    page.keyboard.press("ArrowUp")
    page.wait_for_timeout(1000)  # the pane follows when the slices rest
    expect(message).to_contain_text("graphics card gave up")
    page.evaluate("lost.restoreContext()")
    page.wait_for_function("window.mriPanes?.solid")
    block(page)


def test_the_last_studys_head_goes_with_its_study(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    """Also where the next one's volumes never come."""
    open_solid(page, address, studies["head"])
    page.route("**/volumes/**", lambda route: route.abort())
    page.evaluate("(json) => panes.show(JSON.parse(json))", spec_json(studies["lps"]))
    expect(page.locator(".solid-canvas")).to_be_hidden(timeout=PATIENCE_MS)
