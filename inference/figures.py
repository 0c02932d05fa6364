"""Figures for papers from the results: matplotlib without a screen, as PNG or SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inference.results import Results
from inference.results_tables import Cell, Comparison, comparison
from viewer.printable import for_terminal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999")
"""Okabe and Ito's colours, told apart by all kinds of colour vision."""

CHANCE = 25.0
"""Per cent by guessing among four options, as in the published benchmark."""


def accuracy_figure(found: Results) -> Figure:
    """Accuracy of each of our models under each representation, with 95 % intervals.

    Published figures stand as hollow diamonds below; they were made by another
    pipeline.
    """
    from matplotlib.figure import Figure

    table = comparison(found)
    rows = _rows(table)
    figure = Figure(figsize=(7.2, 1.2 + 0.26 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    names = list(dict.fromkeys(column for _, column, _, _ in rows))
    for place, (_, column, published, cell) in enumerate(rows):
        colour = COLOURS[names.index(column) % len(COLOURS)]
        low = cell.percent - (cell.low if cell.low is not None else cell.percent)
        high = (cell.high if cell.high is not None else cell.percent) - cell.percent
        axes.errorbar(
            cell.percent,
            place,
            xerr=[[low], [high]],
            fmt="D" if published else "o",
            color=colour,
            markerfacecolor="none" if published else colour,
            capsize=2,
        )
    axes.axvline(CHANCE, color="#999999", linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(rows)), [_label(*row[:3]) for row in rows], fontsize=7)
    axes.set(xlim=(0, 100), xlabel="Accuracy (%), 95 % Wilson interval; dotted: guessing of four")
    axes.set_ylim(-0.7, max(0, len(rows) - 1) + 0.7)
    axes.invert_yaxis()
    axes.grid(axis="x", linewidth=0.3)
    return figure


def save_figure(figure: Figure, path: Path) -> None:
    """Write it as the ending says; SVG keeps its letters as letters and names no date."""
    from matplotlib import rc_context

    svg = path.suffix.lower() == ".svg"
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "mri-vqa-viewer"}):
        figure.savefig(path, dpi=300, metadata={"Date": None} if svg else None)


def _rows(table: Comparison) -> list[tuple[str, str, bool, Cell]]:
    headings = table.headings()
    return [
        (line.model, heading, line.published, cell)
        for line in table.lines
        for heading, cells in zip(headings, line.cells, strict=True)
        for cell in cells
    ]


def _label(model: str, column: str, published: bool) -> str:
    return as_drawn(f"{model}{' (published)' if published else ''} · {column}")


def as_drawn(text: str) -> str:
    """A text for a figure: nothing between dollar signs is a formula, no control sign is left."""
    return for_terminal(text).replace("$", r"\$")
