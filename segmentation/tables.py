"""Expert and predicted mask side by side, as a table of numbers in HTML."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from segmentation.agreement import on_grid_of
from segmentation.measure import agreement, region_volumes_ml
from segmentation.regions import REGIONS
from viewer.arrays import LabelMap

UNKNOWN = "–"


@dataclass(frozen=True)
class MaskNumbers:
    """What the table shows. A mask that does not exist has no numbers."""

    expert_ml: dict[str, float] | None
    predicted_ml: dict[str, float] | None
    dice: dict[str, float | None] | None
    expert_source: str | None
    predicted_source: str | None
    predicted_notes: tuple[str, ...] = ()


def mask_numbers(expert: LabelMap | None, predicted: LabelMap | None) -> MaskNumbers:
    """Volumes of each mask and, where both exist, their Dice on the expert's grid."""
    dice = None
    if expert is not None and predicted is not None:
        rows = agreement(on_grid_of(expert, predicted), expert)
        dice = {row.region: row.dice for row in rows}
    return MaskNumbers(
        expert_ml=region_volumes_ml(expert) if expert is not None else None,
        predicted_ml=region_volumes_ml(predicted) if predicted is not None else None,
        dice=dice,
        expert_source=expert.source if expert is not None else None,
        predicted_source=predicted.source if predicted is not None else None,
        predicted_notes=predicted.notes if predicted is not None else (),
    )


def mask_table(numbers: MaskNumbers) -> str:
    """The table, with whose masks they are below it."""
    head = "".join(
        f'<th scope="col">{title}</th>'
        for title in ("Region", "Expert, mL", "Predicted, mL", "Dice")
    )
    body = "".join(_row(name, numbers) for name in REGIONS)
    whose = (
        f"Expert mask: {numbers.expert_source}" if numbers.expert_source else "No expert mask",
        f"Predicted mask: {numbers.predicted_source}, no expert's work"
        if numbers.predicted_source
        else "No predicted mask yet",
        *numbers.predicted_notes,
    )
    lines = " · ".join(escape(line) for line in whose)
    return (
        f'<table class="mask-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        f'<p class="note">{lines}</p>'
    )


def progress_html(share: float, text: str) -> str:
    """How far a segmentation is."""
    return (
        f'<p class="note">{escape(text)}</p>'
        f'<progress max="1" value="{share:.3f}" aria-label="Segmentation"></progress>'
    )


def problem_html(sentence: str) -> str:
    """Why there is no mask."""
    return f'<p class="note problem" role="alert">{escape(sentence)}</p>'


def _row(name: str, numbers: MaskNumbers) -> str:
    cells = (
        _number(numbers.expert_ml, name, ".1f"),
        _number(numbers.predicted_ml, name, ".1f"),
        _number(numbers.dice, name, ".2f"),
    )
    title = escape(f"{name} · {REGIONS[name].title}")
    values = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr data-region="{name}"><th scope="row">{title}</th>{values}</tr>'


def _number(values: dict[str, float] | dict[str, float | None] | None, name: str, form: str) -> str:
    value = None if values is None else values.get(name)
    return UNKNOWN if value is None else format(value, form)
