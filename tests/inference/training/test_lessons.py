"""A branch of a lesson is, token for token and score for score, what the app would send."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch

from inference.models.conversation import encode
from inference.models.table import DEMO_STYLE
from inference.pictures import Picture, freeze
from inference.prompts import build_prompt
from inference.training.architecture import TINY_SHAPE, new_model
from inference.training.batches import Batch, Tokens, batch_of
from inference.training.corpus import corpus
from inference.training.exercises import Exercise, exercises
from inference.training.lessons import Branch, Lesson, Writer
from inference.training.objective import forward
from inference.training.slots import packed, use_slots
from inference.training.statements import findings_text, imagined_facts, mirrored
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


def branch_of(writer: Writer, exercise: Exercise, shown: tuple[Picture, ...]) -> Branch:
    return writer.question(exercise, shown, "letter", Random(0), sees=True, with_reason=True)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_tokens_are_those_of_the_app(processor, count: int) -> None:
    writer, shown = Writer(processor), pictures(count)
    for exercise in some_exercises(6):
        branch = branch_of(writer, exercise, shown)
        prompt = build_prompt(exercise.question, exercise.order, shown, DEMO_STYLE)
        sent = encode(prompt, processor, prompt.answer_start)["input_ids"][0].tolist()
        lesson = [*writer.prefix(shown, None), *branch.ids]
        assert lesson[: len(sent)] == sent
        letter = processor.tokenizer.decode([lesson[len(sent)]])
        assert letter == prompt.letters[exercise.place]
        assert branch.weights[len(sent) - len(writer.prefix(shown, None))] == 1.0


def test_every_option_is_marked_at_its_end_and_one_is_right(processor) -> None:
    writer = Writer(processor)
    for exercise in some_exercises(8):
        branch = branch_of(writer, exercise, ())
        assert [right for _, right in branch.options].count(True) == 1
        for (at, right), index in zip(branch.options, exercise.order, strict=True):
            before = processor.tokenizer.decode(branch.ids[:at])
            assert before.endswith(exercise.question.options[index])
            assert right == (index == exercise.truth)


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
    branches = tuple(branch_of(writer, exercise, shown) for exercise in asked)
    other = Lesson(writer.prefix((), "Side: left."), branches[:1], grey[:0], None)
    lesson = Lesson(writer.prefix(shown, None), branches, grey, None)
    model = new_model(TINY_SHAPE, processor.tokenizer, seed=1).eval()
    plain = []
    with torch.inference_mode():
        for exercise in asked:
            prompt = build_prompt(exercise.question, exercise.order, shown, DEMO_STYLE)
            plain.append(model(**encode(prompt, processor, prompt.answer_start)).logits[0, -1])
    use_slots(model)
    tokens = Tokens(processor.tokenizer.image_token_id, 6, 0, 8, 2000)
    batch = batch_of([lesson, other], tokens)
    with torch.inference_mode():
        hidden = forward(model, batch).last_hidden_state[batch.rows, batch.columns]
        logits = model.lm_head(hidden)
    for expected in plain:
        nearest = (logits - expected).abs().amax(dim=1).min()
        assert nearest < 1e-4


def test_targets_are_the_letters(processor) -> None:
    writer = Writer(processor)
    asked = some_exercises(3)
    lesson = Lesson(
        writer.prefix((), findings_text(imagined_facts(Random(1)))),
        tuple(branch_of(writer, exercise, ()) for exercise in asked),
        np.zeros((0, 112, 112), np.uint8),
        None,
    )
    batch: Batch = batch_of([lesson], Tokens(7, 6, 0, 8, 2000))
    assert batch.pixels is None and batch.patches is None
    heavy = batch.targets[batch.weights == 1.0].tolist()
    wanted = {"ABCD"[exercise.place] for exercise in asked}
    assert {processor.tokenizer.decode([letter]) for letter in heavy} == wanted


def test_a_mirrored_study_has_its_sides_exchanged() -> None:
    facts = imagined_facts(Random(2))
    assert mirrored(mirrored(facts)).side == facts.side
    if facts.side in ("right", "left"):
        assert mirrored(facts).side != facts.side
    assert mirrored(facts).midline_shift_mm == -facts.midline_shift_mm
