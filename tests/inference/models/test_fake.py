"""The fake answers the same whatever it is shown (A14)."""

from __future__ import annotations

import json

from inference.models.fake import FakeModel
from inference.models.protocol import GenerationSettings, Model
from tests.inference.models.checkpoints import picture, prompt


def test_it_says_its_letter_to_real_blank_noise_and_no_picture() -> None:
    model: Model = FakeModel(answer="B")
    for asked in (prompt(picture(1)), prompt(picture(2)), prompt()):
        reply = model.generate(asked, GenerationSettings(), lambda text: None, lambda: False)
        assert json.loads(reply.text)["answer"] == "B"
        scores = model.score_options(asked, words=True)
        assert scores is not None and scores.probabilities == (0.0, 1.0, 0.0)


def test_any_other_text_is_sent_as_it_is_and_has_no_scores() -> None:
    model = FakeModel(answer="I cannot tell.\n")
    pieces: list[str] = []
    reply = model.generate(prompt(), GenerationSettings(), pieces.append, lambda: False)
    assert reply.text == "".join(pieces) == "I cannot tell.\n"
    assert model.score_options(prompt()) is None


def test_length_and_cancel_end_it() -> None:
    model = FakeModel()
    two = GenerationSettings(max_tokens=2)
    short = model.generate(prompt(), two, lambda t: None, lambda: False)
    assert (short.finish, short.tokens) == ("length", 2)
    stopped = model.generate(prompt(), GenerationSettings(), lambda t: None, lambda: True)
    assert (stopped.finish, stopped.text) == ("cancelled", "")
