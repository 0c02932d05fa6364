"""Measuring in a real browser: true millimetres on any grid, the patient's sides in words."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.panes_page import SHAPE, make_study, phantom
from tests.browser.test_panes import settle, show
from tests.viewer.images import save
from viewer.study import SequenceFile, Study

pytestmark = pytest.mark.browser

TILT = np.radians(25)


def make_tilted(folder: Path) -> Study:
    """One sequence of voxels of 1 × 2 × 3 mm on a grid turned by 25° about the x axis."""
    turned = np.array(
        [[1, 0, 0], [0, np.cos(TILT), -np.sin(TILT)], [0, np.sin(TILT), np.cos(TILT)]]
    )
    world = np.eye(4)
    world[:3, :3] = turned @ np.diag([1.0, 2.0, 3.0])
    world[:3, 3] = (-20, 30, -10)
    path = save(folder / "tilted" / "T1.nii.gz", phantom(), world)
    return Study(
        "tilted", "plain", folder / "tilted", (SequenceFile("T1", path, SHAPE, (1.0, 2.0, 3.0)),)
    )


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    folder = tmp_path_factory.mktemp("measured")
    made = [make_study(folder, "many", sequences=4), make_tilted(folder)]
    made.append(make_study(folder, "other", sequences=4))
    return {study.id: study for study in made}


def press(page: Page, points: list[tuple[float, float]], cell: int = 0) -> list[list[float]]:
    """Click at places of a pane (CSS pixels); gives the world mm there."""
    box = page.locator(".pane-canvas").nth(cell).bounding_box()
    assert box
    found = []
    for x, y in points:
        page.mouse.click(box["x"] + x, box["y"] + y)
        found.append(page.evaluate(f"mriPanes.mmAt({cell}, {x}, {y})"))
    return found


def around(page: Page, *points: tuple[float, float]) -> list[tuple[float, float]]:
    """Places of the first pane, given from its middle."""
    box = page.locator(".pane-canvas").first.bounding_box()
    assert box
    return [(box["width"] / 2 + x, box["height"] / 2 + y) for x, y in points]


def listed(page: Page) -> list[str]:
    settle(page)
    return page.locator(".measured .where b").all_text_contents()


def marks(page: Page) -> int:
    """How many measurements the panes show."""
    settle(page)
    return page.locator(".pane-marks .mark").count()


def number(text: str) -> float:
    found = re.search(r"[\d.]+", text)
    assert found
    return float(found[0])


def voxels(study: Study, points: list[list[float]]) -> np.ndarray:
    """World mm -> voxel indexes, by the file's own affine as nibabel reads it."""
    import nibabel as nib

    affine = nib.as_closest_canonical(nib.load(study.sequences[0].path)).affine
    return np.array([np.linalg.solve(affine, [*point, 1])[:3] for point in points])


@pytest.mark.parametrize("plane", ["a", "c", "s"])
def test_a_distance_is_in_true_mm_on_a_tilted_grid_of_oblong_voxels(
    panes: Page, studies: dict[str, Study], plane: str
) -> None:
    show(panes, studies["tilted"])
    panes.keyboard.press(plane)
    panes.keyboard.press("d")
    ends = press(panes, around(panes, (-80, -60), (90, 40)))
    steps = np.diff(voxels(studies["tilted"], ends), axis=0)[0] * (1.0, 2.0, 3.0)
    assert number(listed(panes)[0]) == pytest.approx(np.linalg.norm(steps), abs=0.051)
    assert number(listed(panes)[0]) == pytest.approx(np.linalg.norm(np.subtract(*ends)), abs=0.051)


@pytest.mark.parametrize("plane", ["coronal", "sagittal"])
def test_a_point_right_after_a_change_of_plane_lies_in_that_plane(
    panes: Page, studies: dict[str, Study], plane: str
) -> None:
    """Before the new plane is drawn: frames wait for the screen, keys and clicks do not."""
    show(panes, studies["tilted"])
    panes.evaluate(
        """async ([plane, points]) => {
          const act = panes.act();
          act.plane("axial");
          act.plane(plane);
          act.tool("distance");
          for (const [x, y] of points) {
            act.seize(0, x, y);
            act.release(0, x, y);
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          }
        }""",
        [plane, around(panes, (-20, -10), (20, 10))],
    )
    assert len(listed(panes)) == 1
    assert panes.locator(".pane").first.locator(".mark text").count() == 1


def test_angle_and_two_diameters(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["tilted"])
    panes.keyboard.press("g")
    a, corner, b = (
        np.array(p) for p in press(panes, around(panes, (-70, -90), (-70, 50), (80, 60)))
    )
    cosine = (a - corner) @ (b - corner) / np.linalg.norm(a - corner) / np.linalg.norm(b - corner)
    assert number(listed(panes)[0]) == pytest.approx(np.degrees(np.arccos(cosine)), abs=0.051)
    panes.keyboard.press("t")
    ends = around(panes, (-90, -40), (90, 50), (-20, 90), (30, -110))
    a, b, c, d = (np.array(p) for p in press(panes, ends))
    along = (b - a) / np.linalg.norm(b - a)
    across = [p - a - along * ((p - a) @ along) for p in (c, d)]
    wide = np.linalg.norm(across[0]) + np.linalg.norm(across[1])  # on either side of the longest
    long, short = sorted((np.linalg.norm(b - a), wide), reverse=True)
    assert listed(panes)[1] == f"{long / 10:.1f} × {short / 10:.1f} cm"


