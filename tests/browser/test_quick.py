"""Users who are quicker than the server's answers, and answers that come in another order."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.benchmarks.monkey import small_studies
from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS

pytestmark = pytest.mark.browser

LATE_END = """
{
  const at_once = window.fetch;
  window.fetch = async (...given) => {
    const reply = await at_once(...given);
    if (!String(given[0]?.url ?? given[0]).includes("queue/data")) return reply;
    const transform = async (part, out) => {
      const text = new TextDecoder().decode(part);
      const end = text.indexOf('data: {"msg":"close_stream"');
      const bytes = new TextEncoder();
      if (end < 0) return out.enqueue(part);
      if (end) out.enqueue(bytes.encode(text.slice(0, end)));
      await new Promise((done) => setTimeout(done, window.lateBy ?? 0));
      out.enqueue(bytes.encode(text.slice(end)));
    };
    return new Response(reply.body.pipeThrough(new TransformStream({ transform })), reply);
  };
}
"""
"""A network on which the end of the stream of answers comes `window.lateBy` ms late."""


@pytest.fixture(scope="module")
def small(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Four small studies, each with questions 1 to 3."""
    folder = tmp_path_factory.mktemp("small") / "studies"
    files = [part for file in small_studies(folder) for part in ("--questions", str(file))]
    return serve("--data", str(folder), *files, "--model", "fake:B")


def open_small(page: Page, address: str) -> None:
    page.set_default_timeout(SLOW_MS)
    page.goto(address)
    page.wait_for_function("window.modelInput && window.mriPanes?.loaded.length === 4")
    page.wait_for_timeout(2000)  # what the opening started is over


def press(page: Page, selector: str) -> None:
    """At once, however busy the page is."""
    page.evaluate("(selector) => document.querySelector(selector).click()", selector)


def test_what_is_asked_as_the_server_ends_its_stream_is_answered(page: Page, small: str) -> None:
    page.add_init_script(LATE_END)
    open_small(page, small)
    pictures = page.locator("#model-input figure")
    page.evaluate("window.lateBy = 3000")
    press(page, "#representation input[value='single-slice']")
    expect(pictures).to_have_count(1, timeout=SLOW_MS)
    press(page, "#representation input[value='multi-montage']")
    expect(pictures).to_have_count(3, timeout=60_000)
