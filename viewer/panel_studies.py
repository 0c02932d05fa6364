"""The list of studies on the page: a filter, one row a study, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import gradio as gr

from viewer.study import Study, in_reading_order

MOST_ROWS = 200
"""A longer list is cut; the filter reaches the rest."""


@dataclass(frozen=True)
class StudyPicker:
    """The components of the list, for whoever wires them."""

    filter: gr.Textbox
    choice: gr.Radio
    count: gr.HTML
    about: gr.HTML


def build_study_picker() -> StudyPicker:
    """Lay the list out. It starts empty; `rows` and `count_html` fill it."""
    text = gr.Textbox(
        label="Find a study",
        placeholder="id, layout or sequence",
        elem_id="study-filter",
        max_lines=1,
    )
    count = gr.HTML(elem_id="study-count")
    choice = gr.Radio(choices=[], label="Studies", elem_id="study-list", show_label=False)
    about = gr.HTML(elem_id="study-about")
    return StudyPicker(text, choice, count, about)


def matching(studies: Sequence[Study], text: str) -> list[Study]:
    """The studies in which every word of the filter occurs."""
    words = text.lower().split()
    return [s for s in studies if all(word in _searchable(s) for word in words)]


def rows(studies: Sequence[Study], text: str = "") -> list[tuple[str, str]]:
    """(label, id) pairs of the list, at most `MOST_ROWS`."""
    return [(_label(s), s.id) for s in matching(studies, text)[:MOST_ROWS]]


def count_html(studies: Sequence[Study], text: str = "") -> str:
    """How many studies there are, and how many of them the list shows."""
    found = len(matching(studies, text))
    shown = min(found, MOST_ROWS)
    cut = f", first {shown} shown" if shown < found else ""
    return f"<p>{found} of {len(studies)} studies{cut}</p>"


def about_html(study: Study) -> str:
    """What the study has and what could not be read, in words."""
    sequences = ", ".join(in_reading_order([s.name for s in study.sequences])) or "none"
    masks = ", ".join(f"{m.kind} ({m.scheme})" for m in study.masks) or "none"
    lines = [("Layout", study.layout), ("Sequences", sequences), ("Masks", masks)]
    facts = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in lines)
    notes = [f"{s.name}: {note}" for s in study.sequences for note in s.notes]
    notes += [f"{problem.file}: {problem.reason}" for problem in study.problems]
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    problems = f"<details><summary>{len(notes)} notes</summary><ul>{listed}</ul></details>"
    synthetic = '<p class="synthetic">Synthetic study, made by this program. Not a patient.</p>'
    return (
        f"<h3>{escape(study.id)}</h3>{synthetic if study.synthetic else ''}"
        f"<dl>{facts}</dl>{problems if notes else ''}"
    )


def _label(study: Study) -> str:
    kinds = {mask.kind for mask in study.masks}
    mask = "mask" if "expert" in kinds else "no mask"
    return f"{study.id} · {len(study.sequences)} seq · {mask}"


def _searchable(study: Study) -> str:
    names = " ".join(s.name for s in study.sequences)
    return f"{study.id} {study.layout} {names}".lower()
