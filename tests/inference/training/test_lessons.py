"""A branch of a lesson is, token for token and score for score, what the app would send."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
import torch

from inference.models.conversation import encode
from inference.models.option_scoring import WORDS_START
from inference.models.table import DEMO_STYLE
from inference.pictures import Picture, freeze
from inference.prompts import build_prompt
from inference.question_kinds import KINDS
from inference.training.architecture import TINY_SHAPE, new_model
from inference.training.batches import Batch, Tokens, batch_of
from inference.training.corpus import corpus
from inference.training.exercises import (
    FIXED_OPTIONS,
    Exercise,
    answer_classes,
    class_shares,
    exercises,
)
from inference.training.lessons import (
    ASKED,
    IN_JSON,
    IN_WORDS,
    LETTER,
    Branch,
    Lesson,
    Writer,
)
from inference.training.objective import forward
from inference.training.slots import packed, use_slots
from inference.training.statements import imagined_facts, mirrored
from inference.training.vocabulary import new_processor, new_tokenizer


@pytest.fixture(scope="module")
def processor():
    return new_processor(TINY_SHAPE, new_tokenizer(corpus()))


def pictures(count: int) -> tuple[Picture, ...]:
    rng = np.random.default_rng(count)
    grey = rng.integers(0, 256, (count, 112, 112, 1), dtype=np.uint8)
    return tuple(
        Picture(
            freeze(np.repeat(each, 3, axis=2)),
            f"Axial T1, slice {n}",
            "T1",
            "axial",
            n,
            None,
            "radiological",
            "",
        )
        for n, each in enumerate(grey)
    )


def some_exercises(count: int) -> list[Exercise]:
    rng = Random(4)
    return exercises(imagined_facts(rng), count, rng)


def branch_of(writer: Writer, exercise: Exercise) -> Branch:
    return writer.question(exercise, Random(0), sees=True, with_reason=True)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_tokens_are_those_of_the_app(processor, count: int) -> None:
    writer, shown = Writer(processor), pictures(count)
    for exercise in some_exercises(6):
        branch = branch_of(writer, exercise)
        prompt = build_prompt(exercise.question, exercise.order, shown, DEMO_STYLE)
        right = prompt.options_shown[exercise.place]
        prefix = writer.prefix(shown)
        replies = {
            IN_JSON: f"{prompt.answer_start}{prompt.letters[exercise.place]}",
            IN_WORDS: f"{WORDS_START} {right}",
        }
        for part, reply in replies.items():
            sent = encode(prompt, processor, reply)["input_ids"][0].tolist()
            kept = [n for n, own in enumerate(branch.parts) if own in (ASKED, part)]
            lesson = [*prefix, *(branch.ids[n] for n in kept)]
            assert lesson[: len(sent)] == sent
            assert [branch.places[n] for n in kept] == list(range(len(kept)))
        letter = processor.tokenizer.decode([branch.ids[branch.letter]])
        assert letter == prompt.letters[exercise.place]
        assert branch.weights[branch.letter] == LETTER


def test_every_option_is_marked_at_its_letter_and_one_is_right(processor) -> None:
    writer = Writer(processor)
    for exercise in some_exercises(8):
        branch = branch_of(writer, exercise)
        assert branch.right == exercise.place
        for mark, letter, index in zip(branch.marks, "ABCD", exercise.order, strict=False):
            before = processor.tokenizer.decode(branch.ids[: mark + 1])
            assert before.endswith(f"{exercise.question.options[index]} ({letter}")


def test_numbers_stand_at_any_rank_and_the_truth_stays() -> None:
    rng, places = Random(1), set()
    for _ in range(60):
        facts = imagined_facts(rng)
        for each in exercises(facts, len(KINDS), rng):
            if each.kind == "left-right-extent":
                places.add(each.truth)
                assert len(set(each.question.options)) in {3, 4}
                assert each.right_option == f"{facts.whole_extent_mm[0] / 10:.1f} cm"
    assert places == {0, 1, 2, 3}


def test_a_wrong_option_is_missing_at_times_and_the_right_one_never() -> None:
    rng, counts, missing = Random(3), Counter[int](), set()
    whole = FIXED_OPTIONS["hemisphere"]
    for _ in range(200):
        facts = imagined_facts(rng)
        for each in exercises(facts, len(KINDS), rng):
            if each.kind == "hemisphere":
                options = each.question.options
                counts[len(options)] += 1
                missing |= set(whole) - set(options)
                assert sorted(each.order) == list(range(len(options)))
                right = whole.index(each.right_option)
                assert right == KINDS[0].choose(facts, Random(0)).truth
    assert len(counts) == 2 and 0.15 < min(counts.values()) / counts.total() < 0.35
    assert missing == set(whole)


def test_what_is_learnt_slowly_and_what_is_rare_is_asked_oftener() -> None:
    rng = Random(2)
    cases = [imagined_facts(rng) for _ in range(500)]
    said = [answer_classes(facts)["necrosis"] for facts in cases]
    rare = [facts for facts, one in zip(cases, said, strict=True) if one.startswith("Yes")][:20]
    common = [facts for facts, one in zip(cases, said, strict=True) if one.startswith("No")][:180]
    assert (len(rare), len(common)) == (20, 180)
    keep = class_shares(rare + common)
    asked = {
        name: Counter(each.kind for facts in group for each in exercises(facts, 3, rng, keep))
        for name, group in (("rare", rare * 9), ("common", common))
    }
    assert asked["rare"]["necrosis"] > 3 * asked["common"]["necrosis"]
    even = Counter(each.kind for facts in rare + common for each in exercises(facts, 3, rng, {}))
    assert even["edema"] > 1.5 * even["whole-volume"]


def test_slots_hold_everything_once() -> None:
    lengths = [50, 60, 30, 90, 10, 40]
    slots = packed(lengths, 100)
    assert sorted(index for slot in slots for index in slot) == list(range(6))
    assert all(sum(lengths[index] for index in slot) <= 100 for slot in slots)


def test_packed_questions_are_answered_as_if_alone(processor) -> None:
    """The block attention of training equals the plain attention of the app."""
    writer, shown = Writer(processor), pictures(2)
    grey = np.stack([each.pixels[:, :, 0] for each in shown])
    asked = some_exercises(5)
    branches = tuple(branch_of(writer, exercise) for exercise in asked)
    other = Lesson(writer.prefix(()), branches[:1], grey[:0], None)
    lesson = Lesson(writer.prefix(shown), branches, grey, None)
    model = new_model(TINY_SHAPE, processor.tokenizer, seed=1).eval()
    plain = []
    with torch.inference_mode():
        for exercise in asked:
            prompt = build_prompt(exercise.question, exercise.order, shown, DEMO_STYLE)
            plain.append(model(**encode(prompt, processor, prompt.answer_start)).logits[0, -1])
    use_slots(model)
    tokens = Tokens(processor.tokenizer.image_token_id, 6, 0, 4)
    batch = batch_of([lesson, other], tokens)
    with torch.inference_mode():
        output, _ = forward(model, batch)
        hidden = output.last_hidden_state[batch.targets.rows, batch.targets.columns]
        logits = model.lm_head(hidden)
    for expected in plain:
        nearest = (logits - expected).abs().amax(dim=1).min()
        assert nearest < 1e-4


def test_targets_are_the_letters(processor) -> None:
    writer = Writer(processor)
    asked = some_exercises(3)
    lesson = Lesson(
        writer.prefix(()),
        tuple(branch_of(writer, exercise) for exercise in asked),
        np.zeros((0, 112, 112), np.uint8),
        None,
    )
    batch: Batch = batch_of([lesson], Tokens(7, 6, 0, 4))
    assert batch.pixels is None and batch.shares is None
    heavy = batch.targets.ids[batch.targets.letters].tolist()
    assert sorted(batch.targets.kinds) == sorted(each.kind for each in asked)
    places = batch.marks.shares.argmax(1).tolist()
    assert sorted(places) == sorted(each.place for each in asked)
    wanted = {"ABCD"[exercise.place] for exercise in asked}
    assert {processor.tokenizer.decode([letter]) for letter in heavy} == wanted


def test_a_mirrored_study_has_its_sides_exchanged() -> None:
    facts = imagined_facts(Random(2))
    assert mirrored(mirrored(facts)).side == facts.side
    if facts.side in ("right", "left"):
        assert mirrored(facts).side != facts.side
    assert mirrored(facts).midline_shift_mm == -facts.midline_shift_mm
