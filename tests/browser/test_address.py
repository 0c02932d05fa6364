"""The address follows the view and reopens it; a wrong one says so and works on."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.conftest import Serve
from tests.browser.panes_page import make_study, open_panes
from tests.browser.test_main_job import SLOW_MS, choose_study
from tests.browser.test_panes import settle, show
from viewer.study import Study

pytestmark = pytest.mark.browser

SHOWN_MARKS = ".pane:not([hidden]) .pane-marks .mark"


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    folder = tmp_path_factory.mktemp("studies")
    made = [make_study(folder, "one"), make_study(folder, "two", sequences=3)]
    return {study.id: study for study in made}


def names(page: Page) -> list[str]:
    """The sequences of the visible panes, in order."""
    return page.eval_on_selector_all(
        ".pane:not([hidden]) .pane-name", "(all) => all.map((one) => one.value)"
    )


def query(page: Page) -> dict[str, str]:
    """The address once it has caught up with the view."""
    found = parse_qs(urlsplit(page.evaluate("mriPanes.address")).query)
    return {name: values[0] for name, values in found.items()}


def test_layout_and_order_outlive_a_study_and_a_reload(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    open_panes(page, address)
    show(page, studies["one"])
    assert names(page) == ["T1", "T1c", "T2", "FLAIR"]
    page.get_by_label("Sequence of pane 1").select_option("FLAIR")
    assert names(page) == ["FLAIR", "T1c", "T2", "T1"]
    page.keyboard.press("2")
    assert names(page) == ["FLAIR", "T1c"]
    page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["two"]))
    page.wait_for_function("window.mriPanes?.study === 'two' && mriPanes.loaded.length === 2")
    assert names(page) == ["T1c", "T2"]  # this study has no FLAIR
    open_panes(page, address)
    page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["one"]))
    page.wait_for_function("window.mriPanes?.loaded.length === 2")
    assert names(page) == ["FLAIR", "T1c"]


def _spec(study: Study) -> str:
    from tests.browser.panes_page import spec_json

    return spec_json(study)


def test_the_address_reopens_the_view(page: Page, address: str, studies: dict[str, Study]) -> None:
    open_panes(page, address)
    show(page, studies["one"])
    for key in ("c", "Home", "PageUp", "2"):
        page.keyboard.press(key)
    page.get_by_label("Sequence of pane 1").select_option("T2")
    page.wait_for_function("location.search.includes('coronal')")
    asked = query(page)
    assert asked["study"] == "one"
    assert (asked["plane"], asked["layout"]) == ("coronal", "2")
    assert float(asked["at"].split(",")[1]) == pytest.approx(-10 + 2 * 10)
    assert asked["sequences"] == "T2,T1c,T1,FLAIR"
    assert set(asked) == {"study", "plane", "layout", "at", "sequences"}
    link = page.url
    page.evaluate("localStorage.clear()")
    open_panes(page, link)
    page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["one"]))
    page.wait_for_function("window.mriPanes?.plane === 'coronal' && mriPanes.index === 10")
    assert names(page) == ["T2", "T1c"]
    expect(page.locator(".notice")).to_be_hidden()
    assert query(page) == asked


def test_windows_zoom_masks_and_sides_are_reopened(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    """What a colleague needs to see the same; what is as at first is not written."""
    open_panes(page, address)
    show(page, studies["one"])
    for key in ("w", "w", "+", "+", "l"):  # the first sequence's lesion window
        page.keyboard.press(key)
    page.evaluate("panes.act().window(1, 40, 10)")
    page.evaluate("panes.act().pan(0, [200, 120], [215, 140])")
    page.get_by_role("button", name="Agreement").click()
    page.evaluate("panes.act().region('TC')")
    asked = query(page)
    assert asked["zoom"].startswith("1.44,")
    assert asked["window"].startswith("T1:lesion,T1c:-0.")
    assert (asked["mask"], asked["sides"]) == ("agreement-TC", "neurological")
    assert len(page.evaluate("mriPanes.address")) < 300
    seen = ["mriPanes.windowOf(0)", "mriPanes.windowOf(1)", "mriPanes.scaleOf(1)"]
    seen.append("mriPanes.mmAt(0, 200, 150)")
    before = [page.evaluate(one) for one in seen]
    link = page.evaluate("mriPanes.address")
    open_panes(page, link)
    page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["one"]))
    page.wait_for_function("window.mriPanes?.loaded.length === 4 && mriPanes.index !== null")
    page.wait_for_function("window.mriPanes?.convention === 'neurological'")
    page.wait_for_function("panes.study.mask(panes.state.spec.overlays[0]).status === 'ready'")
    settle(page)
    for one, value in zip(seen, before, strict=True):
        assert page.evaluate(one) == pytest.approx(value, rel=0.02, abs=1.0), one
    assert page.evaluate("[panes.state.kind, panes.state.region]") == ["agreement", "TC"]
    expect(page.locator(".notice")).to_be_hidden()
    assert query(page) == asked
    page.keyboard.press("m")
    assert query(page)["mask"] == "off"


def test_a_pane_alone_and_hidden_regions_are_reopened(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    open_panes(page, address)
    show(page, studies["one"])
    region = page.evaluate("panes.state.spec.overlays[0].entries[0].name")
    page.evaluate("panes.act().expand(1)")
    page.evaluate("(region) => panes.act().label(region, false)", region)
    asked = query(page)
    assert (asked["alone"], asked["hide"]) == ("2", region)
    link = page.evaluate("mriPanes.address")
    open_panes(page, link)
    page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["one"]))
    page.wait_for_function("window.mriPanes?.loaded.length === 4 && mriPanes.index !== null")
    assert names(page) == ["T1c"]
    assert page.evaluate("[[...panes.state.hidden], panes.state.active]") == [[region], 1]
    expect(page.locator(".notice")).to_be_hidden()
    assert query(page) == asked
    page.keyboard.press("Escape")
    assert len(names(page)) == 4
    assert "alone" not in query(page)


def measure(page: Page, tool: str, *points: tuple[int, int], cell: int = 0) -> None:
    """Draw with the tool of a key; places are CSS pixels from the pane's middle."""
    page.keyboard.press(tool)
    box = page.locator(".pane-canvas").nth(cell).bounding_box()
    assert box
    for x, y in points:
        page.mouse.click(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y)
    page.keyboard.press("Escape")


