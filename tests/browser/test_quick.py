"""Users who are quicker than the server's answers, and answers that come in another order."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.benchmarks.monkey import small_studies
from tests.benchmarks.monkey_page import CHOOSE, OPEN, WRITE
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
      await new Promise((done) => setTimeout(done, window.lateBy ?? 500));
      out.enqueue(bytes.encode(text.slice(end)));
    };
    return new Response(reply.body.pipeThrough(new TransformStream({ transform })), reply);
  };
}
"""
"""The end of the stream of answers comes `window.lateBy` ms late, 500 at first."""


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


class Held:
    """The page's events for some handlers wait on their way until they are let go."""

    def __init__(self, page: Page, *names: str) -> None:
        self.page = page
        self.waiting: list[Route] = []
        self.ids = page.evaluate(
            "(names) => gradio_config.dependencies.filter((each) => names.includes(each.api_name))"
            ".map((each) => each.id)",
            names,
        )
        assert self.ids
        page.route("**/queue/join*", self._meet)

    def _meet(self, route: Route) -> None:
        if route.request.post_data_json["fn_index"] in self.ids:
            self.waiting.append(route)
        else:
            route.continue_()

    def wait(self, count: int = 1) -> None:
        """Until as many of them have been sent."""
        while len(self.waiting) < count:
            self.page.wait_for_timeout(50)

    def let_go(self) -> None:
        """What was held goes on, what comes is held no longer; wait until the page is at rest."""
        self.ids = []
        for route in self.waiting:
            route.continue_()
        self.page.wait_for_timeout(5000)


def choose_question(page: Page, number: int) -> str:
    """Choose the question by its number from 1."""
    said = page.evaluate(CHOOSE, ["#question", (number - 0.5) / 3])
    assert said.startswith(f"{number} ")
    return str(said.partition(" · ")[2])


def go_to(page: Page, study: int) -> str:
    """Open another study; its id."""
    name = f"BraTS2021_{study:05d}"
    press(page, f'#study-list [data-id="{name}"]')
    return name


def hold_an_ask(page: Page, address: str) -> Held:
    """Ask pressed, and not yet heard by the server."""
    open_small(page, address)
    held = Held(page, "ask")
    press(page, "#ask")
    held.wait()
    return held


def hold_an_ask_and_go_on(page: Page, address: str) -> Held:
    """The same, and the second question is on the page by now."""
    held = hold_an_ask(page, address)
    stem = choose_question(page, 2)
    expect(page.locator("#question-card h3")).to_have_text(stem, timeout=SLOW_MS)
    return held


def test_an_ask_that_comes_after_the_next_question_was_chosen_leaves_no_answer(
    page: Page, small: str
) -> None:
    held = hold_an_ask_and_go_on(page, small)
    held.let_go()
    expect(page.locator("#answer .answer")).to_have_count(0)
    expect(page.locator("#ask")).to_be_enabled()


def test_ask_counts_while_the_ask_about_the_question_before_is_under_way(
    page: Page, small: str
) -> None:
    held = hold_an_ask_and_go_on(page, small)
    press(page, "#ask")
    press(page, "#ask")
    held.wait(3)
    held.let_go()
    expect(page.locator("#answer .answer")).to_contain_text("a2 ", timeout=SLOW_MS)
    expect(page.locator("#ask")).to_be_enabled(timeout=SLOW_MS)
    expect(page.locator("#cancel")).to_be_disabled(timeout=SLOW_MS)


def test_a_late_word_of_a_question_passed_by_wipes_no_answer(page: Page, small: str) -> None:
    open_small(page, small)
    held = Held(page, "forget", "forget_1")
    choose_question(page, 2)
    held.wait()
    choose_question(page, 3)
    press(page, "#ask")
    expect(page.locator("#ablation tbody tr")).to_have_count(3, timeout=SLOW_MS)
    held.let_go()
    expect(page.locator("#answer .answer")).to_contain_text("a3 ")


