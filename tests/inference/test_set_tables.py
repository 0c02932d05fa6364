"""Tables and patterns over records whose outcome is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inference.answer_sets import Arm, Selection, answers_of, truth_of
from inference.batch import Progress
from inference.orders import cyclic_orders
from inference.parsing import Answer
from inference.patterns import PATTERNS, Choice, find
from inference.records import Record
from inference.set_cards import (
    accuracy_card,
    behaviour_card,
    difference_card,
    pattern_card,
    run_card,
)
from inference.set_charts import accuracy_chart, calibration_chart
from inference.set_tables import (
    accuracies,
    baselines,
    calibration_of,
    difference,
    floors,
    order_agreement,
    where_answers_stand,
)
from inference.set_verdicts import verdict_shares
from tests.inference.stated_records import made

RIGHT, WRONG = (0.05, 0.85, 0.05, 0.05), (0.9, 0.04, 0.03, 0.03)
PICTURE = Arm("m", "montage", "original")
TEXT = Arm("m", "text-only", "original")
TURNED = Arm("m", "montage", "cyclic-1")


def record(arm: Arm, question: str, p: tuple[float, ...] | None, **changes: object) -> Record:
    order = cyclic_orders(4)[1] if arm.ordering == "cyclic-1" else (0, 1, 2, 3)
    stated = made(p, order, question_id=question, representation=arm.representation)
    return replace(stated, ordering=arm.ordering, **changes)  # type: ignore[arg-type]


def records() -> list[Record]:
    pictures = [RIGHT, RIGHT, WRONG, WRONG, None]
    texts = [RIGHT, WRONG, RIGHT, WRONG, WRONG]
    turned = [RIGHT, WRONG, WRONG, WRONG, WRONG]
    return [
        record(arm, f"q{number}", p)
        for arm, given in ((PICTURE, pictures), (TEXT, texts), (TURNED, turned))
        for number, p in enumerate(given)
    ]


ANSWERS = answers_of(records(), Selection())


def picked(name: str, second: Arm | None = None) -> list[str]:
    return [each.question_id for each in find(PATTERNS[name], ANSWERS, Choice(PICTURE, second))]


def test_accuracy_counts_the_unread_as_not_right() -> None:
    rows = {row.arm: row for row in accuracies(ANSWERS)}
    assert (rows[PICTURE].right.hits, rows[PICTURE].right.of, rows[PICTURE].unread) == (2, 5, 1)
    assert rows[PICTURE].right.low < 0.4 < rows[PICTURE].right.high


def test_floors_and_baselines_stand_beside_it() -> None:
    found = floors(ANSWERS, "m", "original")
    assert found["text-only"].share == pytest.approx(0.4)
    assert "blank" not in found
    base = baselines(ANSWERS, "original")
    assert (base.chance, base.majority) == (0.25, 1.0)  # every truth stands second


def test_a_newer_record_takes_the_place_and_ablated_or_failed_ones_do_not_count() -> None:
    old, new = record(PICTURE, "q", WRONG), record(PICTURE, "q", RIGHT)
    others = [
        record(PICTURE, "q", WRONG, ablation="blank"),
        record(PICTURE, "q", WRONG, finish="error"),
    ]
    answers = answers_of([old, new, *others], Selection())
    assert answers[PICTURE]["S-1", "q"] is new
    assert answers_of([new], Selection(cases=("S-2",))) == {}
    assert answers_of([new], Selection(categories=("size",))) == {}
    assert answers_of([new], Selection(free=True)) == {}


def test_masks_and_own_slices_are_not_mixed_with_the_plain_pictures() -> None:
    plain = record(PICTURE, "q", RIGHT)
    masked = record(PICTURE, "q", WRONG, mask="seg.nii.gz")
    own = record(PICTURE, "q", WRONG, slices={**plain.slices, "source": "user"})
    text = record(TEXT, "q", WRONG, slices={**plain.slices, "source": "user"})
    answers = answers_of([plain, masked, own, text], Selection())
    assert answers[PICTURE]["S-1", "q"] is plain
    assert answers[TEXT]["S-1", "q"] is text
    names = [arm.representation for arm in answers]
    assert names == ["montage", "montage + masks", "montage at own slices", "text-only"]


def test_ablations_count_where_they_are_named_and_stand_apart() -> None:
    plain = record(PICTURE, "q", RIGHT)
    turned = record(PICTURE, "q", WRONG, ablation="mirrored")
    other = record(PICTURE, "q", WRONG, ablation="wrong-study:S-2")
    without = record(PICTURE, "q", WRONG, ablation="without:T1")
    every = [plain, turned, other, without]
    assert list(answers_of(every, Selection())) == [PICTURE]
    answers = answers_of(every, Selection(ablations=("mirrored", "wrong-study", "without:T1c")))
    names = [arm.representation for arm in answers]
    assert names == ["montage", "montage, mirrored", "montage, wrong-study"]
    assert [arm.ablated for arm in answers] == [False, True, True]
    assert answers[PICTURE]["S-1", "q"] is plain


def test_of_a_mirrored_picture_the_other_side_is_the_truth() -> None:
    sides = {"options": ("Left", "Right", "Both", "Neither")}
    plain, mirrored = (
        record(PICTURE, "q", RIGHT, ablation=ablation, **sides) for ablation in (None, "mirrored")
    )
    assert plain.truth == 1
    assert (truth_of(plain), truth_of(mirrored)) == (1, 0)
    nowhere = replace(mirrored, options=("Both", "Right", "Neither", "Midline"))
    assert truth_of(nowhere) is None
    answers = answers_of([plain, mirrored], Selection(ablations=("mirrored",)))
    first, second = where_answers_stand(answers)
    assert (first.truths["B"], second.truths["A"]) == (1.0, 1.0)
    under = Arm("m", "montage, mirrored", "original")
    left_out = answers_of([plain, nowhere], Selection(ablations=("mirrored",)))
    assert [row.arm for row in accuracies(left_out)] == [PICTURE]
    assert difference(left_out, PICTURE, under) is None


def test_a_side_that_does_not_turn_with_the_picture_is_counted() -> None:
    sides = {"options": ("Left hemisphere", "Right hemisphere", "Both", "Neither")}
    said = {"q1": (RIGHT, (0.85, 0.05, 0.05, 0.05)), "q2": (RIGHT, RIGHT)}
    asked = [
        record(arm, question, p, ablation=ablation, **sides)
        for question, (plain, mirrored) in said.items()
        for arm in (PICTURE, TURNED)
        for ablation, p in ((None, plain), ("mirrored", mirrored))
    ]
    (row,) = verdict_shares(answers_of(asked, Selection(ablations=("mirrored",))))
    share = row.shares["laterality-flipped"]
    assert share is not None and (share.hits, share.of) == (1, 2)
    (row,) = verdict_shares(answers_of(asked, Selection()))
    assert row.shares["laterality-flipped"] is None


def test_a_free_reply_is_as_sure_as_the_option_that_it_names() -> None:
    reply = Answer(0, "Left", "answered", "words")
    free = record(PICTURE, "q", RIGHT, answer=reply, score="wrong")
    found = calibration_of(answers_of([free], Selection()), PICTURE)
    assert found is not None and found.bins[0].sure == pytest.approx(0.05)
    answers = answers_of([free], Selection())
    assert find(PATTERNS["confident and wrong"], answers, Choice(PICTURE)) == ()


def test_paired_differences_and_agreement_of_orders() -> None:
    found = difference(ANSWERS, PICTURE, TEXT)
    assert found is not None
    assert (found.both, found.only_first, found.only_second, found.neither) == (1, 1, 1, 2)
    (agreement,) = order_agreement(ANSWERS)
    assert (agreement.steady.hits, agreement.steady.of, agreement.pairwise) == (3, 4, 0.75)


def test_verdicts_are_counted_over_questions_and_need_two_orders() -> None:
    arms = [Arm("m", "blank", ordering) for ordering in ("original", "cyclic-1")]
    same = {"q0": RIGHT, "q1": RIGHT}  # q1 turns to another answer in the other order
    blanks = [record(arm, question, p) for arm in arms for question, p in same.items()]
    answers = answers_of([*records(), *blanks], Selection())
    (row,) = verdict_shares(answers)
    assert (row.model, row.representation) == ("m", "montage")
    counts = {name: (s.hits, s.of) for name, s in row.shares.items() if s is not None}
    assert counts == {
        "image-blind": (1, 2), "picture-driven": (0, 2), "position-biased": (1, 4),
    }  # fmt: skip
    html = behaviour_card(answers)
    assert "1 of 4 (25 %" in html and "in every order asked" in html
    (alone,) = verdict_shares(answers_of(records(), Selection()))
    assert alone.shares["image-blind"] is None
    assert "cannot be told" in behaviour_card(answers_of(records(), Selection()))


def test_positions_count_shown_places() -> None:
    rows = {row.arm: row for row in where_answers_stand(ANSWERS)}
    assert rows[TEXT].answers == {"A": 0.6, "B": 0.4, "C": 0.0, "D": 0.0}
    # Turned by one place, the option of index 0 stands last and that of index 1 first.
    assert rows[TURNED].answers == {"A": 0.2, "B": 0.0, "C": 0.0, "D": 0.8}
    assert rows[TURNED].truths["A"] == 1.0


def test_calibration_leaves_out_what_has_no_probabilities() -> None:
    found = calibration_of(ANSWERS, PICTURE)
    assert found is not None and found.count == 4
    assert calibration_of(ANSWERS, Arm("m", "volume", "original")) is None


def test_patterns_pick_their_questions() -> None:
    assert picked("A right, B wrong", TEXT) == ["q1"]
    assert picked("right only without the picture") == ["q2"]
    assert picked("changed by order") == ["q1"]
    assert picked("confident and wrong") == ["q2", "q3"]
    assert picked("unparsed") == ["q4"]
    assert picked("wrong") == ["q2", "q3"]


def test_the_cards_say_so_and_link_to_the_case() -> None:
    html = pattern_card(ANSWERS, "A right, B wrong", Choice(PICTURE, TEXT))
    assert 'href="?study=S-1&amp;question=q1"' in html
    assert "1 of 5 questions" in html
    assert "2 of 5 (few)" in accuracy_card(ANSWERS)
    assert "3 of 4 questions" in behaviour_card(ANSWERS)
    assert "a small number" in difference_card(ANSWERS, PICTURE, TEXT)
    assert difference_card(ANSWERS, PICTURE, None) == ""
    assert "press Run" in accuracy_card({})
    assert "starting" in run_card(None, "starting")
    half_way = Progress(wanted=20, asked=10, seconds=5.0)
    assert "about 5 s left" in run_card(half_way, "asking")
    assert "left" not in run_card(half_way, "stopped", running=False)


def test_charts_are_drawn_with_floors_on_them() -> None:
    rows = [row for row in accuracies(ANSWERS) if row.arm.ordering == "original"]
    figure = accuracy_chart(
        rows, floors(ANSWERS, "m", "original"), baselines(ANSWERS, "original"), "m"
    )
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["text-only 40% (n=5)", "majority position 100%", "chance 25%"]
    found = calibration_of(ANSWERS, PICTURE)
    assert found is not None
    base, floor = baselines(ANSWERS, "original"), floors(ANSWERS, "m", "original")
    curve = calibration_chart(found, {**floor, "blank": floor["text-only"]}, base, "m")
    texts = [text.get_text() for text in curve.legends[0].get_texts()]
    assert set(labels) < set(texts)
    for drawn in (figure, curve):
        drawn.draw_without_rendering()
        legend = drawn.legends[0].get_window_extent()
        assert legend.y1 <= drawn.axes[0].get_window_extent().y0  # it covers no bar and no point
        assert drawn.bbox.x0 <= legend.x0 and legend.x1 <= drawn.bbox.x1
