"""One picture prefix with several questions behind it, as tokens.

Encoding pictures costs most, so every question about a study follows the same
prefix as a branch of its own. A branch sees the prefix and itself, never its
neighbours, and is token for token what the app would send.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.models.conversation import prompt_text
from inference.models.option_scoring import WORDS_START
from inference.models.table import DEMO_STYLE
from inference.pictures import Picture
from inference.prompts import Message, Prompt, PromptStyle, build_prompt
from inference.questions import Question
from inference.training.exercises import Exercise, Way, reply_text
from inference.training.statements import ASK_FINDINGS

if TYPE_CHECKING:
    from transformers import Gemma3Processor

PLAIN = PromptStyle()
END = "<end_of_turn>"
PLACEHOLDER = Question("-", "-", "?", ("first", "second"), None)
"""Any question: only what stands before it in a prompt is used."""

LETTER, REASON_WORD, FIXED, WORD, FINDING = 1.0, 0.02, 0.01, 0.5, 1.0
"""Weights in the loss: of the letter token, of a token of the reason, of the JSON around
them, of an option's words together, and of the findings together."""


@dataclass(frozen=True)
class Branch:
    """Tokens after the prefix. `weights[t]` is the loss weight of predicting `ids[t]`.

    `options` are (position of the line break after an option, whether it is right).
    `start` is the position after which a letter is predicted, None where none is,
    and `telling` the tokens of the right option that no other option has.
    """

    ids: tuple[int, ...]
    weights: tuple[float, ...]
    options: tuple[tuple[int, bool], ...] = ()
    start: int | None = None
    telling: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Lesson:
    """`prefix` token ids, `pixels` uint8 (n, side, side), `regions` of them or None.

    `facts` is the `facts_vector` of what the pictures show, None where they show nothing.
    """

    prefix: tuple[int, ...]
    branches: tuple[Branch, ...]
    pixels: NDArray[np.uint8]
    regions: NDArray[np.uint8] | None
    facts: NDArray[np.float32] | None = None


class Writer:
    """Turns prompts into branches with one processor's tokens."""

    def __init__(self, processor: Gemma3Processor) -> None:
        self._processor = processor
        self._tokenizer = processor.tokenizer
        self._break = self._ids("\n")[0]

    def prefix(self, pictures: Sequence[Picture], stated: str | None) -> tuple[int, ...]:
        """Everything before the question; `stated` findings stand in for pictures."""
        return tuple(self._ids(self._split(self._prompt(pictures, stated, "?"), "?")[0]))

    def question(
        self,
        exercise: Exercise,
        pictures: Sequence[Picture],
        way: Way,
        rng: Random,
        *,
        sees: bool,
        with_reason: bool,
        style: PromptStyle = DEMO_STYLE,
    ) -> Branch:
        """A question with its reply. Without sight any option is as good: one is drawn."""
        prompt = build_prompt(exercise.question, exercise.order, (), style)
        asked = str(prompt.messages[-1].parts[-1])
        place = exercise.place if sees else rng.randrange(len(exercise.order))
        after = self._split(self._prompt(pictures, None, asked), asked)[1]
        question = self._ids("\n" + asked + after)
        options = self._option_ends(question, prompt) if sees else ()
        marked = tuple((at, p == exercise.place) for p, at in enumerate(options))
        if way == "words":
            return self._in_words(question, prompt.options_shown[place], marked)
        reply = reply_text(exercise, prompt.letters, place, sees=sees)
        branch = self._in_json(question, prompt.answer_start, reply, marked, with_reason)
        if not sees:
            return branch
        start = len(question) + len(self._ids(prompt.answer_start)) - 1
        return replace(branch, start=start, telling=self._telling(prompt.options_shown, place))

    def findings(self, pictures: Sequence[Picture], text: str) -> Branch:
        """A request to describe the findings, with the text that does."""
        after = self._split(self._prompt(pictures, None, ASK_FINDINGS), ASK_FINDINGS)[1]
        asked = self._ids("\n" + ASK_FINDINGS + after)
        said = self._ids(text + END)
        return Branch((*asked, *said), (0.0,) * len(asked) + (FINDING / len(said),) * len(said))

    def _in_words(
        self, question: list[int], option: str, marked: tuple[tuple[int, bool], ...]
    ) -> Branch:
        start = self._ids(WORDS_START)
        said = self._ids(f" {option}{END}")
        unweighted = (0.0,) * (len(question) + len(start))
        weights = (*unweighted, *(WORD / len(said),) * len(said))
        return Branch((*question, *start, *said), weights, marked)

    def _in_json(
        self,
        question: list[int],
        start: str,
        reply: str,
        marked: tuple[tuple[int, bool], ...],
        with_reason: bool,
    ) -> Branch:
        before = self._ids(start)
        rest = self._ids(reply[len(start) :] + END) if with_reason else self._ids(reply[len(start)])
        weights = (
            *(0.0,) * len(question),
            *(FIXED,) * len(before),
            LETTER,
            *(REASON_WORD,) * (len(rest) - 1),
        )
        return Branch((*question, *before, *rest), weights, marked)

    def _telling(self, options: Sequence[str], place: int) -> tuple[int, ...]:
        """Tokens of the option at `place` that stand in no other; all of its own where none do."""
        tokens = [self._ids(f" {option}") for option in options]
        others = {token for n, ids in enumerate(tokens) if n != place for token in ids}
        own = sorted(set(tokens[place]) - others)
        return tuple(own or sorted(set(tokens[place])))

    def _option_ends(self, question: list[int], prompt: Prompt) -> tuple[int, ...]:
        """Positions of the line breaks after each option: the stem's own break comes first."""
        breaks = [at for at, token in enumerate(question) if token == self._break]
        first = 2  # the break before the stem and the one after it
        return tuple(breaks[first : first + len(prompt.options_shown)])

    def _prompt(self, pictures: Sequence[Picture], stated: str | None, last: str) -> str:
        """A prompt's text whose last words are `last`, laid out by `build_prompt` itself."""
        prompt = build_prompt(PLACEHOLDER, (0, 1), pictures, PLAIN)
        parts = prompt.messages[-1].parts[:-1]
        said = (f"Findings: {stated}",) if stated is not None else ()
        message = Message("user", (*parts, *said, last))
        return prompt_text(
            Prompt((message,), prompt.letters, prompt.options_shown, prompt.order), self._processor
        )

    def _split(self, text: str, last: str) -> tuple[str, str]:
        """What stands before the line break before `last`, and what follows it."""
        at = text.rindex(last)
        return text[: at - 1], text[at + len(last) :]

    def _ids(self, text: str) -> list[int]:
        whole = text.replace("<start_of_image>", self._processor.full_image_sequence)
        ids: list[int] = self._tokenizer.encode(whole, add_special_tokens=False)
        return ids