def test_the_truth_that_was_asked_for_meanwhile_is_shown_with_the_answer(
    page: Page, small: str
) -> None:
    held = hold_an_ask(page, small)
    press(page, "#truth input")
    expect(page.locator("#question-card .truth")).to_have_count(1, timeout=SLOW_MS)
    held.let_go()
    expect(page.locator("#answer .truth")).to_have_count(1, timeout=SLOW_MS)


def test_a_question_typed_for_one_study_is_not_put_into_the_next_ones_list(
    page: Page, small: str
) -> None:
    open_small(page, small)
    page.locator("#own-question button").first.click()
    expect(page.locator("#own-stem textarea")).to_be_visible(timeout=SLOW_MS)
    page.evaluate(WRITE, ["#own-stem textarea", "Is it there?", False])
    page.evaluate(WRITE, ["#own-options textarea", "Yes\nNo", False])
    held = Held(page, "use")
    press(page, "#own-use")
    held.wait()
    study = go_to(page, 2)
    page.wait_for_function("(id) => window.modelInput?.study === id", arg=study)
    held.let_go()
    assert page.locator("#question input").input_value().startswith("1 · ")
    expect(page.locator("#question-card h3")).to_contain_text(" 1?")
    go_to(page, 1)
    expect(page.locator("#question-card h3")).to_have_text("Is it there?", timeout=SLOW_MS)


def test_the_slice_of_a_study_just_opened_is_used(page: Page, small: str) -> None:
    open_small(page, small)
    held = Held(page, "drop_slice")
    study = go_to(page, 3)
    page.wait_for_function("(id) => mriPanes.study === id && mriPanes.index !== null", arg=study)
    page.wait_for_function("(id) => window.modelInput?.study === id", arg=study)
    assert page.evaluate(OPEN, ["#panes button", "Use this slice"])
    said = page.locator("#model-input")
    expect(said).to_contain_text("chosen on the screen", timeout=SLOW_MS)
    held.wait()
    held.let_go()
    expect(said).to_contain_text("chosen on the screen")


def test_a_mask_that_was_made_meanwhile_changes_no_other_study(page: Page, small: str) -> None:
    open_small(page, small)
    first = page.evaluate("mriPanes.study")
    press(page, "#segment")
    expect(page.locator("#mask-progress progress")).to_be_visible(timeout=SLOW_MS)
    study = go_to(page, 2)
    expect(page.locator("#segment")).to_be_enabled(timeout=SLOW_MS)
    page.wait_for_timeout(3000)
    assert page.evaluate("mriPanes.study") == study
    expect(page.locator("#mask-progress")).to_be_empty()
    expect(page.locator("#mask-table")).to_contain_text("No predicted mask yet")
    press(page, f'#study-list [data-id="{first}"]')
    expect(page.locator("#mask-table")).to_contain_text("Predicted mask", timeout=SLOW_MS)


def test_pictures_that_come_late_do_not_hide_the_truth_again(page: Page, small: str) -> None:
    open_small(page, small)
    held = Held(page, *(f"preview{end}" for end in ("", *(f"_{n}" for n in range(1, 11)))))
    press(page, "#representation input[value='montage']")
    held.wait()
    press(page, "#truth input")
    truth = page.locator("#question-card .truth")
    expect(truth).to_have_count(1, timeout=SLOW_MS)
    held.let_go()
    expect(page.locator("#model-input figure")).to_have_count(1, timeout=SLOW_MS)
    expect(truth).to_have_count(1)


def test_the_panes_stand_back_until_the_study_that_the_list_marks_is_there(
    page: Page, small: str
) -> None:
    open_small(page, small)
    held = Held(page, *(f"choose{end}" for end in ("", *(f"_{n}" for n in range(1, 6)))))
    study = go_to(page, 2)
    held.wait()
    panes = page.locator("#panes .mri-panes")
    expect(panes).to_have_attribute("aria-busy", "true", timeout=SLOW_MS)
    assert page.evaluate("mriPanes.study") != study
    held.let_go()
    page.wait_for_function("(id) => mriPanes.study === id", arg=study)
    expect(panes).to_have_attribute("aria-busy", "false", timeout=SLOW_MS)
    expect(page.locator("#reader-panes .mri-panes[aria-busy]")).to_have_count(0)
