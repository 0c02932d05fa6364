"""A real server and a real browser. Any request that leaves this machine fails the test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.panes_page import PATIENCE_MS, open_panes, serving
from tests.conftest import skip
from tests.serving import served
from viewer.study import Study

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Every name and every address but this machine's own leads nowhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

Serve = Callable[..., str]

HANGING_S = 900
"""Seconds for one browser test: above the sum of what a slow machine takes, with its server."""

STEP_DELAY = "MRI_VQA_STEP_DELAY"
"""Seconds that the browser waits after each step of a test: a test that only passes when it is
quicker than the page shows itself then. The other way round: `tests/offline/slow_queue.py`."""

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Waiting is no fault here: servers start, models load and WebGL runs in software."""
    for item in items:
        if "browser" in item.keywords:
            item.add_marker(pytest.mark.timeout(HANGING_S))


def patient(context: BrowserContext) -> BrowserContext:
    """The same context, with patience for a slow machine in all that it does."""
    context.set_default_timeout(PATIENCE_MS)
    return context


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium with software WebGL 2.

    Closed with the package: Playwright keeps an event loop running in this thread.
    """
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path,
            args=CHROMIUM_FLAGS,
            slow_mo=1000 * float(os.environ.get(STEP_DELAY, 0)),
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own; it fails the test on foreign requests and on uncaught script errors."""
    context = patient(browser.new_context(viewport={"width": 1440, "height": 900}))
    opened = context.new_page()
    foreign: list[str] = []
    errors: list[str] = []
    opened.on("request", lambda r: foreign.append(r.url) if _is_foreign(r.url) else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not foreign, f"requests left this machine: {foreign}"
    assert not errors, f"uncaught errors in the page: {errors}"


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Start `python app.py serve` with the arguments given; the address comes back.

    Servers end with their module: each that idles costs some of a processor.
    """
    logs = tmp_path_factory.mktemp("logs")
    with ExitStack() as running:

        def start(*arguments: str) -> str:
            return running.enter_context(served(logs, *arguments)).address

        yield start


@pytest.fixture(scope="module")
def address(studies: dict[str, Study]) -> Iterator[str]:
    """The panes alone, without the rest of the page, over the module's own `studies`."""
    with serving(list(studies.values())) as url:
        yield url


@pytest.fixture
def panes(page: Page, address: str) -> Page:
    """The panes as this browser would draw them: it has no graphics card."""
    return open_panes(page, address)


def _is_foreign(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in {"data", "blob", "about"} and parts.hostname != "127.0.0.1"
