"""Slice, zoom and window of the panes in step, or each pane alone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.panes_page import make_study, make_two_grids, open_panes
from tests.browser.test_address import query
from tests.browser.test_panes import settle, show
from viewer.study import Study

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    folder = tmp_path_factory.mktemp("linked")
    made = [make_study(folder, "many"), make_study(folder, "other"), make_two_grids(folder)]
    return {study.id: study for study in made}


def depths(page: Page) -> list[float]:
    """The position that each pane shows, in mm."""
    settle(page)
    found = page.locator(".pane:not([hidden]) .pane-where span:nth-child(2)").all_inner_texts()
    return [float(text.split()[1]) for text in found]


def of_each(page: Page, what: str) -> list[Any]:
    settle(page)
    return [page.evaluate(f"mriPanes.{what}({cell})") for cell in range(2)]


def click(page: Page, cell: int) -> None:
    page.locator(".pane-canvas").nth(cell).click(position={"x": 200, "y": 100}, force=True)


def test_slices_apart_and_together_again_in_mm(panes: Page, studies: dict[str, Study]) -> None:
    """Off, only the active pane moves, by key, wheel or bar; on, the others come to it."""
    show(panes, studies["grids"])
    link = panes.get_by_role("button", name="Link slice")
    assert link.get_attribute("aria-pressed") == "true"
    panes.keyboard.press("7")
    assert link.get_attribute("aria-pressed") == "false"
    start = depths(panes)
    panes.keyboard.press("PageUp")
    moved = depths(panes)
    assert moved[0] != start[0] and moved[1] == start[1]
    panes.locator(".pane-canvas").nth(1).hover()
    panes.mouse.wheel(0, 120)
    panes.mouse.wheel(0, 120)
    panes.wait_for_function("document.querySelectorAll('.pane')[1].dataset.active === 'true'")
    panes.wait_for_function(  # both notches, of 4 mm each
        "(z) => parseFloat(document.querySelectorAll('.pane-where span:nth-child(2)')[1]"
        ".textContent.slice(2)) <= z",
        arg=start[1] - 7.9,
    )
    assert depths(panes)[0] == moved[0] and depths(panes)[1] < start[1]
    here = depths(panes)[1]
    link.click()
    assert depths(panes)[1] == here
    assert abs(depths(panes)[0] - here) <= 2.0  # the fine grid's nearest slice: they are 2 mm apart
    panes.keyboard.press("ArrowUp")
    assert abs(depths(panes)[0] - depths(panes)[1]) <= 2.0


def test_zoom_apart_and_together(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    panes.keyboard.press("8")
    panes.keyboard.press("+")
    first, second = of_each(panes, "scaleOf")
    assert first == pytest.approx(1.2 * second)
    click(panes, 1)
    panes.keyboard.press("-")
    assert of_each(panes, "scaleOf") == [pytest.approx(first), pytest.approx(second / 1.2)]
    panes.keyboard.press("8")
    assert of_each(panes, "scaleOf") == [pytest.approx(second / 1.2)] * 2


def test_windows_of_each_sequence_or_of_all(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    before = of_each(panes, "windowOf")
    panes.get_by_label("Window preset").select_option("full")
    assert of_each(panes, "windowOf")[0] != before[0]
    assert of_each(panes, "windowOf")[1] == before[1]
    panes.keyboard.press("9")
    assert of_each(panes, "windowOf")[0] == of_each(panes, "windowOf")[1]
    box = panes.locator(".pane-canvas").nth(1).bounding_box()
    assert box
    panes.mouse.move(box["x"] + 60, box["y"] + 60)
    panes.mouse.down(button="right")
    panes.mouse.move(box["x"] + 60, box["y"] + 120, steps=3)
    panes.mouse.up(button="right")
    one, other = of_each(panes, "windowOf")
    assert one == pytest.approx(other) and one != before[0]
    panes.keyboard.press("r")
    assert of_each(panes, "windowOf") == before


def test_switches_survive_a_change_of_study(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    for key in "789":
        panes.keyboard.press(key)
    show(panes, studies["other"])
    pressed = [
        panes.get_by_role("button", name=f"Link {name}").get_attribute("aria-pressed")
        for name in ("slice", "zoom", "window")
    ]
    assert pressed == ["false", "false", "true"]
    start = depths(panes)
    assert len(set(start)) == 1
    panes.keyboard.press("ArrowUp")
    assert depths(panes)[0] != start[0] and depths(panes)[1:] == start[1:]


def test_switches_and_panes_apart_are_reopened(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    """And the pane that was active; what is linked, or as it is at first, is not written."""
    open_panes(page, address)
    show(page, studies["many"])
    assert {"linked", "apart", "active"}.isdisjoint(query(page))
    for key in "789":
        page.keyboard.press(key)
    assert query(page)["linked"] == "window" and "apart" not in query(page)
    page.keyboard.press("PageUp")
    click(page, 1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("+")
    seen = depths(page), of_each(page, "scaleOf"), of_each(page, "windowOf")
    assert len(set(seen[0])) == 3 and len(set(seen[1])) == 2
    asked = query(page)
    assert [item.rpartition(":")[0] for item in asked["apart"].split()] == [
        "2:at", "2:zoom", "3:at", "4:at",
    ]  # fmt: skip
    assert asked["active"] == "2"
    link = page.evaluate("mriPanes.address")
    open_panes(page, link)
    show(page, studies["many"])
    assert page.locator(".pane").nth(1).get_attribute("data-active") == "true"
    assert (depths(page), of_each(page, "windowOf")) == (seen[0], seen[2])
    assert of_each(page, "scaleOf") == pytest.approx(seen[1], rel=0.01)
    assert query(page) == asked
    assert page.locator(".notice").is_hidden()
    pressed = [
        page.get_by_role("button", name=f"Link {name}").get_attribute("aria-pressed")
        for name in ("slice", "zoom", "window")
    ]
    assert pressed == ["false", "false", "true"]
    page.keyboard.press("7")
    assert len(set(depths(page))) == 1
    page.keyboard.press("8")
    page.keyboard.press("9")
    assert {"linked", "apart"}.isdisjoint(query(page))  # as at first again


def test_a_link_moves_no_pane_apart_in_what_it_links(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    wrong = "linked=zoom,window&apart=2:zoom:3+2:at:0,40,25&window=full,T1:lesion&at=0,40,41"
    open_panes(page, f"{address}?study=many&{wrong}")
    show(page, studies["many"])
    assert depths(page) == [41.0, 25.0, 41.0, 41.0]
    assert len(set(of_each(page, "scaleOf"))) == 1
    assert len({str(window) for window in of_each(page, "windowOf")}) == 1


def test_the_convention_is_named_where_sides_are(panes: Page, studies: dict[str, Study]) -> None:
    show(panes, studies["many"])
    for convention in ("radiological", "neurological"):
        settle(panes)
        assert convention in panes.locator(".pane-where").first.inner_text()
        label = panes.locator(".pane").first.get_attribute("aria-label") or ""
        side = {"radiological": "left", "neurological": "right"}[convention]
        assert f"patient right on image {side}" in label
        panes.keyboard.press("l")
    panes.keyboard.press("s")
    assert "logical" not in panes.locator(".pane-where").first.inner_text()
    panes.keyboard.press("a")
    panes.locator(".pane-canvas").nth(1).dblclick()
    expanded = panes.locator(".pane:not([hidden])")
    assert expanded.count() == 1 and expanded.locator(".pane-letter.left").inner_text() == "R"