@pytest.mark.parametrize("convention", ["radiological", "neurological"])
def test_a_midline_shift_names_the_patients_side(
    panes: Page, studies: dict[str, Study], convention: str
) -> None:
    """The side is that of the letter on the screen, whichever way the screen is turned."""
    show(panes, studies["many"], convention=convention)
    panes.keyboard.press("i")
    front, _, shifted = press(panes, [(350, 60), (350, 300), (380, 180)])
    right = panes.locator(".pane-letter.right").first.inner_text()
    side = {"L": "left", "R": "right"}[right]
    mm = abs(shifted[0] - front[0])
    assert listed(panes) == [f"{mm:.1f} mm to the patient's {side} (image right, {convention})"]
    panes.keyboard.press("s")
    assert "no left and right" in panes.locator(".hint").inner_text()


def test_a_measurement_stays_on_its_slice_and_follows_zoom(
    panes: Page, studies: dict[str, Study]
) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 180)], cell=1)
    panes.keyboard.press("Escape")
    assert marks(panes) == 4  # the same place of every sequence
    assert panes.locator(".pane-marks text").count() == 1  # its value in its own
    line = panes.locator(".pane").nth(1).locator(".mark .line")
    before = float(line.get_attribute("x2") or 0) - float(line.get_attribute("x1") or 0)
    panes.keyboard.press("+")
    settle(panes)
    after = float(line.get_attribute("x2") or 0) - float(line.get_attribute("x1") or 0)
    assert after == pytest.approx(1.2 * before, abs=0.3)
    panes.keyboard.press("ArrowUp")
    assert marks(panes) == 0
    panes.keyboard.press("c")
    panes.locator(".rail [aria-label=Measurements]").click()
    panes.locator(".measured .where").click()
    assert marks(panes) == 4
    panes.get_by_role("button", name="Delete Distance").click()
    assert marks(panes) == 0


def test_handles_are_dragged_and_moved_by_keys(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 120)])
    panes.keyboard.press("Escape")
    before = number(listed(panes)[0])
    index = panes.evaluate("mriPanes.index")
    box = panes.locator(".pane-canvas").first.bounding_box()
    assert box
    panes.mouse.move(box["x"] + 380, box["y"] + 120)
    panes.mouse.down()
    panes.mouse.move(box["x"] + 440, box["y"] + 120, steps=3)
    panes.mouse.up()
    assert number(listed(panes)[0]) == pytest.approx(2 * before, rel=0.02)
    settle(panes)
    panes.locator(".pane-marks [data-handle='1:1']").first.focus()
    panes.keyboard.press("Shift+ArrowLeft")
    panes.keyboard.press("Shift+ArrowLeft")
    assert number(listed(panes)[0]) == pytest.approx(before * 100 / 60, rel=0.02)
    assert panes.evaluate("mriPanes.index") == index
    panes.keyboard.press("Delete")
    assert listed(panes) == []


def test_a_held_key_deletes_one_measurement(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 120), (320, 160), (380, 160)])
    panes.keyboard.press("Escape")
    assert len(listed(panes)) == 2
    panes.keyboard.down("Delete")
    panes.keyboard.down("Delete")  # as a keyboard repeats it
    panes.keyboard.up("Delete")
    assert len(listed(panes)) == 1


def test_the_list_keeps_the_focus_when_one_is_deleted_by_keys(
    panes: Page, studies: dict[str, Study]
) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 120), (320, 160), (390, 160)])
    panes.keyboard.press("Escape")
    assert len(listed(panes)) == 2
    panes.get_by_role("button", name="Delete Distance").first.focus()
    panes.keyboard.down("Enter")
    panes.keyboard.down("Enter")  # as a keyboard repeats it
    panes.keyboard.up("Enter")
    assert len(listed(panes)) == 1
    expect(panes.get_by_role("button", name="Delete Distance")).to_be_focused()
    panes.keyboard.press("Enter")
    assert listed(panes) == []


def test_every_nudge_of_a_point_counts(panes: Page, studies: dict[str, Study]) -> None:
    """Four in one frame, by ten pixels each."""
    show(panes, studies["many"])
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 120)])
    panes.keyboard.press("Escape")
    before = number(listed(panes)[0])
    panes.locator(".pane-marks [data-handle='1:1']").first.focus()
    panes.evaluate(
        "() => { const held = { key: 'ArrowRight', shiftKey: true, bubbles: true };"
        "for (let n = 0; n < 4; n++)"
        " document.activeElement.dispatchEvent(new KeyboardEvent('keydown', held)); }"
    )
    assert number(listed(panes)[0]) == pytest.approx(before * 100 / 60, rel=0.02)