def measured(page: Page) -> list[str]:
    """Every measurement in words: value, tool, sequence, plane and position."""
    settle(page)
    return page.locator(".measured .where").all_text_contents()


def test_measurements_are_reopened(page: Page, address: str, studies: dict[str, Study]) -> None:
    """All four tools, on two sequences, planes and slices; one sequence is not on the panes."""
    open_panes(page, address)
    show(page, studies["one"])
    measure(page, "d", (-40, -30), (37, 41))
    measure(page, "g", (-30, -50), (-30, 20), (40, 30), cell=3)
    page.keyboard.press("PageUp")
    measure(page, "i", (-2, -60), (1, 60), (23, 5))
    page.keyboard.press("c")
    measure(page, "t", (-50, -20), (45, 28), (-10, 40), (15, -35), cell=1)
    page.keyboard.press("2")
    before, marks = measured(page), page.locator(SHOWN_MARKS).count()
    assert len(before) == 4 and marks == 2
    asked = query(page)
    tools = [one.split(":")[:3] for one in asked["measured"].split(" ")]
    assert tools == [
        ["distance", "axial", "T1"],
        ["angle", "axial", "FLAIR"],
        ["midline", "axial", "T1"],
        ["diameters", "coronal", "T1c"],
    ]
    link = page.evaluate("mriPanes.address")
    assert "distance:axial:T1:" in link and len(link) < 600
    page.evaluate("localStorage.clear()")
    open_panes(page, link)
    page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["one"]))
    assert query(page)["measured"] == asked["measured"]  # also while nothing is loaded yet
    expect(page.locator(".measured li")).to_have_count(4)
    page.wait_for_function("mriPanes.index !== null")
    assert measured(page) == before
    assert page.locator(SHOWN_MARKS).count() == marks
    expect(page.locator(".notice")).to_be_hidden()
    assert query(page) == asked
    # They are the page's own from here on: each can be gone to, moved and deleted.
    page.locator(".rail [aria-label=Measurements]").click()
    page.locator(".measured .where", has_text="Distance").click()
    settle(page)
    assert page.evaluate("mriPanes.plane") == "axial"
    page.locator(".pane-marks .handle").first.focus()
    page.keyboard.press("Shift+ArrowLeft")
    assert measured(page)[0] != before[0]
    page.get_by_role("button", name="Delete all").click()
    assert "measured" not in query(page)


