"""What the Compare page says, from cells and records that are known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inference.ablation_summary import (
    Summary,
    evidence_of,
    records_of,
    summaries,
    verdicts_of,
)
from inference.choices import Choices, cyclic_names
from inference.comparison import Cell, Filled, grid
from inference.comparison_cards import (
    ablation_table,
    evidence_card,
    grid_card,
    pair_card,
    progress_values,
    stored_picture,
    verdict_card,
)
from inference.evidence import Gap, Sensitivity
from inference.orders import cyclic_orders
from tests.inference.stated_records import always_first, made

SURE, OTHER = (0.9, 0.05, 0.03, 0.02), (0.05, 0.9, 0.03, 0.02)
CHOICES = Choices("S-1", "q1", "montage", "fake")
NAMES = cyclic_names(4)
CELLS = grid(CHOICES, ["fake"], ["montage", "blank"], NAMES)


def filled(
    cell: Cell, probabilities: tuple[float, ...] | None, problem: str = "", **changes: object
) -> Filled:
    if problem:
        return Filled(cell, None, problem)
    order = cyclic_orders(4)[NAMES.index(cell.choices.order)]
    record = made(probabilities, order, **changes)  # type: ignore[arg-type]
    return Filled(cell, replace(record, representation=cell.choices.representation))


def whole_grid(blank: tuple[float, ...] = SURE) -> dict[Cell, Filled]:
    return {
        cell: filled(cell, blank if cell.choices.representation == "blank" else SURE)
        for cell in CELLS
    }


def test_cells_wait_fill_and_fail_each_in_words() -> None:
    done = {CELLS[0]: filled(CELLS[0], SURE), CELLS[1]: filled(CELLS[1], None, "no <room>")}
    html = grid_card("S-1 · Where?", CELLS, done, True, "fake: loading")
    assert html.count('data-state="queued"') == 6
    assert "not asked: no &lt;room&gt;" in html
    assert "2 of 8 · fake: loading" in html
    assert "90 %" in html and "wrong" in html
    assert 'data-cell="0"' in html and 'data-cell="7"' in html


def test_the_truth_stays_hidden_where_it_is_not_shown() -> None:
    html = grid_card("", CELLS, whole_grid(), False, "")
    assert "wrong" not in html and "right" not in html


def test_a_row_has_its_verdicts_and_calls_small_numbers_few() -> None:
    blind = grid_card("", CELLS, whole_grid(), True, "")
    assert "image-blind (few)" in blind and "picture-driven (few)" not in blind
    driven = grid_card("", CELLS, whole_grid(OTHER), True, "")
    assert "picture-driven (few)" in driven and "image-blind (few)" not in driven
    one = {CELLS[0]: filled(CELLS[0], SURE), CELLS[4]: filled(CELLS[4], SURE)}
    assert "(few)" not in grid_card("", CELLS, one, True, "")


def test_a_single_order_says_why_it_has_no_verdict() -> None:
    cells = grid(CHOICES, ["fake"], ["montage", "blank"], ["original"])
    html = grid_card("", cells, {cell: filled(cell, SURE) for cell in cells}, True, "")
    assert html.count("cannot be told: asked in 1 of at least 2 orders") == 2
    assert "cannot be told" not in grid_card("", cells, {}, True, "")
    assert "cannot be told" not in grid_card("", CELLS, whole_grid(), True, "")


def test_reused_cells_are_counted() -> None:
    done = {cell: replace(one, reused=True) for cell, one in whole_grid().items()}
    assert "8 of 8 were asked before" in grid_card("", CELLS, done, True, "")


def test_two_cells_side_by_side(tmp_path: Path) -> None:
    one, other = filled(CELLS[0], SURE), filled(CELLS[4], OTHER)
    html = pair_card(one, other, stored_picture(tmp_path))
    assert "+85.0" in html and "-85.0" in html
    assert "total variation 0.850" in html
    assert "No picture was sent." in html
    assert pair_card(one, None, stored_picture(tmp_path)) == ""
    bare = filled(CELLS[4], None)
    assert "not available" in pair_card(one, bare, stored_picture(tmp_path))


ABLATED = tuple(
    Cell(replace(CHOICES, order=order), name)
    for name in (None, "blank", "mirrored", "without:T1", "without:FLAIR", "finding-as-text")
    for order in NAMES
)


def all_filled() -> list[Filled]:
    posteriors = {None: SURE, "without:FLAIR": (0.4, 0.5, 0.05, 0.05), "finding-as-text": OTHER}
    return [filled(cell, posteriors.get(cell.ablation, SURE)) for cell in ABLATED]


def test_rows_of_ablations_are_averaged_over_the_orders() -> None:
    rows = {row.name: row for row in summaries(ABLATED, all_filled())}
    assert list(rows) == ["as it is", "cyclic orders", "blank", "mirrored", "without T1",
                          "without FLAIR", "finding-as-text"]  # fmt: skip
    flair = rows["without FLAIR"]
    assert (flair.same, flair.paired, flair.asked) == (0, 4, 4)
    assert flair.distance == pytest.approx(0.5)
    assert flair.truth == pytest.approx(0.5)
    assert (rows["blank"].same, rows["blank"].distance) == (4, 0.0)
    assert rows["as it is"].distance is None
    assert all(row.about for row in rows.values())
    assert rows["as it is"].about.endswith(": fake, montage")
    masked = [Cell(replace(CHOICES, include_masks=True, slice_from="user"))]
    about = summaries(masked, [filled(masked[0], SURE)])[0].about
    assert about.endswith(": fake, montage, masks included, slices by user")


def test_orders_are_compared_with_the_order_of_the_file() -> None:
    plain = [Cell(replace(CHOICES, order=name)) for name in NAMES]
    again = Cell(CHOICES, "reshuffled")
    first = [replace(filled(cell, None), record=record)
             for cell, record in zip(plain, always_first(), strict=True)]  # fmt: skip
    shuffled = Filled(again, made((0.01, 0.01, 0.97, 0.01), (2, 1, 0, 3)))
    rows = {row.name: row for row in summaries([*plain, again], [*first, shuffled])}
    # Always the first option shown: another answer in each order, 0.96 of the mass moves.
    cyclic, reshuffled = rows["cyclic orders"], rows["reshuffled"]
    assert (cyclic.asked, cyclic.same, cyclic.paired) == (3, 0, 3)
    assert cyclic.distance == pytest.approx(0.96)
    assert (reshuffled.same, reshuffled.paired) == (0, 1)
    assert reshuffled.distance == pytest.approx(0.96)
    assert "in the file's order" in cyclic.about


def test_a_mirrored_picture_has_the_other_side_as_its_right_answer() -> None:
    sides = ("Right hemisphere", "Left hemisphere", "Both", "Neither")  # the truth is the left
    cells = [Cell(replace(CHOICES, order=name), what)
             for what in (None, "mirrored") for name in NAMES]  # fmt: skip

    def rows_of(**changes: object) -> list[Summary]:
        rows = summaries(cells, [filled(cell, SURE, **changes) for cell in cells])
        return [row for row in rows if row.name in {"as it is", "mirrored"}]

    plain, mirrored = rows_of(options=sides)
    assert (plain.right, mirrored.right) == (0, 4)
    assert (plain.truth, mirrored.truth) == (pytest.approx(0.05), pytest.approx(0.9))
    plain, mirrored = rows_of(options=("1 cm", "2 cm", "3 cm", "4 cm"))
    assert (plain.right, mirrored.right) == (0, 0)
    plain, mirrored = rows_of(options=("Yes", "No", "Partly", "Never"), stem="Is it in the left?")
    assert (plain.right, mirrored.right, mirrored.truth) == (0, None, None)
    html = ablation_table("", [mirrored], True, progress_values(8, 8, ""))
    assert "cannot be told" in html


def test_a_change_too_small_to_be_shown_has_no_sign_of_its_own() -> None:
    html = evidence_card(
        (Sensitivity("T1", 0.01, -0.001, 4),), Gap(0.301, 0.3, 0.01), truth_shown=True
    )
    assert "+0.00 nats" in html and "+0 points" in html


def test_waiting_and_failed_rows_say_so() -> None:
    some = [*all_filled()[:4], *(filled(cell, None, "too many") for cell in ABLATED[4:8])]
    rows = summaries(ABLATED, some)
    html = ablation_table("S-1", rows, True, progress_values(8, 24, "fake"))
    assert "not asked: too many" in html
    assert html.count("queued") == 4  # the orders of the plain ask are there
    assert "8 of 24 · fake" in html


def test_verdicts_and_evidence_come_with_their_definitions() -> None:
    records = records_of(all_filled())
    verdicts = {verdict.name: verdict for verdict in verdicts_of(records)}
    assert verdicts["image-blind"].holds
    assert verdicts["position-biased"].holds is False
    card = verdict_card(list(verdicts.values()))
    assert card.count("small number: 4") == 4
    assert verdicts["laterality-flipped"].holds
    found, gap = evidence_of(records)
    assert [each.evidence for each in found] == ["FLAIR", "T1"]
    assert gap is not None and gap.difference == pytest.approx(0.85)
    html = evidence_card(found, gap, truth_shown=True)
    assert "Discrepancy across sequences: 0.500" in html and "arXiv 2602.21950" in html
    assert "nats" not in evidence_card(found, gap, truth_shown=False)
    assert evidence_card((), None, truth_shown=True) == ""
