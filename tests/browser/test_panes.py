"""The panes in a real browser: left is left, keys work, nothing is asked of the server."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.panes_page import (
    BRIGHT,
    PATIENCE_MS,
    make_study,
    make_two_grids,
    open_panes,
    phantom,
    spec_json,
)
from viewer.planes import PLANES, cut, edges
from viewer.study import Study

pytestmark = pytest.mark.browser

ORDERS = ("RAS", "LPS", "LAS", "PIR", "SLA")
KEY_OF = {"axial": "a", "coronal": "c", "sagittal": "s"}


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    folder = tmp_path_factory.mktemp("studies")
    made = [make_study(folder, order, order, sequences=2) for order in ORDERS]
    made += [make_study(folder, "many", sequences=6), make_study(folder, "bare", mask=False)]
    made.append(make_two_grids(folder))
    broken = make_study(folder, "broken", sequences=2)
    broken.sequences[1].path.write_bytes(b"<html>")
    return {study.id: study for study in [*made, broken]}


NONE_LOADING = """[...document.querySelectorAll(".pane:not([hidden])")]
  .every((pane) => pane.dataset.status && pane.dataset.status !== "loading")"""
"""What a pane draws with can come later than what it draws."""


def settle(page: Page) -> None:
    """Until what was asked for is drawn: at most one frame a refresh of the screen."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def show(page: Page, study: Study, **choices: Any) -> None:
    """Hand a spec over, as Gradio would, and wait until all of it is drawn."""
    page.evaluate("(json) => panes.show(JSON.parse(json))", spec_json(study, **choices))
    count = min(4, len(study.sequences))
    page.wait_for_function(f"window.mriPanes?.loaded.length === {count}")
    if study.masks:
        page.wait_for_function("window.mriPanes?.maskLoaded")
    page.wait_for_function(NONE_LOADING)


def picture(page: Page, cell: int = 0) -> NDArray[np.uint8]:
    """A cell's canvas as RGB, without the letters over it."""
    data = page.evaluate(f"mriPanes.picture({cell})").split(",")[1]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))


def middle_of(shown: NDArray[np.bool_]) -> tuple[float, float]:
    """Where a region lies, down and across, as shares of the picture from its middle."""
    places = np.argwhere(shown).mean(axis=0) + 0.5
    return tuple(places / shown.shape - 0.5)


def letters(page: Page, cell: int = 0) -> dict[str, str]:
    pane = page.locator(".pane").nth(cell)
    sides = ("left", "right", "top", "bottom")
    return {side: pane.locator(f".pane-letter.{side}").inner_text() for side in sides}


@pytest.mark.parametrize(
    ("card", "order"), [("hardware", "PIR"), *(("software", order) for order in ORDERS)]
)
def test_letters_and_pixels_agree(
    page: Page, address: str, studies: dict[str, Study], card: str, order: str
) -> None:
    """In every plane and convention the bright block lies where viewer/planes.py draws it."""
    drawn = open_panes(page, f"{address}?card={card}")
    show(drawn, studies[order])
    drawn.keyboard.press("x")
    drawn.keyboard.press("m")
    for convention in ("radiological", "neurological"):
        for name, plane in PLANES.items():
            drawn.keyboard.press(KEY_OF[name])
            drawn.keyboard.press("j")
            drawn.wait_for_function(f"window.mriPanes?.plane === {name!r}")
            assert letters(drawn) == vars(edges(plane, convention))
            index = (BRIGHT[plane.through].start + BRIGHT[plane.through].stop) // 2
            wanted = middle_of(cut(phantom(), plane, index, convention) > 900)
            found = middle_of(picture(drawn)[:, :, 0] > 200)
            assert np.sign(found).tolist() == np.sign(wanted).tolist(), (name, convention)
        drawn.keyboard.press("l")
        drawn.wait_for_function(f"window.mriPanes?.convention !== {convention!r}")


def test_every_axis_order_draws_the_same_pixels(panes: Page, studies: dict[str, Study]) -> None:
    pictures = []
    for order in ORDERS:
        show(panes, studies[order])
        pictures.append(picture(panes))
    for other in pictures[1:]:
        np.testing.assert_array_equal(pictures[0], other)


def test_keys_scroll_at_once_and_never_ask_the_server(
    panes: Page, studies: dict[str, Study]
) -> None:
    show(panes, studies["many"])
    asked: list[str] = []
    panes.on("request", lambda request: asked.append(request.url))
    presses = [("Home", 0), ("ArrowUp", 1), ("ArrowRight", 2), ("PageUp", 12), ("ArrowDown", 11)]
    presses += [("ArrowLeft", 10), ("PageDown", 0), ("End", 29), ("PageUp", 29)]
    for key, index in presses:
        panes.keyboard.press(key)
        panes.wait_for_function(f"window.mriPanes?.index === {index}")
    panes.locator(".pane-canvas").first.hover()
    panes.mouse.wheel(0, 120)
    panes.wait_for_function("window.mriPanes?.index === 28")
    panes.locator(".labels input").first.uncheck()
    panes.keyboard.press("o")
    panes.keyboard.press("c")
    assert asked == []


