"""The reader study's page: layout, and what its form does in the browser.

`inference.panel_readers_run.wire` brings it to life.
"""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from inference.reader_exports import FORMATS
from viewer.panel import build_panes

ON_FORM = """
const LONGEST_TICK = 10000;  // a machine that slept was not read at
let shown = "", spent = 0, last = performance.now(), watching = false;
let sent = -Infinity;  // when the answer at hand went off: never yet
const form = () => element.querySelector("form.reader-form");
const asking = () => form()?.dataset.item !== undefined;
const inView = () =>
  asking() && element.offsetParent !== null && document.visibilityState === "visible";
const which = () => {
  const { item = "", wait = "", place = "" } = form()?.dataset ?? {};
  return [item, wait, place].join("/");
};
const turned = () => {  // another question in the form, which the page may have kept as it was
  shown = which(); spent = 0; sent = -Infinity; watching = false;
  const comment = form()?.querySelector("[data-comment]");
  if (comment) comment.value = comment.getAttribute("value");
};
const tick = () => {
  const now = performance.now();
  if (which() !== shown) turned();
  if (watching) spent += Math.min(now - last, LONGEST_TICK);
  last = now;
  watching = inView();
};
const stretch = () => { tick(); const seconds = spent / 1000; spent = 0; return seconds; };
setInterval(tick, 100);
const all = (selector) => [...form().querySelectorAll(selector)];
const chosen = (selector) => all(selector).find((b) => b.getAttribute("aria-checked") === "true");
const choose = (button) => {
  for (const other of button.parentElement.querySelectorAll("[role=radio]"))
    other.setAttribute("aria-checked", other === button);
  form().querySelector(".missing").hidden = true;
};
const flag = (name) => {
  const button = chosen(`[data-choice="${name}"]`);
  return button ? button.dataset.value === "true" : null;
};
const answer = () => {
  tick();  // the question may have been turned since the last look
  const option = chosen("[data-option]"), sure = chosen("[data-sure]");
  if (!option && flag("answerable") !== false) {
    form().querySelector(".missing").hidden = false;
    return;
  }
  if (performance.now() - sent < 5000) return;  // one press, one answer
  sent = performance.now();
  trigger("answer", {
    item: Number(form().dataset.item), seconds: stretch(),
    option: option ? Number(option.dataset.option) : null,
    answerable: flag("answerable"), relevant: flag("relevant"),
    confidence: sure ? Number(sure.dataset.sure) : null,
    sequences: all('[data-sequence][aria-pressed="true"]').map((b) => b.dataset.sequence),
    comment: form().querySelector("[data-comment]").value,
  });
  document.activeElement?.blur();  // the keys belong to the next question
};
const seen = () => ({ item: asking() ? Number(form().dataset.item) : null, seconds: stretch() });
const act = {
  answer,
  previous: () => trigger("move", { ...seen(), by: -1 }),
  next: () => trigger("move", { ...seen(), by: 1 }),
  pause: () => trigger("pause", seen()),
  resume: () => trigger("resume", {}),
  reveal: () => trigger("reveal", seen()),
  leave: () => trigger("leave", {}),
};
const perform = (name) => {
  const button = form().querySelector(`[data-do="${name}"]`);
  if (button && !button.disabled) act[name]();
  return Boolean(button);
};
element.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || button.disabled || !form()) return;
  if (button.dataset.do) perform(button.dataset.do);
  else if (button.getAttribute("role") === "radio") choose(button);
  else if (button.dataset.sequence)
    button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
});
const surer = (by) => {
  const now = chosen("[data-sure]"), value = now ? Number(now.dataset.sure) + by : 5;
  const button = form().querySelector(`[data-sure="${Math.max(0, Math.min(10, value))}"]`);
  choose(button);
};
const relevance = () =>
  choose(form().querySelector(`[data-choice="relevant"][data-value="${!flag("relevant")}"]`));
const say = (value) =>
  choose(form().querySelector(`[data-choice="answerable"][data-value="${value}"]`));
const byKey = (key) => {
  const letter = /^[1-9]$/.test(key) ? "abcdefghi"[Number(key) - 1] : key;
  const option = form().querySelector(`[data-letter="${CSS.escape(letter)}"]`);
  if (option) { choose(option); return true; }
  const keys = {
    y: () => say(true), n: () => say(false), r: relevance,
    "+": () => surer(1), "=": () => surer(1), "-": () => surer(-1),
  };
  if (asking() && keys[key]) { keys[key](); return true; }
  const steps = { "[": "previous", "]": "next", p: "pause" };
  return key in steps && perform(steps[key]);
};
document.addEventListener("keydown", (event) => {
  if (!form() || element.offsetParent === null) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const comment = event.target.matches?.("[data-comment]");
  const typing = event.target.closest?.("input, textarea, select, dialog, [contenteditable]");
  if (typing && !(comment && event.key === "Enter")) return;
  const acting = event.target.closest?.("button[data-do], summary");
  if (event.key === "Enter") {
    if (acting) return;  // Enter presses the button that has the focus
    if (!perform("answer") && !perform("resume")) return;
  } else if (!byKey(event.key.toLowerCase())) return;
  event.preventDefault();
}, true);
// A page that is hidden or closed hands in what was read so far.
const handIn = () => { tick(); if (asking() && spent > 0) trigger("viewed", seen()); };
document.addEventListener("visibilitychange", () => document.hidden && handIn());
window.addEventListener("pagehide", handIn);
"""
"""Measures the time in view, hears keys before the panes do, and sends what was chosen."""


