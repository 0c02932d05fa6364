"""Numbers beside each other, none made up where there is no mask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segmentation.tables import UNKNOWN, mask_numbers, mask_table, problem_html
from tests.segmentation.studies import label_map, lump


def test_without_masks_there_are_no_numbers() -> None:
    numbers = mask_numbers(None, None)
    assert (numbers.expert_ml, numbers.predicted_ml, numbers.dice) == (None, None, None)
    table = mask_table(numbers)
    assert table.count(f"<td>{UNKNOWN}</td>") == 9 and "No expert mask" in table


def test_both_masks_are_compared() -> None:
    expert = label_map(lump() * 4)
    predicted = replace(label_map(lump() * 2), source="net@0123", notes=("a note",))
    numbers = mask_numbers(expert, predicted)
    assert numbers.dice == {"WT": 1.0, "TC": 0.0, "ET": 0.0}
    assert numbers.expert_ml == pytest.approx({"WT": 0.384, "TC": 0.384, "ET": 0.384})
    table = mask_table(numbers)
    assert "net@0123, no expert" in table and "a note" in table


def test_masks_on_other_grids_are_compared_on_the_experts() -> None:
    labels = label_map(lump() * 2)
    half = label_map((lump() * 2)[::2, ::2, ::2], spacing=2.0)
    numbers = mask_numbers(labels, half)
    assert numbers.dice is not None
    whole = numbers.dice["WT"]
    assert whole is not None and whole > 0.6


def test_what_a_file_says_is_escaped() -> None:
    labels = replace(label_map(lump() * 2), source="<script>")
    assert "<script>" not in mask_table(mask_numbers(labels, None))
    assert "<script>" not in problem_html("<script>")