def test_twenty_measurements_keep_their_values_to_the_last_digit_and_more_are_told(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    """One decimal of a millimetre where that is enough for the value, more where it is not."""
    places = np.random.default_rng(3).uniform((-60, 10), (-20, 70), (20, 3, 2)).round(4)
    items = [
        "angle:axial:T1:" + ",".join(f"{x},{y},31" for x, y in points) for points in places
    ]  # fmt: skip
    seen, links = [], [f"{address}?study=one&measured={'+'.join(items)}"]
    for _ in range(2):
        open_panes(page, links[-1])
        page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["one"]))
        expect(page.locator(".measured li")).to_have_count(20)
        page.wait_for_function("mriPanes.index !== null")
        seen.append(measured(page))
        links.append(page.evaluate("mriPanes.address"))
    assert seen[0] == seen[1]
    assert len(links[1]) < min(len(links[0]), 1500)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".notice")).to_be_hidden()
    measure(page, "d", (-40, -30), (40, 40))
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".notice")).to_contain_text("carries the last 20 of 21 measurements.")
    kept = query(page)["measured"].split(" ")
    assert len(kept) == 20 and kept[-1].startswith("distance:axial:T1:")


def test_measurements_stay_with_the_study_of_the_link(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    link = f"{address}?study=one&measured=distance:axial:T1c:0,40,31,9,40,31"
    open_panes(page, link)
    show(page, studies["two"])
    assert measured(page) == []
    assert "measured" not in query(page)


def test_a_second_diameter_is_square_to_the_first_whatever_the_link_says(
    page: Page, address: str, studies: dict[str, Study]
) -> None:
    link = f"{address}?measured=diameters:axial:T1:-60,40,31,-20,40,31,-40,30,31,-20,50,31"
    open_panes(page, link)
    show(page, studies["one"])
    assert measured(page) == ["4.0 × 2.0 cmTwo diameters, T1 axial z 31.0 mm"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("plane=oblique&layout=2", "plane is “oblique”; expected axial, coronal, sagittal."),
        ("at=1,2&layout=2", "at is “1,2”; expected three numbers in mm, x,y,z."),
        ("at=9999,0,0&layout=2", "outside this study; the nearest slice is shown."),
        ("zoom=99&layout=2", "zoom is “99”; expected a number from 0.5 to 16"),
        ("zoom=2,1,2&layout=2", "zoom is “2,1,2”"),
        ("window=T1:bright&layout=2", "window is “T1:bright”; expected auto, full, lesion"),
        ("window=0.9..0.1&layout=2", "window is “0.9..0.1”"),
        ("window=Xray:full&layout=2", "names Xray, which this study does not have."),
        ("mask=agreement-all&layout=2", "mask is “agreement-all”; expected off, expert"),
        ("mask=predicted&layout=2", "shows the predicted mask, which this study does not have now"),
        ("alone=0&layout=2", "alone is “0”; expected the number of a pane, or 3d."),
        ("alone=3&layout=2", "shows a pane alone that its layout does not have here"),
        ("alone=3d&layout=2", "shows a pane alone that its layout does not have here"),
        ("active=0&layout=2", "active is “0”; expected the number of a pane."),
        ("active=3&layout=2", "active pane is not there in its layout here; the first one is"),
        ("alone=1&active=2&layout=2", "active pane is not there in its layout here"),
        ("hide=skull&layout=2", "hides skull, which no mask of this study has now."),
        ("linked=everything&layout=2", "linked is “everything”; expected slice, zoom and window"),
        ("apart=2:at:1,2&layout=2", "apart is “2:at:1,2”; expected 2:at:x,y,z"),
        ("apart=99:at:1,2,3&layout=2", "apart is “99:at:1,2,3”"),
        ("apart=2:constructor:1&layout=2", "apart is “2:constructor:1”"),
        ("apart=2:at:1,2,3:4&layout=2", "apart is “2:at:1,2,3:4”"),
        ("linked=none&at=0,40,30&apart=2:at:9999,0,0&layout=2", "outside this study"),
        ("measured=ruler:axial:T1:1,2,3,4,5,6&layout=2", "measured is “ruler:axial:T1:1,2,3"),
        ("measured=distance:oblique:T1:1,2,3,4,5,6&layout=2", "measured is “distance:oblique"),
        ("measured=distance:axial:T1:1,2,3,4,5&layout=2", "measured is “distance:axial:T1:1,2"),
        ("measured=distance:axial:T1:1,2,3,4,5,NaN&layout=2", "measured is “distance:axial"),
        ("measured=midline:sagittal:T1:1,2,3,4,5,6,7,8,9&layout=2", "measured is “midline:sag"),
        (f"measured={'+'.join(['distance:axial:T1:0,40,31,9,40,31'] * 21)}&layout=2", "at most 20"),
        ("measured=distance:axial:Xray:1,2,3,4,5,6&layout=2", "names Xray, which this study does"),
        ("measured=distance:axial:T1:0,40,31,0,40,35&layout=2", "lie on no slice of this study"),
        ("measured=distance:axial:T1:0,40,31,9999,40,31&layout=2", "lie on no slice of this"),
        ("measured=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&layout=2", "measured is “<img src=x"),
        ("sides=upside-down&layout=2", "sides is “upside-down”; expected radiological"),
        ("sequences=T2,Xray,T1&layout=2", "names Xray, which this study does not have."),
        ("layout=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "layout is “<img src=x"),
    ],
)
def test_a_wrong_part_of_a_link_says_so_and_the_rest_works(
    page: Page, address: str, studies: dict[str, Study], wrong: str, said: str
) -> None:
    open_panes(page, f"{address}?study=one&{wrong}")
    page.evaluate("(spec) => panes.show(JSON.parse(spec))", _spec(studies["one"]))
    page.wait_for_function("window.mriPanes?.index !== null")
    notice = page.locator(".notice")
    expect(notice).to_contain_text(said)
    count = 4 if wrong.startswith("layout") else 1 if wrong.startswith("alone=1") else 2
    assert len(names(page)) == count
    expect(page.locator(".measured li")).to_have_count(0)
    expect(page.locator("img")).to_have_count(0)
    page.get_by_role("button", name="Close this notice").click()
    expect(notice).to_be_hidden()


def choose_question(page: Page, words: str) -> None:
    """Open the list and choose; a list that comes from the server meanwhile closes it again."""
    option = page.locator("ul[role=listbox] li", has_text=words).first
    for _ in range(20):
        page.locator("#question input").click()
        try:
            option.click(timeout=3_000)
            return
        except TimeoutError:
            page.locator("#masthead").click()
    pytest.fail(f"no question with {words!r} could be chosen")


def test_the_whole_page_follows_and_reopens(page: Page, serve: Serve, cases_dir: Path) -> None:
    """Study, question, representation and model too; a folder as a model stays out of it."""
    questions = str(cases_dir / "questions.csv")
    address = serve("--data", str(cases_dir), "--questions", questions, "--model", "fake:B")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}?study=BraTS2021_01480&model=/etc/passwd&representation=hologram")
    expect(page.locator("#link-problems")).to_contain_text("hologram", timeout=SLOW_MS)
    expect(page.locator("#link-problems")).to_contain_text("/etc/passwd")
    page.wait_for_function("window.mriPanes?.study === 'BraTS2021_01480'", timeout=SLOW_MS)
    choose_study(page, "BraTS2021_01478")
    expect(page.locator("#question-card")).to_contain_text("hemisphere", timeout=SLOW_MS)
    page.wait_for_function("window.modelInput?.study === 'BraTS2021_01478'", timeout=SLOW_MS)
    choose_question(page, "enhances")
    page.locator("#representation input[value='montage']").check()
    page.locator("#panes").get_by_text("3 planes").click()
    page.keyboard.press("PageUp")
    page.wait_for_function("location.search.includes('representation=montage')", timeout=SLOW_MS)
    page.wait_for_function("location.search.includes('layout=planes')", timeout=SLOW_MS)
    at = page.evaluate("mriPanes.mm")
    page.get_by_role("button", name="Copy link").click()
    copied = "navigator.clipboard.readText().then((text) => text.includes('layout=planes'))"
    page.wait_for_function(copied, timeout=SLOW_MS)
    link = page.evaluate("navigator.clipboard.readText()")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    assert asked["study"] == "BraTS2021_01478"
    assert asked["model"] == "fake:B"
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_function("window.mriPanes?.study === 'BraTS2021_01478'", timeout=SLOW_MS)
    page.wait_for_function("window.mriPanes?.index !== null", timeout=SLOW_MS)
    expect(page.locator("#question-card")).to_contain_text("enhances", timeout=SLOW_MS)
    expect(page.locator("#model-input figure")).to_have_count(1, timeout=SLOW_MS)
    assert page.evaluate("mriPanes.mm") == pytest.approx(at, abs=0.01)
    assert page.locator(".pane:not([hidden])").count() == 3
    assert page.locator("#link-problems").inner_text().strip() == ""
    # The model that the user typed is a folder of this machine: it is no part of a link.
    page.locator("#model input").fill("/srv/models/private")
    page.locator("#model input").press("Enter")
    page.wait_for_function("!location.search.includes('model=')", timeout=SLOW_MS)
    assert "private" not in page.url
