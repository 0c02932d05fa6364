"""Hostile texts on every page are shown and never run; identifiers in headers show nowhere."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import nibabel as nib
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from inference.models.server_address import URL_NAME
from inference.record_store import RecordStore
from inference.reviews import Review, save_review
from tests.browser.conftest import patient
from tests.inference.made_records import made
from tests.payloads import MARK, PAYLOADS, as_file_name
from tests.serving import Served, served
from tests.viewer.images import affine, distinct

pytestmark = pytest.mark.browser

SLOW_MS = 240_000
CANARY = "DOE^JANE-19500101"
"""What an identifier in a NIfTI header looks like; it may show nowhere."""
FIELDS = ("descrip", "aux_file", "db_name", "intent_name")
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""


def with_identifiers(path: Path) -> None:
    """A study's image whose header and extension hold a patient's name."""
    image = nib.Nifti1Image(distinct((24, 24, 24), np.int16), affine((2.0, 2.0, 2.0)))
    for field in FIELDS:
        image.header[field] = CANARY.encode()[: image.header[field].dtype.itemsize]
    image.header.extensions.append(nib.nifti1.Nifti1Extension("comment", CANARY.encode()))
    path.parent.mkdir(parents=True, exist_ok=True)
    nib.save(image, path)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Studies, questions, records and reviews made of the payloads."""
    root = tmp_path_factory.mktemp("hostile")
    studies = [as_file_name(text).replace("\n", " ").replace("\r", " ") for text in PAYLOADS]
    for study in (*studies, "canary"):
        for name in ("t1", "t1c", "t2", "flair"):
            with_identifiers(root / "data" / study / f"{name}.nii.gz")
        (root / "data" / study / f"{study}.nii").write_bytes(b"<html>")
    rows = [
        {"case": study, "id": text, "question": f"{text} {study}", "options": [text, "B " + text],
         "answer": text, "category": text}
        for study, text in zip((*studies, "canary"), (*PAYLOADS, PAYLOADS[0]), strict=True)
    ]  # fmt: skip
    lines = "\n".join(json.dumps(row) for row in rows)
    (root / "q.jsonl").write_text(lines, encoding="utf-8")
    store = RecordStore(root / "records")
    for study, text in zip(studies, PAYLOADS, strict=True):
        record = made(
            text, stem=text, options=(text, "B " + text), case=study, question_id=text,
            category=text, model=f"imported:{text}", prompt=text, thinking=text,
        )  # fmt: skip
        store.append(record)
        save_review(store.writing, Review(record.id, text or "x", (), text))
    store.close()
    return root


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[Served]:
    environment = {
        "MRI_VQA_DATA": str(place / "records"), "MRI_VQA_CACHE": str(place / "cache"),
        URL_NAME: "http://127.0.0.1:9/v1",
    }  # fmt: skip
    given = ["--data", str(place / "data"), "--questions", str(place / "q.jsonl")]
    with served(place, *given, "--model", "fake:" + PAYLOADS[0], environment=environment) as found:
        yield found


@contextmanager
def nothing_runs(page: Page) -> Iterator[None]:
    """Fails on a request, a dialog, an element, an error or a violation that a payload made."""
    made_by_payload: list[str] = []
    page.add_init_script(WATCH)
    page.on("request", lambda r: made_by_payload.append(r.url) if _asked_by(r.url) else None)
    page.on("response", lambda r: made_by_payload.append(r.url) if r.status >= 400 else None)
    page.on("dialog", lambda dialog: (made_by_payload.append(dialog.message), dialog.dismiss()))
    page.on(
        "console",
        lambda told: made_by_payload.append(told.text) if told.type == "error" else None,
    )
    yield
    assert made_by_payload == [], made_by_payload
    assert page.title() == "MRI VQA Viewer"
    assert page.locator(f"#{MARK}").count() == 0
    assert page.evaluate("window.violations") == []


OWN = ("volumes/", "masks/", "thumbnails/")
"""The application's own addresses, which carry a study's name, encoded."""


def _asked_by(url: str) -> bool:
    """Whether an address is made of a payload."""
    parts = urlsplit(url)
    return MARK in parts.netloc + parts.path and not parts.path.lstrip("/").startswith(OWN)


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).first.click()


def test_every_page_shows_them_as_text(page: Page, server: Served) -> None:
    with nothing_runs(page):
        page.goto(server.address)
        expect(page.locator("#question-card li")).to_have_count(2, timeout=SLOW_MS)
        expect(page.locator("#model-input figure")).to_have_count(4, timeout=SLOW_MS)
        page.locator("#ask").click()
        expect(page.locator("#ablation tbody tr")).to_have_count(3, timeout=SLOW_MS)
        expect(page.locator("#answer")).to_contain_text(MARK)
        listed = page.locator("#study-list [data-id]", has_text=MARK)
        for number in range(0, listed.count(), 12):
            listed.nth(number).click()
            expect(page.locator("#study-about h3")).to_contain_text(MARK, timeout=SLOW_MS)
        open_tab(page, "Compare")
        expect(page.locator("#compare-about")).to_contain_text(MARK, timeout=SLOW_MS)
        open_tab(page, "Models")
        expect(page.locator("#models-table")).to_contain_text(MARK, timeout=SLOW_MS)
        open_tab(page, "Results")
        expect(page.locator("#results-tables")).to_contain_text(MARK, timeout=SLOW_MS)
        page.locator("#results-tables details").evaluate_all(
            "all => all.forEach(d => d.open = true)"
        )
        open_tab(page, "Review")
        page.locator("#reviewer textarea, #reviewer input").first.fill(PAYLOADS[4])
        rows = page.locator("#review-list tbody tr button")
        expect(rows.first).to_be_visible(timeout=SLOW_MS)
        for number in range(0, rows.count(), 16):
            rows.nth(number).click()
            expect(page.locator("#review-record")).to_contain_text(MARK, timeout=SLOW_MS)
            expect(page.locator("#review-form form")).to_be_visible(timeout=SLOW_MS)