def test_the_value_under_a_resting_pointer_is_that_of_the_slice_on_the_screen(
    panes: Page, studies: dict[str, Study]
) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("j")
    box = panes.locator(".pane-canvas").first.bounding_box()
    assert box
    x, y = panes.evaluate("panes.panes[0].drawing.placeOf(mriPanes.mm)")
    panes.mouse.move(box["x"] + x, box["y"] + y)
    said = panes.locator(".pane-reading").first
    expect(said).to_contain_text("1000", timeout=PATIENCE_MS)
    expect(said).to_contain_text("edema", timeout=PATIENCE_MS)
    panes.keyboard.press("End")  # the rim, beyond the block and the box
    expect(said).not_to_contain_text("1000", timeout=PATIENCE_MS)
    expect(said).not_to_contain_text("edema", timeout=PATIENCE_MS)
    panes.keyboard.press("j")
    expect(said).to_contain_text("edema", timeout=PATIENCE_MS)
    panes.mouse.down()  # and while the crosshair is dragged, of where it is
    panes.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    expect(said).not_to_contain_text("edema", timeout=PATIENCE_MS)
    panes.mouse.up()


def test_sequences_on_different_grids_stay_in_step(panes: Page, studies: dict[str, Study]) -> None:
    """One point in millimetres: the block lies in the same place at the same size on both."""
    show(panes, studies["grids"])
    panes.keyboard.press("x")
    panes.keyboard.press("m")
    places, sizes = [], []
    for cell in (0, 1):
        bright = picture(panes, cell)[:, :, 0] > 160
        places.append(middle_of(bright))
        sizes.append(bright.mean())
    assert np.abs(np.subtract(*places)).max() < 0.02
    assert sizes[1] == pytest.approx(sizes[0], rel=0.6)
    where = panes.locator(".pane-where span:first-child")
    fine, coarse = (int(text.split()[2]) for text in where.all_inner_texts()[:2])
    assert abs(fine // 2 - coarse) <= 1


def test_windows_by_rule(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("x")
    panes.keyboard.press("m")
    drawn = {}
    for preset in ("auto", "full", "lesion"):
        assert panes.get_by_label("Window preset").input_value() == preset
        drawn[preset] = picture(panes)
        panes.keyboard.press("w")
    assert panes.get_by_label("Window preset").input_value() == "auto"
    assert drawn["lesion"].mean() < drawn["auto"].mean()  # the box is darker than the lesion


def test_a_new_mask_is_shown_as_it_arrives(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    assert panes.get_by_role("button", name="Predicted").is_disabled()
    value = json.loads(spec_json(studies["many"]))
    made = {**value["spec"]["overlays"][0], "kind": "predicted", "url": "masks/many.nii?by=demo"}
    value["spec"]["overlays"].append(made)
    volumes: list[str] = []
    panes.on("request", lambda request: volumes.append(request.url))
    panes.evaluate("(value) => panes.show(value)", value)
    predicted = panes.get_by_role("button", name="Predicted")
    assert predicted.get_attribute("aria-pressed") == "true"
    panes.wait_for_function("window.mriPanes?.maskLoaded")
    assert not [url for url in volumes if "/volumes/" in url], "the same study was fetched again"


def test_keys_are_left_to_who_types(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    before = panes.evaluate("[mriPanes.index, mriPanes.plane]")
    for box in ("#text", "#box"):
        panes.locator(box).click()
        panes.keyboard.type("scan")
        panes.keyboard.press("ArrowUp")
        panes.keyboard.press("Home")
    assert panes.evaluate("[mriPanes.index, mriPanes.plane]") == before
    assert panes.locator("#text").input_value() == "scan"


def test_what_was_chosen_before_the_first_study_came_is_kept(
    panes: Page, studies: dict[str, Study]
) -> None:
    panes.keyboard.press("c")
    panes.keyboard.press("l")
    show(panes, studies["many"])
    assert panes.evaluate("[mriPanes.plane, mriPanes.convention]") == ["coronal", "neurological"]
    show(panes, studies["bare"], convention="radiological")
    assert panes.evaluate("mriPanes.convention") == "neurological"


def test_a_label_can_be_hidden_alone(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("x")

    def yellow() -> int:
        pixels = picture(panes).astype(int)
        return int((pixels[:, :, 0] - pixels[:, :, 2] > 40).sum())

    both = yellow()
    panes.get_by_label("edema").uncheck()
    core = yellow()
    panes.get_by_label("core").uncheck()
    assert both > core > 0 == yellow()


def test_another_study_never_shows_the_last_ones_mask(
    panes: Page, studies: dict[str, Study]
) -> None:
    show(panes, studies["many"])
    assert panes.locator(".labels input").count() == 2
    show(panes, studies["bare"])
    panes.keyboard.press("x")
    pixels = picture(panes)
    assert pixels.max() > 50
    assert (pixels == pixels[:, :, :1]).all(), "coloured pixels without a mask"
    assert "No mask" in panes.locator(".labels").inner_text()


def test_dragging_with_the_right_button_windows_and_reset_undoes_it(
    panes: Page, studies: dict[str, Study]
) -> None:
    show(panes, studies["bare"])
    panes.keyboard.press("x")
    before = picture(panes)
    box = panes.locator(".pane-canvas").first.bounding_box()
    assert box
    panes.mouse.move(box["x"] + 100, box["y"] + 100)
    panes.mouse.down(button="right")
    panes.mouse.move(box["x"] + 100, box["y"] + 180, steps=4)
    panes.mouse.up(button="right")
    assert picture(panes).mean() != before.mean()
    panes.keyboard.press("r")
    np.testing.assert_array_equal(picture(panes), before)


def test_a_file_that_cannot_be_read_says_so_in_its_pane(
    panes: Page, studies: dict[str, Study]
) -> None:
    panes.evaluate("(json) => panes.show(JSON.parse(json))", spec_json(studies["broken"]))
    message = panes.locator(".pane[data-status=error] .pane-message")
    message.wait_for()
    assert "T1c.nii.gz" in message.inner_text()
    panes.wait_for_function("window.mriPanes?.loaded.length === 1")


def test_the_slice_in_use_is_told_on_request_only(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("Home")
    panes.keyboard.press("PageUp")
    assert panes.evaluate("used") == []
    panes.get_by_role("button", name="Use this slice").click()
    (slice_,) = panes.evaluate("used")
    assert slice_["study"] == "many"
    assert (slice_["sequence"], slice_["plane"], slice_["index"]) == ("T1", "axial", 10)
    assert slice_["mm"][2] == pytest.approx(5 + 2 * 10)


@pytest.mark.parametrize(("key", "count"), [("1", 1), ("2", 2), ("4", 4), ("6", 6), ("3", 3)])
def test_layouts(panes: Page, studies: dict[str, Study], key: str, count: int) -> None:
    show(panes, studies["many"])
    panes.keyboard.press(key)
    panes.wait_for_function(f"document.querySelectorAll('.pane:not([hidden])').length === {count}")


def test_the_sheet_of_keys_opens_and_closes(panes: Page) -> None:
    panes.keyboard.press("?")
    panes.get_by_role("dialog").wait_for()
    assert "Next slice" in panes.get_by_role("dialog").inner_text()
    panes.keyboard.press("Escape")
    assert not panes.get_by_role("dialog").is_visible()


NO_WEBGL = (
    "const get = HTMLCanvasElement.prototype.getContext;"
    "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
    "  return kind === 'webgl2' ? null : get.call(this, kind, ...more); };"
)


def test_without_a_graphics_card_the_same_pixels_are_drawn(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    pictures = {}
    for card in ("hardware", "software"):
        open_panes(page, f"{address}?card={card}")
        show(page, studies["PIR"])
        for key in ("a", "c", "s"):
            page.keyboard.press(key)
            page.keyboard.press("j")
            pictures[card, key] = picture(page).astype(int)
    for key in ("a", "c", "s"):
        assert np.abs(pictures["hardware", key] - pictures["software", key]).mean() < 1.5


def test_without_webgl_plain_pictures_take_over(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    """Letters, wheel, keys and masks work as ever, and the page says what is missing."""
    page.add_init_script(NO_WEBGL)
    open_panes(page, address)
    page.get_by_text("Plain pictures: this browser has no WebGL 2").wait_for()
    show(page, studies["many"])
    assert letters(page) == vars(edges(PLANES["axial"], "radiological"))
    pixels = picture(page).astype(int)
    assert (pixels[:, :, 0] - pixels[:, :, 2] > 40).any(), "no mask is drawn"
    page.keyboard.press("Home")
    page.locator(".pane-canvas").first.hover()
    page.mouse.wheel(0, -120)
    page.wait_for_function("window.mriPanes?.index === 1")


def test_a_lost_graphics_card_is_told_and_its_return_draws_again(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    open_panes(page, f"{address}?card=hardware")
    show(page, studies["many"])
    before = picture(page)
    page.evaluate("""() => {
        const gl = document.querySelector(".pane-canvas").getContext("webgl2");
        window.lost = gl.getExtension("WEBGL_lose_context");
        lost.loseContext(); }""")
    message = page.locator(".pane[data-status=error] .pane-message")
    message.wait_for()
    assert "graphics card" in message.inner_text()
    page.keyboard.press("ArrowUp")  # the other panes go on
    page.keyboard.press("ArrowDown")
    for key in (
        "Shift+ArrowRight",
        "d",
        ".",
        "Escape",
    ):  # there is no picture to move or measure on
        page.keyboard.press(key)
    page.evaluate("lost.restoreContext()")
    page.wait_for_function("document.querySelectorAll('.pane[data-status=ready]').length === 4")
    np.testing.assert_array_equal(picture(page), before)
