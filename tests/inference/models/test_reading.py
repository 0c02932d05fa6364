"""What is shared between asks changes nothing but the time they take."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from inference.models.chat_vlm import ChatVlm
from inference.models.conversation import encode
from inference.models.prefixes import PrefixStore
from inference.models.protocol import GenerationSettings, ManyScorer, score_together
from inference.models.reading import PlainReader, PrefixReader
from inference.models.splitting import split, tail_ids
from inference.prompts import Prompt
from tests.inference.models.checkpoints import picture, prompt

STEMS = ("Which side is it?", "Is it on the right side or the left, or on both sides of it?")
ORDERS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def prompts(*seeds: int) -> list[Prompt]:
    """Two questions in three orders about the same pictures; they differ in length."""
    shown = [picture(seed, side=112 if seed % 2 else 168) for seed in seeds]
    return [prompt(*shown, stem=stem, order=order) for stem in STEMS for order in ORDERS]


def plain(model: ChatVlm) -> ChatVlm:
    """The same network, shown every prompt whole."""
    assert isinstance(model.reader, PrefixReader)
    return replace(model, reader=model.reader.plain)


def numbers(scores: Any) -> list[float]:
    return [*scores.probabilities, *(scores.word_probabilities or ())]


def passes(model: ChatVlm) -> list[bool]:
    """Whether each later pass of the network gets pictures."""
    seen: list[bool] = []

    def note(module: Any, arguments: Any, inputs: dict[str, Any]) -> None:
        seen.append(inputs.get("pixel_values") is not None)

    model.network.register_forward_pre_hook(note, with_kwargs=True)
    return seen


@pytest.mark.parametrize("seeds", [(), (1,), (1, 2, 3)], ids=["none", "one", "three"])
def test_many_at_once_equal_one_by_one_sent_whole(any_vlm: ChatVlm, seeds: tuple[int, ...]) -> None:
    asked = prompts(*seeds)
    together = score_together(any_vlm, asked, words=True)
    for scores, each in zip(together, asked, strict=True):
        alone = plain(any_vlm).score_options(each, words=True)
        assert scores is not None and alone is not None
        assert numbers(scores) == pytest.approx(numbers(alone), abs=1e-4)
        assert scores.letter_mass == pytest.approx(alone.letter_mass, abs=1e-4)
        best = scores.probabilities.index(max(scores.probabilities))
        assert best == alone.probabilities.index(max(alone.probabilities))


def test_replies_behind_a_prefix_are_the_plain_ones(any_vlm: ChatVlm) -> None:
    settings = GenerationSettings(max_tokens=12)
    for each in prompts(1, 2)[::4]:
        any_vlm.score_options(each)
        replies = [
            model.generate(each, settings, lambda text: None, lambda: False).text
            for model in (any_vlm, plain(any_vlm), any_vlm)
        ]
        assert replies[0] == replies[1] == replies[2]


def test_pictures_are_encoded_once(any_vlm: ChatVlm) -> None:
    seen = passes(any_vlm)
    asked = prompts(1, 2)
    any_vlm.score_many(asked)
    any_vlm.score_options(asked[0], words=True)
    any_vlm.generate(asked[1], GenerationSettings(max_tokens=3), lambda text: None, lambda: False)
    assert seen.count(True) == 1
    any_vlm.score_options(prompt(picture(9)))
    assert seen.count(True) == 2


def test_questions_about_different_pictures_keep_their_places(any_vlm: ChatVlm) -> None:
    asked = [prompt(picture(1)), prompt(picture(2)), prompt(), prompt(picture(1), stem=STEMS[1])]
    together = score_together(any_vlm, asked)
    for scores, each in zip(together, asked, strict=True):
        alone = any_vlm.score_options(each)
        assert scores is not None and alone is not None
        assert scores.probabilities == pytest.approx(alone.probabilities, abs=1e-5)


def test_both_parts_are_the_whole_token_for_token(any_vlm: ChatVlm) -> None:
    for each in prompts(1, 2):
        for begun in ("", each.answer_start, each.answer_start + "A"):
            parts = split(each, any_vlm.processor, begun)
            assert parts is not None
            ids = tail_ids(parts.tail, any_vlm.processor, after_picture=True)
            whole = encode(each, any_vlm.processor, begun)["input_ids"][0].tolist()
            assert whole[-len(ids) :] == ids


def test_a_prompt_that_cannot_be_split_is_sent_whole(
    gemma3: ChatVlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = gemma3.score_options(prompt(picture(1)))
    monkeypatch.setattr("inference.models.reading.tail_ids", lambda *a, **k: [5, 6])
    assert isinstance(gemma3.reader, PrefixReader)
    gemma3.reader.store.clear()
    whole = gemma3.score_options(prompt(picture(1)))
    assert usual is not None and whole is not None
    assert whole.probabilities == pytest.approx(usual.probabilities, abs=1e-5)


def test_only_the_newest_prefixes_are_kept(gemma3: ChatVlm) -> None:
    assert isinstance(gemma3.reader, PrefixReader)
    one = [prompt(picture(seed)) for seed in (1, 3, 5)]
    gemma3.score_options(one[0])
    a_prefix = gemma3.reader.store._bytes()
    reader = PrefixReader(gemma3.reader.plain, PrefixStore(2 * a_prefix))
    keys = [parts.key for each in one if (parts := split(each, gemma3.processor))]
    replace(gemma3, reader=reader).score_many(one)
    assert [key in reader.store for key in keys] == [False, True, True]


def test_a_plain_model_is_asked_one_by_one(gemma3: ChatVlm) -> None:
    class OneByOne:
        score_options = gemma3.score_options

    assert not isinstance(OneByOne(), ManyScorer)
    assert len(score_together(OneByOne(), prompts(1)[:2])) == 2  # type: ignore[arg-type]


def test_a_closed_reader_holds_no_network(gemma3: ChatVlm) -> None:
    assert isinstance(gemma3.reader, PrefixReader) and isinstance(gemma3.reader.plain, PlainReader)
    gemma3.score_options(prompt(picture(1)))
    gemma3.close()
    assert gemma3.network is None and not gemma3.reader.store._kept