@pytest.mark.parametrize("link", [
    "?study=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "?study=../../etc/passwd", "?study=%00",
    "?study=" + "a" * 3000, "?question=%3Cscript%3E", "?study[]=1&study[]=2", "?study=%ff%fe",
    "?__theme=%3Cscript%3Ealert(1)%3C/script%3E", "?study=%E2%80%AE", "?view=%7B%22a%22:",
])  # fmt: skip
def test_a_deep_link_does_nothing_but_say_so(link: str, page: Page, server: Served) -> None:
    with nothing_runs(page):
        page.goto(server.address + link)
        expect(page.locator("#question-card li")).to_have_count(2, timeout=SLOW_MS)


def test_an_exported_report_runs_nothing(page: Page, server: Served, place: Path) -> None:
    from inference.exports import export_records

    store = RecordStore(place / "records")
    export_records(store, place / "report.html")
    store.close()
    page.add_init_script(WATCH)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.route("**/*", lambda route: (asked.append(route.request.url), route.abort()))
    page.set_content((place / "report.html").read_text(encoding="utf-8"))
    assert page.title() == "Answers about brain MRI"
    assert page.locator(f"#{MARK}").count() == 0
    assert page.locator(".answer").count() >= len(PAYLOADS)
    assert asked == []
    assert page.evaluate("window.violations ?? []") == []


def test_identifiers_in_headers_show_nowhere(page: Page, server: Served, place: Path) -> None:
    bodies: list[bytes] = []
    page.on("response", lambda answer: bodies.append(_body(answer)))
    page.goto(server.address + "?study=canary")
    expect(page.locator("#study-about h3")).to_have_text("canary", timeout=SLOW_MS)
    page.wait_for_function("window.mriPanes?.loaded.length === 4", timeout=SLOW_MS)
    expect(page.locator("#question-card li")).to_have_count(2, timeout=SLOW_MS)
    page.locator("#ask").click()
    answer = page.locator("#answer .answer")
    expect(answer).not_to_have_attribute("data-status", "asking", timeout=SLOW_MS)
    open_tab(page, "Results")
    page.locator("#results-export").click()
    expect(page.locator("#results-file a").first).to_be_visible(timeout=SLOW_MS)
    assert any(b"canary" in body for body in bodies)
    wanted = CANARY.encode()[:10]
    assert not [body for body in bodies if wanted in body]
    kept = [p for p in place.rglob("*") if p.is_file() and "data" not in p.relative_to(place).parts]
    assert any(p.suffix == ".sqlite" for p in kept) and server.log in kept
    assert not [p for p in kept if wanted in _content(p)]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # a database's journal comes and goes
        return b""


def _body(answer: object) -> bytes:
    try:
        return answer.body()  # type: ignore[attr-defined, no-any-return]
    except Exception:  # a stream that is still open, a redirect, an answer without a body
        return b""


def test_a_download_goes_when_its_page_is_closed(browser: Browser, server: Served) -> None:
    context = patient(browser.new_context())
    page = context.new_page()
    page.goto(server.address)
    open_tab(page, "Results")
    page.locator("#results-export").click()
    link = page.locator("#results-file a").first
    expect(link).to_be_visible(timeout=SLOW_MS)
    address = link.get_attribute("href") or ""
    file = Path(address.split("file=")[1])
    assert file.is_file() and CANARY not in file.read_text(encoding="utf-8-sig")
    with file.open(encoding="utf-8-sig", newline="") as table:
        assert MARK in json.dumps(list(csv.reader(table)))
    context.close()
    for _ in range(2400):
        if not file.exists():
            break

        time.sleep(0.1)
    assert not file.exists()


def test_a_login_lets_the_page_work(browser: Browser, place: Path) -> None:
    environment = {
        "MRI_VQA_CACHE": str(place / "cache"), "MRI_VQA_AUTH": "anna:correct-horse",
    }  # fmt: skip
    data = str(place / "data")
    with served(place, "--data", data, "--model", "fake", environment=environment) as found:
        stranger = patient(browser.new_context()).new_page()
        assert stranger.request.get(found.address).status == 401
        for path in ("volumes/canary/T1.nii", "gradio_api/info", "static/panes/panes.js"):
            assert stranger.request.get(found.address + path).status == 401
        stranger.context.close()
        known = {"username": "anna", "password": "correct-horse"}
        context = patient(browser.new_context(http_credentials=known))
        page = context.new_page()
        page.goto(found.address + "?study=canary")
        page.wait_for_function("window.mriPanes?.loaded.length === 4", timeout=SLOW_MS)
        context.close()
        assert "correct-horse" not in found.log.read_text()
