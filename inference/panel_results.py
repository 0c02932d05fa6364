"""The results page: filters, tables, figures and downloads."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.processing_utils import hash_file
from gradio.utils import get_upload_folder

from inference.desk import Desk
from inference.errors import UnfitFile
from inference.exports import FORMATS, export_records
from inference.figures import accuracy_figure, save_figure
from inference.filters import RecordFilter
from inference.results import results
from inference.results_page import results_html
from inference.review_list import tag_counts, values_of
from inference.session_exports import SessionExports
from viewer.panel_turns import LATEST

FILTERS = ("model", "representation", "ordering", "score", "category", "case")
FIGURES = (".png", ".svg")

ON_LOAD = """
element.addEventListener("click", (event) => {
  const example = event.target.closest("[data-record]");
  if (example) trigger("pick", { record: example.dataset.record });
});
"""
"""A click on an example tells which record it is."""


@dataclass(frozen=True)
class FilterPanel:
    """One list for each column that may be filtered, and a text to look for."""

    lists: tuple[gr.Dropdown, ...]
    text: gr.Textbox

    def inputs(self) -> list[gr.components.Component]:
        """In the order that `filter_of` takes their values."""
        return [*self.lists, self.text]


@dataclass(frozen=True)
class ResultsPanel:
    """The components; `tables` sends "pick" with the id of an example."""

    filters: FilterPanel
    refresh: gr.Button
    tables: gr.HTML
    figure: gr.Plot
    kind: gr.Dropdown
    export: gr.Button
    file: gr.File
    where: gr.HTML


def build_filters(prefix: str) -> FilterPanel:
    """The filters of a page; their choices are filled in when the page opens."""
    with gr.Row(elem_id=f"{prefix}-filters"):
        lists = tuple(
            gr.Dropdown(
                choices=[], value=[], multiselect=True, label=name.capitalize(),
                elem_id=f"{prefix}-{name}", min_width=140,
            )
            for name in FILTERS
        )  # fmt: skip
        text = gr.Textbox(label="Text", elem_id=f"{prefix}-text", min_width=140)
    return FilterPanel(lists, text)


def build_results() -> ResultsPanel:
    """Lay the page out; `wire` brings it to life."""
    filters = build_filters("results")
    refresh = gr.Button("Count anew", elem_id="results-refresh", size="sm")
    tables = gr.HTML(elem_id="results-tables", js_on_load=ON_LOAD)
    with gr.Accordion("Figure for a paper", open=False, elem_id="results-figure-box"):
        figure = gr.Plot(elem_id="results-figure", show_label=False)
    with gr.Row():
        kind = gr.Dropdown(
            choices=[*FORMATS, *FIGURES], value=".csv", label="Download what is shown as",
            elem_id="results-kind", min_width=160,
        )  # fmt: skip
        export = gr.Button("Make the file", elem_id="results-export")
        file = gr.File(label="File", elem_id="results-file", interactive=False)
    where = gr.HTML(elem_id="results-where")
    return ResultsPanel(filters, refresh, tables, figure, kind, export, file, where)


def wire(panel: ResultsPanel, desk: Callable[[], Desk], tab: gr.Tab, page: gr.Blocks) -> None:
    """Connect the page; everything is counted when its tab is opened or a filter changes.

    What a session downloads is removed when it closes `page`.
    """

    def fill() -> list[Any]:
        return filter_choices(desk())

    def count(*values: Any) -> tuple[str, Any, str]:
        return counted(desk(), filter_of(values))

    exports = SessionExports()

    def write(request: gr.Request, kind: str, *values: Any) -> str:
        file = written(desk(), kind, filter_of(values))
        exports.keep(request.session_hash or "", file)
        return str(file)

    def end(request: gr.Request) -> None:
        exports.end(request.session_hash or "")

    quiet = {"show_progress": "hidden"}
    inputs = panel.filters.inputs()
    shown = [panel.tables, panel.figure, panel.where]
    tab.select(fill, None, list(panel.filters.lists), **quiet).then(
        count, inputs, shown, **quiet, **LATEST
    )
    panel.refresh.click(count, inputs, shown, **quiet, **LATEST)
    for component in inputs:
        component.input(count, inputs, shown, **quiet, **LATEST)
    panel.export.click(write, [panel.kind, *inputs], panel.file)
    page.unload(end)


def filter_of(values: tuple[Any, ...]) -> RecordFilter:
    """From the components' values, in the order of `FilterPanel.inputs`."""
    *lists, text = values
    chosen = {name: tuple(value or ()) for name, value in zip(FILTERS, lists, strict=True)}
    return RecordFilter(**chosen, text=text or "")


def filter_choices(desk: Desk) -> list[Any]:
    """What occurs in each column, as updates of the lists."""
    return [gr.Dropdown(choices=values_of(desk.records.engine, name)) for name in FILTERS]


def counted(desk: Desk, chosen: RecordFilter) -> tuple[str, Any, str]:
    """Tables, figure, and where the records are kept."""
    engine = desk.records.engine
    found = results(engine, chosen)
    figure = accuracy_figure(found) if found.table else None
    address = escape(engine.url.render_as_string(hide_password=True))
    where = f'<p class="note">Records: {address}</p>'
    return results_html(found, tag_counts(engine, chosen)), figure, where


def written(desk: Desk, kind: str, chosen: RecordFilter) -> Path:
    """A file of what is shown."""
    if kind not in {*FORMATS, *FIGURES}:
        raise UnfitFile(f"Expected a kind of file from the list, got {kind!r}; choose one.")

    def write(path: Path) -> None:
        if kind in FIGURES:
            save_figure(accuracy_figure(results(desk.records.engine, chosen)), path)
        else:
            export_records(desk.records, path, chosen)

    return served_file("records", kind, write)


def served_file(name: str, ending: str, write: Callable[[Path], object]) -> Path:
    """What `write` writes, in the one folder that the page may serve files from.

    It lies where Gradio would copy it to, under a name of its own, so that there is one copy.
    """
    folder = Path(get_upload_folder())
    with tempfile.TemporaryDirectory(dir=folder) as place:
        fresh = Path(place) / f"{name}-{secrets.token_hex(4)}{ending}"
        write(fresh)
        path = folder / hash_file(fresh) / fresh.name
        path.parent.mkdir(exist_ok=True)
        return fresh.replace(path)
