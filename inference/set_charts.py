"""Charts of a selection's tables, as matplotlib figures for the page and for papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from inference.calibration import Calibration
from inference.figures import as_drawn
from inference.proportions import Proportion
from inference.set_tables import Accuracy, Baselines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, PAPER, GRID = "#cfd7e2", "#11161d", "#2a3441"
BAR, FLOOR, BASE = "#5b9dff", "#f3c969", "#8b96a5"
LINES = {"text-only": (FLOOR, "--"), "blank": (FLOOR, ":")}


def accuracy_chart(
    rows: Sequence[Accuracy], floors: Mapping[str, Proportion], base: Baselines, title: str
) -> Figure:
    """Bars with 95 % Wilson intervals; floors and baselines as lines across all of them."""
    figure, axes = _canvas(5.2, 1.6 + 0.34 * max(3, len(rows)))
    places = range(len(rows))
    shares = [row.right.share for row in rows]
    errors = [
        [row.right.share - row.right.low for row in rows],
        [row.right.high - row.right.share for row in rows],
    ]
    axes.barh(places, shares, height=0.62, color=BAR)
    axes.errorbar(shares, places, xerr=errors, fmt="none", ecolor=INK, capsize=3, linewidth=1)
    names = [as_drawn(f"{row.arm.representation} (n={row.right.of})") for row in rows]
    axes.set_yticks(list(places), names)
    axes.invert_yaxis()
    _floors_and_baselines(axes.axvline, floors, base)
    axes.set_xlim(0, 1)
    axes.set_xlabel("accuracy, 95 % Wilson interval")
    _finish(axes, title)
    return figure


def calibration_chart(
    found: Calibration, floors: Mapping[str, Proportion], base: Baselines, title: str
) -> Figure:
    """Accuracy over the answer's probability; on the diagonal a model is as right as sure."""
    figure, axes = _canvas(4.2, 4.1)
    axes.plot([0, 1], [0, 1], color=BASE, linestyle=":", label="as right as sure")
    sure, right = [each.sure for each in found.bins], [each.right for each in found.bins]
    most = max(each.count for each in found.bins)
    sizes = [20 + 120 * each.count / most for each in found.bins]
    axes.plot(sure, right, color=BAR, linewidth=1)
    name = f"ECE {found.error:.3f}, n={found.count}"
    axes.scatter(sure, right, s=sizes, color=BAR, label=name, clip_on=False, zorder=3)
    _floors_and_baselines(axes.axhline, floors, base)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("probability of the answer")
    axes.set_ylabel("share right")
    _finish(axes, title)
    return figure


def _floors_and_baselines(
    line: Callable[..., object], floors: Mapping[str, Proportion], base: Baselines
) -> None:
    """Lines across the chart at what is scored without looking."""
    for name, floor in floors.items():
        color, style = LINES[name]
        line(
            floor.share,
            color=color,
            linestyle=style,
            label=f"{name} {floor.share:.0%} (n={floor.of})",
        )
    for label, value, style in (
        ("majority position", base.majority, "-."),
        ("chance", base.chance, "-"),
    ):
        if value is not None:
            line(value, color=BASE, linestyle=style, linewidth=1, label=f"{label} {value:.0%}")


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=110, facecolor=PAPER, layout="constrained")
    axes = figure.add_subplot(facecolor=PAPER)
    axes.tick_params(colors=INK, labelsize=8)
    for spine in axes.spines.values():
        spine.set_color(GRID)
    return figure, axes


def _finish(axes: Axes, title: str) -> None:
    axes.set_title(as_drawn(title), color=INK, fontsize=9)
    axes.xaxis.label.set(color=INK, fontsize=8)
    axes.yaxis.label.set(color=INK, fontsize=8)
    # Below the axes: inside, it would cover bars or their intervals.
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.legend(
        fontsize=7, facecolor=PAPER, edgecolor=GRID, labelcolor=INK, ncols=2,
        loc="outside lower center",
    )  # fmt: skip