def test_measuring_by_keys_alone(panes: Page, studies: dict[str, Study]) -> None:
    """D, a point at the crosshair, the crosshair moved on the slice, another point."""
    show(panes, studies["many"])
    panes.keyboard.press("d")
    panes.keyboard.press(".")
    for _ in range(5):
        panes.keyboard.press("Shift+ArrowRight")
    panes.keyboard.press(".")
    assert listed(panes) == ["10.0 mm"]
    assert "10.0 mm" in panes.locator(".hint").inner_text()
    panes.keyboard.press("Escape")
    assert panes.locator(".hint").inner_text() == ""
    panes.keyboard.press("Delete")
    assert listed(panes) == []


def test_without_a_tool_the_mouse_does_what_it_did(panes: Page, studies: dict[str, Study]) -> None:
    """On a handle too: the wheel scrolls, the right button windows."""
    show(panes, studies["many"])
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 120)])
    panes.keyboard.press("Escape")
    value = listed(panes)
    box = panes.locator(".pane-canvas").first.bounding_box()
    assert box
    panes.mouse.move(box["x"] + 380, box["y"] + 120)
    window = panes.evaluate("mriPanes.windowOf(0)")
    panes.mouse.down(button="right")
    panes.mouse.move(box["x"] + 420, box["y"] + 120, steps=3)
    panes.mouse.up(button="right")
    assert panes.evaluate("mriPanes.windowOf(0)") != window
    index = panes.evaluate("mriPanes.index")
    panes.mouse.move(box["x"] + 380, box["y"] + 120)
    panes.mouse.wheel(0, -120)
    panes.wait_for_function(f"window.mriPanes?.index === {index + 1}")
    assert listed(panes) == value


def test_measurements_belong_to_their_study(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 120)])
    value = listed(panes)
    show(panes, studies["other"])
    assert listed(panes) == [] and marks(panes) == 0
    show(panes, studies["many"])
    assert listed(panes) == value


def test_the_panes_are_saved_as_one_picture(panes: Page, studies: dict[str, Study]) -> None:
    """The name says study, plane and position; letters and warning are in the pixels."""
    show(panes, studies["many"])
    panes.keyboard.press("x")
    panes.keyboard.press("d")
    press(panes, [(320, 120), (380, 120)])
    with panes.expect_download() as waiting:
        panes.keyboard.press("e")
    download = waiting.value
    z = panes.evaluate("mriPanes.mm[2]")
    assert download.suggested_filename == f"many_axial_z{z:.1f}mm.png"
    with Image.open(download.path()) as opened:
        shown = np.asarray(opened.convert("RGB")).astype(int)
    boxes = panes.evaluate(
        "[...document.querySelectorAll('.grid, .pane-letter, .mark text')].map((node) => {"
        " const b = node.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })"
    )
    left, top, wide, high = boxes[0]
    assert abs(shown.shape[1] - wide) < 12 and shown.shape[0] > high
    for x, y, w, h in boxes[1:]:
        column, row = round(x - left + 4), round(y - top + 4)
        patch = shown[row : row + round(h), column : column + round(w)]
        assert patch.max() > 180, "a letter or a value is missing"
    warning = shown[round(high) + 8 :, -260:]
    assert (warning[:, :, 0] - warning[:, :, 2] > 60).any(), "the warning is missing"


def test_the_models_input_is_saved_with_its_pixels_untouched(
    panes: Page, studies: dict[str, Study]
) -> None:
    from inference.cards import picture_strip
    from inference.pictures import Picture, freeze, pixel_hash

    pixels = freeze(np.random.default_rng(1).integers(0, 255, (40, 56, 3)).astype(np.uint8))
    made = [
        Picture(pixels, f"{name} axial", name, "axial", 3, (0.0, 1.0), "radiological", "x")
        for name in ("T1", "FLAIR")
    ]
    assert pixel_hash(pixels)
    show(panes, studies["many"])
    panes.evaluate(
        "(html) => document.querySelector('#box').innerHTML = html", picture_strip(made, None, "")
    )
    with panes.expect_download() as waiting:
        panes.get_by_role("button", name="Save as PNG").click()
    assert waiting.value.suggested_filename == "many_model-input_axial_3.png"
    with Image.open(waiting.value.path()) as opened:
        shown = np.asarray(opened.convert("RGB"))
    for start in (34, 34 + 56 + 68):
        np.testing.assert_array_equal(shown[8:48, start : start + 56], pixels)
        assert shown[8:48, start - 30 : start - 4].max() > 180, "no letter beside the picture"


def test_the_help_sheet_lists_links_and_tools(panes: Page) -> None:
    panes.keyboard.press("?")
    says = panes.get_by_role("dialog").inner_text()
    for line in ("Slices linked in mm", "Measure a distance", "Measure a midline shift", "PNG"):
        assert line in says
