"""The review page: a list of answers, one of them with its pictures, a form that saves itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import gradio as gr

from inference.desk import Desk
from inference.panel_results import FilterPanel, build_filters, filter_choices, filter_of
from inference.review_list import PAGE, listed, next_unreviewed
from inference.review_page import form_html, list_html, record_html
from inference.reviews import Review, save_review
from inference.shown_slices import recorded_slices
from viewer.errors import UserError
from viewer.live import Newest
from viewer.panel_turns import EACH, LATEST, in_turn

ON_LIST = """
element.addEventListener("click", (event) => {
  const row = event.target.closest("[data-record]");
  if (row) trigger("pick", { record: row.dataset.record });
});
"""

ON_FORM = """
let waiting = null, unsaved = null, opened = "";
const form = () => element.querySelector("form[data-record]");
const said = () => {
  const f = form();
  const scores = {};
  for (const input of f.querySelectorAll("[data-score]"))
    if (input.value !== "" && input.checkValidity())
      scores[input.dataset.score] = Number(input.value);
  return {
    record: f.dataset.record, reviewer: f.dataset.reviewer, at: performance.now(),
    scores, note: f.querySelector("[data-note]").value,
    tags: [...f.querySelectorAll('[aria-pressed="true"]')].map((b) => b.dataset.tag),
  };
};
const save = () => {
  clearTimeout(waiting); waiting = null;
  const review = unsaved ?? (form() && said());
  unsaved = null;
  if (review) trigger("save", review);
};
const soon = () => {
  unsaved = said();  // of this answer, whichever is open when it is saved
  clearTimeout(waiting); waiting = setTimeout(save, 400);
};
// Another answer's form may be written into the same boxes, which keep what was typed.
const turned = () => {
  const { record = "", reviewer = "" } = form()?.dataset ?? {};
  if (opened === `${record} ${reviewer}`) return;
  opened = `${record} ${reviewer}`;
  if (unsaved) save();
  form()?.reset();
};
new MutationObserver(turned).observe(element, {
  childList: true, subtree: true, attributes: true,
  attributeFilter: ["data-record", "data-reviewer"],
});
turned();
// The form of another name is about to be replaced: what is pressed in it is meant for nobody.
const named = () => document.querySelector("#reviewer :is(input, textarea)").value.trim();
const toggle = (button) => {
  if (form().dataset.reviewer.trim() !== named()) return;
  button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
  unsaved = said();
  save();
};
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tag]");
  if (button) toggle(button);
});
element.addEventListener("input", (event) => { if (form()) soon(); });
element.addEventListener("submit", (event) => event.preventDefault());
element.addEventListener("focusout", () => { if (unsaved) save(); });
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (!form() || !element.offsetParent || typing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = [...form().querySelectorAll("[data-key]")];
  const button = buttons.find((b) => b.dataset.key === event.key);
  if (button) toggle(button);
  else if (event.key === "r") save();
  else if (event.key === "n") trigger("next", { record: form().dataset.record });
  else return;
  event.preventDefault();
});
"""
"""Tags, scores and the note save themselves; keys work wherever nothing is typed."""


FORM_IN_TURN = in_turn("review-form")
"""What writes the form runs one after the other: a form that was asked for before the
next answer was opened must not come after it."""


@dataclass(frozen=True)
class ReviewPanel:
    """The components; `records` sends "pick", `form` sends "save" and "next".

    `opened` holds the id of the record on the page.
    """

    reviewer: gr.Textbox
    filters: FilterPanel
    records: gr.HTML
    earlier: gr.Button
    later: gr.Button
    next: gr.Button
    record: gr.HTML
    form: gr.HTML
    saved: gr.HTML
    opened: gr.State


def build_review() -> ReviewPanel:
    """Lay the page out; `wire` brings it to life."""
    reviewer = gr.Textbox(label="Reviewer", elem_id="reviewer", placeholder="your name")
    filters = build_filters("review")
    with gr.Row(elem_id="review-columns"):
        with gr.Column(scale=5):
            records = gr.HTML(elem_id="review-list", js_on_load=ON_LIST)
            with gr.Row():
                earlier = gr.Button("Newer", elem_id="review-newer", size="sm")
                later = gr.Button("Older", elem_id="review-older", size="sm")
                following = gr.Button("Next unreviewed (n)", elem_id="review-next", size="sm")
        with gr.Column(scale=4):
            record = gr.HTML(elem_id="review-record")
            form = gr.HTML(elem_id="review-form", js_on_load=ON_FORM)
            saved = gr.HTML(elem_id="review-saved")
    return ReviewPanel(
        reviewer, filters, records, earlier, later, following, record, form, saved, gr.State(None)
    )


def wire(panel: ReviewPanel, desk: Callable[[], Desk], tab: gr.Tab) -> None:
    """Connect the page; its list is read when its tab is opened."""
    opened, page = panel.opened, gr.State(0)
    inputs = panel.filters.inputs()
    detail = [panel.record, panel.form, panel.saved, opened]
    quiet = {"show_progress": "hidden"}
    each, latest = {**quiet, **EACH}, {**quiet, **LATEST}

    def fill() -> list[Any]:
        return filter_choices(desk())

    def show(reviewer: str, at: int, *values: Any) -> str:
        return list_html(desk().records, reviewer or "", filter_of(values), at)

    def turn(by: int) -> Callable[..., tuple[str, int]]:
        def turned(reviewer: str, at: int, *values: Any) -> tuple[str, int]:
            total = listed(desk().records.engine, filter_of(values)).total
            at = min(max(0, at + by), max(0, (total - 1) // PAGE))
            return show(reviewer, at, *values), at

        return turned

    def pick(event: gr.EventData, reviewer: str) -> tuple[str, str, str, str]:
        return opened_record(desk(), str(event.record), reviewer)

    def following(after: str | None, reviewer: str, *values: Any) -> tuple[Any, ...]:
        found = next_unreviewed(desk().records.engine, reviewer or "", filter_of(values), after)
        if found is None:
            return gr.skip(), gr.skip(), '<p class="note">Everything here is reviewed.</p>', after
        return opened_record(desk(), found, reviewer)

    def name(record_id: str | None, reviewer: str) -> Any:
        return form_html(desk().records, record_id, reviewer or "") if record_id else gr.skip()

    saves = Newest()

    def save(event: gr.EventData, request: gr.Request) -> Any:
        """Under the name that the form was written for, whatever the box says by now."""
        record, reviewer = str(event.record), str(event.reviewer)
        if not saves.take(f"{request.session_hash} {record} {reviewer}", float(event.at)):
            return gr.skip()
        review = Review(
            record, reviewer, tuple(event.tags), str(event.note),
            {name: int(score) for name, score in dict(event.scores).items()},
        )  # fmt: skip
        return saved(desk(), review)

    turn_by_turn = {**each, **FORM_IN_TURN}
    listing = [panel.reviewer, page, *inputs]
    tab.select(fill, None, list(panel.filters.lists), **quiet).then(
        show, listing, panel.records, **latest
    )
    for component in inputs:
        component.input(lambda: 0, None, page, **latest).then(
            show, listing, panel.records, **latest
        )
    paging = {**each, **in_turn("review-page")}
    panel.earlier.click(turn(-1), listing, [panel.records, page], **paging)
    panel.later.click(turn(1), listing, [panel.records, page], **paging)
    panel.records.pick(pick, panel.reviewer, detail, **turn_by_turn)
    for go_on in (panel.next.click, panel.form.next):
        go_on(following, [opened, panel.reviewer, *inputs], detail, **turn_by_turn)
    panel.form.save(save, None, panel.saved, **each)
    panel.reviewer.change(name, [opened, panel.reviewer], panel.form, **turn_by_turn)
    panel.reviewer.blur(show, listing, panel.records, **latest)


def wire_examples(
    tables: gr.HTML, panel: ReviewPanel, desk: Callable[[], Desk], pages: gr.Tabs
) -> None:
    """An example that is picked on the results page is opened here."""

    def open_example(event: gr.EventData, reviewer: str) -> tuple[Any, ...]:
        return gr.Tabs(selected="review"), *opened_record(desk(), str(event.record), reviewer)

    detail = [panel.record, panel.form, panel.saved, panel.opened]
    tables.pick(
        open_example, panel.reviewer, [pages, *detail], show_progress="hidden", **EACH,
        **FORM_IN_TURN,
    )  # fmt: skip


def opened_record(desk: Desk, record_id: str, reviewer: str) -> tuple[str, str, str, str]:
    """The record, the reviewer's form for it, an empty notice, and its id."""
    record = desk.records.record(record_id)
    form = form_html(desk.records, record.id, reviewer or "")
    shown = recorded_slices(desk.study, record.to_json())
    return record_html(desk.records, record, shown), form, "", record.id


def saved(desk: Desk, review: Review) -> str:
    """Keep the review; what the page says about it."""
    try:
        kept = save_review(desk.records.writing, review)
    except UserError as error:
        return f'<p class="note problem" role="alert">{escape(str(error))}</p>'
    return f'<p class="note" role="status">Saved {kept.time[11:19]} UTC</p>'
