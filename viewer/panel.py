"""The panes as a Gradio component: layout and wiring only."""

from __future__ import annotations

import json

import gradio as gr

from viewer.panes import PaneSpec, to_json

ON_LOAD = """
const page = document.baseURI;
const open = async () => {
  try {
    const { mountPanes } = await import(new URL("static/panes/panes.js", page).href);
    const panes = await mountPanes(element, {
      use: (detail) => trigger("use_slice", detail),
      open: (detail) => trigger("open_study", detail),
      linked: LINKED,
    });
    const show = () => panes.show(JSON.parse(props.value));
    watch("value", show);
    show();
  } catch (error) {
    element.textContent = `The panes could not start: ${error.message}`;
  }
};
open();
"""
"""Runs as a plain function in the page, hence the async function inside."""


def build_panes(elem_id: str = "panes", *, linked: bool = True) -> gr.HTML:
    """The panes, empty. `panes.use_slice(handler)` hears the button "Use this slice".

    The handler may take a `gr.EventData` with `study`, `sequence`, `plane`,
    `index` (voxel index of that sequence's RAS+ array) and `mm` (x, y, z).
    `panes.open_study(handler)` hears which `study` and `question` a button
    with `data-slices` is about, where that study is not on the panes; they go
    to the slices as soon as it is. Panes that are not `linked` take nothing from
    the page's address, leave it as it is, and are not told which slices a model was shown.
    """
    return gr.HTML(
        value=to_json(None),
        html_template='<div class="mri-panes"></div>',
        js_on_load=ON_LOAD.replace("LINKED", json.dumps(linked)),
        apply_default_css=False,
        elem_id=elem_id,
        padding=False,
    )


def show_panes(spec: PaneSpec | None) -> str:
    """The component's new value: a study to show, or None for an empty screen."""
    return to_json(spec)
