"""Whatever the moment in which the user acts, the page hears the answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.test_main_job import SLOW_MS, open_page

pytestmark = pytest.mark.browser

LATE_CLOSE = """
const fetched = window.fetch.bind(window);
const text = new TextDecoder(), bytes = new TextEncoder();
const late = () => new TransformStream({
  async transform(chunk, out) {
    const said = text.decode(chunk), at = said.indexOf('data: {"msg":"close_stream"');
    if (at < 0) return out.enqueue(chunk);
    out.enqueue(bytes.encode(said.slice(0, at)));
    await new Promise((done) => setTimeout(done, 2000));
    out.enqueue(bytes.encode(said.slice(at)));
  },
});
window.fetch = async (...given) => {
  const response = await fetched(...given);
  if (!String(given[0]?.url ?? given[0]).includes("/queue/data")) return response;
  return new Response(response.body.pipeThrough(late()), response);
};
"""
"""Word that the stream of answers is closed reaches the page two seconds late."""


def test_an_event_sent_while_the_stream_closes_is_answered(page: Page, serve: Serve) -> None:
    page.add_init_script(LATE_CLOSE)
    open_page(page, serve("--model", "fake:B"))
    truth, card = page.locator("#truth input"), page.locator("#question-card")
    for _ in range(2):
        truth.check()
        expect(card).to_contain_text("ground truth", timeout=SLOW_MS)
        truth.uncheck()
        expect(card).not_to_contain_text("ground truth", timeout=60_000)
