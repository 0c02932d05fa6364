"""What the vision tower learns alone: the answers that the pictures hold, of every sequence."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch

from inference.question_kinds import KINDS
from inference.training.architecture import TINY_SHAPE, new_model
from inference.training.batches import Tokens, batch_of
from inference.training.corpus import corpus
from inference.training.exercises import FIXED_OPTIONS, answer_classes
from inference.training.lessons import Lesson, Writer
from inference.training.looking import GRIDS, look_at
from inference.training.objective import Helpers, look_losses
from inference.training.statements import facts_vector, imagined_facts
from inference.training.vocabulary import new_processor, new_tokenizer
from tests.inference.training.test_lessons import pictures


def test_options_are_fixed_for_every_kind_but_the_lists_of_numbers() -> None:
    kinds = {kind.name for kind in KINDS}
    assert kinds - set(FIXED_OPTIONS) == {"left-right-extent", "core-dimension"}
    assert {len(options) for options in FIXED_OPTIONS.values()} == {2, 3, 4, 8}


@pytest.mark.parametrize("seed", range(8))
def test_a_look_names_the_right_option_of_every_kind_that_can_be_asked(seed: int) -> None:
    facts = imagined_facts(Random(seed))
    look = look_at(pictures(2), facts, {})
    said = answer_classes(facts)
    for (kind, options), place in zip(FIXED_OPTIONS.items(), look.answers, strict=True):
        assert (None if place < 0 else options[place]) == said.get(kind)
    assert look.sequences == (0, 0) and GRIDS not in look.sequences


def test_looking_teaches_the_vision_tower_and_leaves_the_text_tower_alone() -> None:
    processor = new_processor(TINY_SHAPE, new_tokenizer(corpus()))
    model, helpers = new_model(TINY_SHAPE, processor.tokenizer, seed=1), Helpers(TINY_SHAPE)
    writer, rng = Writer(processor), Random(5)
    lessons = []
    for count in (2, 3):
        shown, facts = pictures(count), imagined_facts(rng)
        grey = np.stack([each.pixels[:, :, 0] for each in shown])
        regions = np.zeros((count, 56, 56), np.uint8)
        look = look_at(shown, facts, {})
        prefix = writer.prefix(shown)
        lessons.append(Lesson(prefix, (), grey, regions, facts_vector(facts), look))
    batch = batch_of(lessons, Tokens(processor.tokenizer.image_token_id, 6, 0, 4))
    assert batch.looks is not None and batch.looks.owners.tolist() == [0, 0, 1, 1, 1]
    loss = look_losses(model, helpers, batch)
    assert set(loss.parts) == {"shares", "looked", "answers"}
    loss.total.backward()
    vision = [p for p in model.model.vision_tower.parameters() if p.grad is not None]
    assert vision and all(torch.isfinite(p.grad).all() for p in vision)
    assert all(p.grad is None for p in model.model.language_model.parameters())
