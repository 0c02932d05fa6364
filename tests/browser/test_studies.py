"""The list of studies in a real browser: found, opened, looked through, and files of one's own."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.benchmarks.catalogue import write_studies
from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS, ask, open_page
from tests.viewer.images import save
from viewer.cache_folder import CACHE_VARIABLE

pytestmark = pytest.mark.browser

ROOM = 1 if os.environ.get("MRI_VQA_QUIET") else 60
"""On a machine that does other things too a bound has room; MRI_VQA_QUIET=1 holds it strictly."""

FIRST_PAINT_MS = 1000 * ROOM
FILTER_MS = 100 * ROOM


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of its own, to look into."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(folder))
        yield folder


@pytest.fixture(scope="module")
def real(serve: Serve, cases_dir: Path, cache: Path) -> str:
    questions = ["--questions", str(cases_dir / "questions.csv")]
    return serve("--data", str(cases_dir), *questions, "--model", "fake:B")


def shown(page: Page) -> list[str]:
    """Ids of the rows, in their order."""
    rows = page.locator("#study-list .row[data-id]")
    return rows.evaluate_all("rows => rows.map((row) => row.dataset.id)")


def wait_for_study(page: Page, study: str) -> None:
    page.wait_for_function(
        f"window.mriPanes?.study === '{study}' && mriPanes.loaded.length === 4"
        " && mriPanes.maskLoaded",
        timeout=SLOW_MS,
    )
    row = page.locator(f'#study-list [data-id="{study}"]')
    expect(row).to_have_attribute("aria-current", "true")


def test_a_study_is_found_and_opened_by_keys(page: Page, real: str) -> None:
    open_page(page, real)
    first = shown(page)
    assert len(first) == 7
    page.keyboard.press("/")
    page.keyboard.type("brats 01478")
    assert shown(page) == ["BraTS2021_01478"]
    page.keyboard.press("Enter")
    wait_for_study(page, "BraTS2021_01478")
    page.keyboard.press("Escape")
    assert shown(page) == first
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_study(page, first[1])
    page.keyboard.press("Escape")  # the keys belong to the panes again
    index = page.evaluate("mriPanes.index")
    page.keyboard.press("ArrowUp")
    page.wait_for_function(f"window.mriPanes?.index === {index + 1}")
    page.keyboard.press("Alt+ArrowDown")
    wait_for_study(page, first[2])
    page.keyboard.press("Alt+ArrowUp")
    wait_for_study(page, first[1])


def test_after_a_click_the_keys_are_the_panes(page: Page, real: str) -> None:
    open_page(page, real)
    page.locator('#study-list [data-id="BraTS2021_01477"]').click()
    wait_for_study(page, "BraTS2021_01477")
    index = page.evaluate("mriPanes.index")
    page.keyboard.press("ArrowDown")
    page.wait_for_function(f"window.mriPanes?.index === {index - 1}")


def test_the_table_sorts_and_filters(page: Page, real: str) -> None:
    open_page(page, real)
    page.locator(".studies .widen").click()
    table = page.get_by_role("grid", name="Studies")
    header = table.get_by_role("columnheader", name="Study")
    header.get_by_role("button").click()
    assert shown(page) == sorted(shown(page))
    header.get_by_role("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert shown(page)[0] == "UCSF-PDGM-0096"
    page.get_by_label("Source", exact=True).select_option("UCSF-PDGM")
    assert shown(page) == ["UCSF-PDGM-0096"]
    page.get_by_label("Source", exact=True).select_option("")
    page.get_by_label("missing sequences").check()
    expect(page.get_by_text("No study fits.")).to_be_visible()
    expect(page.locator(".studies .count")).to_have_text("0 of 7 studies")
    page.get_by_label("missing sequences").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator(".studies.wide")).to_have_count(0)
    expect(page.locator(".studies .widen")).to_be_focused()


def test_pictures_come_and_are_kept(page: Page, real: str, cache: Path) -> None:
    open_page(page, real)
    picture = page.locator('#study-list [data-id="BraTS2021_01476"] img')
    expect(picture).to_have_attribute("data-ready", "true", timeout=SLOW_MS)
    assert picture.evaluate("img => img.naturalWidth") == 112
    assert list((cache / "thumbnails").glob("*.png"))


def test_answers_are_counted_at_the_next_visit(page: Page, real: str) -> None:
    open_page(page, real)
    ask(page)
    open_page(page, real)
    page.locator(".studies .widen").click()
    page.get_by_label("answers", exact=True).check()
    assert shown(page) == ["BraTS2021_01476"]


def test_files_of_ones_own_for_one_session(
    page: Page, browser: Browser, real: str, cases_dir: Path, cache: Path, tmp_path: Path
) -> None:
    small = cases_dir / "small" / "BraTS2021_01479_2mm"
    mine = tmp_path / "mine"
    mine.mkdir()
    for what, name in (("flair", "a FLAIR"), ("t1ce", "scan 7"), ("seg", "scan 8")):
        shutil.copy(small / f"BraTS2021_01479_{what}.nii.gz", mine / f"{name}.nii.gz")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    own = context.new_page()
    own.set_default_timeout(SLOW_MS)
    open_page(own, real)
    own.locator(".upload input").first.set_input_files(sorted(mine.iterdir()))
    dialog = own.get_by_role("dialog", name="What are these files?")
    dialog.get_by_label("What Opened files/scan 7.nii.gz is").select_option("T1c")
    dialog.get_by_label("What Opened files/scan 8.nii.gz is").select_option("expert mask")
    dialog.get_by_label("What the labels of Opened files/scan 8").select_option("brats-2021")
    dialog.get_by_role("button", name="Open").click()
    own.wait_for_function("window.mriPanes?.study.startsWith('Opened files~')", timeout=SLOW_MS)
    own.wait_for_function(
        "window.mriPanes?.loaded.length === 2 && mriPanes.maskLoaded", timeout=SLOW_MS
    )
    expect(own.locator("#study-about")).to_contain_text("for this page only", timeout=SLOW_MS)
    expect(own.locator("#mask-table")).to_contain_text("WT", timeout=SLOW_MS)
    study = own.evaluate("mriPanes.study")
    assert list((cache / "opened").rglob("scan 8.nii.gz"))
    open_page(page, real)
    assert study not in shown(page) and len(shown(page)) == 7
    context.close()
    page.wait_for_timeout(1000)
    expect(page.locator("#study-list")).to_be_visible()
    page.wait_for_function(
        f"fetch('volumes/{study}/FLAIR.nii').then((answer) => answer.status === 404)",
        timeout=SLOW_MS,
    )
    end = time.monotonic() + SLOW_MS / 1000
    while list((cache / "opened").rglob("*.nii.gz")):
        assert time.monotonic() < end
        page.wait_for_timeout(100)


HURRY = """async () => {
  const told = [];
  const look = (one) => told.push(one.innerText);
  const toasts = () => document.querySelectorAll(".toast-body").forEach(look);
  new MutationObserver(toasts).observe(document.body, { childList: true, subtree: true });
  const rows = [...document.querySelectorAll("#study-list .row[data-id]")].reverse();
  for (const wait of [0, 100, 300]) for (const row of [...rows, ...rows]) {
    row.click();
    await new Promise((done) => setTimeout(done, wait));
  }
  await new Promise((done) => setTimeout(done, 4000));
  return told;
}"""
"""Open every study, hardly looking, the first one last; gives the messages that came up."""


def test_studies_opened_in_a_hurry_bring_no_error(page: Page, real: str) -> None:
    """What was asked about the study before is not held against the one that is open."""
    open_page(page, real)
    assert page.evaluate(HURRY) == []
    wait_for_study(page, "BraTS2021_01476")
    expect(page.locator("#study-about h3")).to_have_text("BraTS2021_01476", timeout=SLOW_MS)
    expect(page.locator("#question-card li")).to_have_count(4, timeout=SLOW_MS)


def test_dicom_is_refused_with_the_way_out(page: Page, real: str, tmp_path: Path) -> None:
    open_page(page, real)
    dicom = tmp_path / "IM0001"
    dicom.write_bytes(b"\0" * 128 + b"DICM" + b"\0" * 64)
    page.locator(".upload input").first.set_input_files(dicom)
    expect(page.locator(".upload-status")).to_contain_text("dcm2niix -z y FOLDER")


SETTLED = """() => new Promise((done) => {
  let waiting = setTimeout(done, 500);
  const busy = new PerformanceObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(done, 500);
  });
  busy.observe({ type: "longtask" });
})"""
"""The page opens its first study for a second or two; resolves once its thread is free."""


def test_500_studies_stay_fluent(page: Page, serve: Serve, tmp_path: Path) -> None:
    write_studies(tmp_path)
    save(tmp_path / "UCSF-PDGM-0001_nifti" / "UCSF-PDGM-0001_T1.nii.gz")
    page.goto(serve("--data", str(tmp_path), "--model", "fake:B"))
    expect(page.locator(".studies .count")).to_have_text("501 of 501 studies", timeout=SLOW_MS)
    page.wait_for_function("window.mriPanes?.loaded.length > 0", timeout=SLOW_MS)
    took = "performance.getEntriesByName(name).map((entry) => entry.duration)"
    assert page.evaluate(f"(name) => {took}", "studies-shown")[-1] < FIRST_PAINT_MS
    page.evaluate(SETTLED)
    page.evaluate("performance.clearMeasures('studies-narrowed')")
    page.keyboard.press("/")
    page.keyboard.type("brats2021_0042", delay=60)
    expect(page.locator("#study-list .row[data-id]")).to_have_count(10, timeout=SLOW_MS)
    durations = page.evaluate(f"(name) => {took}", "studies-narrowed")
    assert sorted(durations)[len(durations) // 2] < FILTER_MS