@dataclass(frozen=True)
class ReaderPanel:
    """The components. `form` sends "viewed" and what `panel_readers_run.ACTS` lists.

    `reading` holds the study, the reader, the place and the case on the panes;
    None where nothing is read.
    """

    setup: gr.Column
    reader: gr.Textbox
    study: gr.Dropdown
    start: gr.Button
    maker: MakerPanel
    panes: gr.HTML
    form: gr.HTML
    notice: gr.HTML
    results: gr.HTML
    downloads: gr.Row
    kind: gr.Dropdown
    export: gr.Button
    file: gr.File
    reading: gr.State


@dataclass(frozen=True)
class MakerPanel:
    """What a new study is made of."""

    name: gr.Textbox
    seed: gr.Number
    most: gr.Number
    cases: gr.Dropdown
    categories: gr.Dropdown
    models: gr.Dropdown
    scores: gr.Dropdown
    text: gr.Textbox
    make: gr.Button
    made: gr.HTML

    def inputs(self) -> list[gr.components.Component]:
        """In the order that the handler takes their values."""
        return [
            self.name, self.seed, self.most, self.cases, self.categories, self.models,
            self.scores, self.text,
        ]  # fmt: skip

    def lists(self) -> list[gr.Dropdown]:
        """Those whose choices are filled in when the page opens."""
        return [self.cases, self.categories, self.models, self.scores]


def build_readers() -> ReaderPanel:
    """Lay the page out."""
    with gr.Row(elem_id="reader-columns"):
        with gr.Column(elem_id="reader-centre"):
            panes = build_panes("reader-panes", linked=False)  # a link could give a hint
        with gr.Column(elem_id="reader-right"):
            with gr.Column(elem_id="reader-setup") as setup:
                reader = gr.Textbox(
                    label="Reader", elem_id="reader-name", placeholder="your name", max_lines=1
                )
                study = gr.Dropdown(choices=[], label="Reader study", elem_id="reader-study")
                start = gr.Button("Begin or go on", variant="primary", elem_id="reader-start")
                maker = _build_maker()
            notice = gr.HTML(elem_id="reader-notice")
            form = gr.HTML(elem_id="reader-form", js_on_load=ON_FORM)
    results = gr.HTML(elem_id="reader-results")
    with gr.Row(visible=False) as downloads:
        kind = gr.Dropdown(
            choices=list(FORMATS), value=".csv", label="Download this study as",
            elem_id="reader-kind", min_width=160,
        )  # fmt: skip
        export = gr.Button("Make the file", elem_id="reader-export")
        file = gr.File(label="File", elem_id="reader-file", interactive=False)
    return ReaderPanel(
        setup, reader, study, start, maker, panes, form, notice, results, downloads, kind,
        export, file, gr.State(None),
    )  # fmt: skip


def _build_maker() -> MakerPanel:
    with gr.Accordion("Make a study", open=False, elem_id="reader-maker"):
        name = gr.Textbox(label="Name", elem_id="maker-name", max_lines=1)
        with gr.Row():
            seed = gr.Number(value=0, precision=0, label="Seed", elem_id="maker-seed", min_width=90)
            most = gr.Number(
                value=0, precision=0, label="Most questions (0: all)", elem_id="maker-most",
                min_width=140,
            )  # fmt: skip
        cases, categories, models, scores = (
            gr.Dropdown(choices=[], value=[], multiselect=True, label=label, elem_id=name)
            for label, name in (
                ("Studies (none chosen: all)", "maker-cases"),
                ("Categories (none chosen: all)", "maker-categories"),
                ("Only asked of these models", "maker-models"),
                ("Only with these scores", "maker-scores"),
            )
        )
        text = gr.Textbox(label="Text in the question", elem_id="maker-text", max_lines=1)
        make = gr.Button("Make the study", elem_id="maker-make")
        made = gr.HTML(elem_id="maker-made")
    return MakerPanel(name, seed, most, cases, categories, models, scores, text, make, made)
