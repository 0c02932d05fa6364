"""The list of studies on the page, and what is known of the one that is open."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import gradio as gr

from viewer.study import Study, in_reading_order, shown_name

ON_LOAD = """
const page = document.baseURI;
const start = async () => {
  try {
    const { mountBrowser } = await import(new URL("static/browser/browser.js", page).href);
    const browser = await mountBrowser(element, (id) => { props.value = id; });
    const show = () => { if (props.list) browser.show(JSON.parse(props.list), props.value); };
    watch("list", show);
    watch("value", () => browser.mark(props.value));
    show();
  } catch (error) {
    element.textContent = `The list of studies could not start: ${error.message}`;
  }
};
start();
"""
"""Runs as a plain function in the page, hence the async function inside."""


@dataclass(frozen=True)
class StudyPicker:
    """The components of the list, for whoever wires them.

    The value of `choice` is the id of the open study; its property `list` holds
    `viewer.study_rows.rows_json`.
    """

    choice: gr.HTML
    about: gr.HTML


def build_study_picker() -> StudyPicker:
    """Lay the list out. It starts empty, as tall as it will be; `listed` fills it."""
    choice = gr.HTML(
        value=None,
        list="",
        html_template='<section class="studies" aria-label="Studies"></section>',
        js_on_load=ON_LOAD,
        apply_default_css=False,
        elem_id="study-list",
        padding=False,
    )
    about = gr.HTML(elem_id="study-about")
    return StudyPicker(choice, about)


def listed(rows: str, chosen: str | None) -> gr.HTML:
    """The list's update: rows as `rows_json` writes them, and the study that is open."""
    return gr.HTML(value=chosen, list=rows)


def about_html(study: Study) -> str:
    """What the study has and what could not be read, in words."""
    sequences = ", ".join(in_reading_order([s.name for s in study.sequences])) or "none"
    masks = ", ".join(f"{m.kind} ({m.scheme})" for m in study.masks) or "none"
    lines = [("Layout", study.layout), ("Sequences", sequences), ("Masks", masks)]
    facts = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in lines)
    notes = [f"{s.name}: {note}" for s in study.sequences for note in s.notes]
    notes += [f"{problem.file}: {problem.reason}" for problem in study.problems]
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    told = f"<details><summary>{len(notes)} notes</summary><ul>{items}</ul></details>"
    title = f"<h3>{escape(shown_name(study.id))}</h3>"
    return f"{title}{_kind_of(study)}<dl>{facts}</dl>{told if notes else ''}"


def _kind_of(study: Study) -> str:
    if study.synthetic:
        return '<p class="synthetic">Synthetic study, made by this program. Not a patient.</p>'
    if study.session_folder is not None:
        return (
            '<p class="synthetic">Opened from your own files, for this page only. Nothing of it '
            "is kept: it goes when the page is closed or loaded anew, its answers too.</p>"
        )
    return ""
