"""A choice whose single entries can be switched off, each with the reason beside it.

Gradio's own lists cannot do that. The entries are real radio buttons or check
boxes inside a field set, so that mouse, keyboard and screen reader work as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import gradio as gr


@dataclass(frozen=True)
class Entry:
    """One entry; with a `reason` it cannot be chosen."""

    name: str
    about: str = ""
    reason: str | None = None


ON_LOAD = """
const box = element.querySelector("fieldset");
const several = box.dataset.several === "yes";
const make = (tag, text, parent) => {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
};
const chosen = () => (several ? props.value || [] : [props.value]);
const names = () => [...box.querySelectorAll("input:checked")].map((input) => input.value);
const choose = () => {
  props.value = several ? names() : names()[0];
  trigger("change");
};
const entry = (row, number) => {
  const label = make("label", "", box);
  const input = make("input", "", label);
  input.type = several ? "checkbox" : "radio";
  input.name = box.dataset.name;
  input.value = row.name;
  input.disabled = Boolean(row.reason);
  input.checked = chosen().includes(row.name) && !(several && row.reason);
  make("span", row.name, label);
  label.title = row.about;
  if (row.reason) {
    label.className = "impossible";
    const reason = make("small", row.reason, label);
    reason.id = `${box.dataset.name}-reason-${number}`;
    input.setAttribute("aria-describedby", reason.id);
  }
  input.addEventListener("change", () => { choose(); about(); });
};
const about = () => {
  const row = props.rows.find((each) => each.name === props.value);
  element.querySelector(".about").textContent = (row && row.about) || "";
};
const draw = () => {
  const focused = box.contains(document.activeElement) ? document.activeElement.value : null;
  box.querySelectorAll("label").forEach((label) => label.remove());
  const rows = [...props.rows];
  rows.sort((a, b) => Boolean(a.reason) - Boolean(b.reason));
  rows.forEach(entry);
  if (focused) box.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus();
  about();
};
watch(["value", "rows"], draw);
draw();
"""
"""Draws the entries; those that cannot be chosen stand last, a line each."""


def build_choice(
    entries: Sequence[Entry], value: str | Sequence[str], label: str, name: str
) -> gr.HTML:
    """A choice of one (`value` a name) or of several (a list of names)."""
    several = "no" if isinstance(value, str) else "yes"
    template = (
        f'<fieldset class="choice" data-name="{name}" data-several="{several}">'
        f"<legend>{label}</legend></fieldset>"
        '<p class="about meta"></p>'
    )
    return gr.HTML(
        value=value if isinstance(value, str) else list(value),
        html_template=template,
        js_on_load=ON_LOAD,
        apply_default_css=False,
        elem_id=name,
        rows=as_rows(entries),
    )


def as_rows(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """What the page's script reads."""
    return [asdict(entry) for entry in entries]


def show_entries(entries: Sequence[Entry]) -> Any:
    """An update that leaves what is chosen as it is."""
    return gr.HTML(rows=as_rows(entries))
