"""One picture prefix with several questions behind it, as tokens.

Encoding pictures costs most, so every question about a study follows the same
prefix as a branch of its own. A branch sees the prefix and itself, never its
neighbours, and is token for token what the app would send. It ends in two
replies, the JSON with a letter and the option's words, which do not see each
other either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
from inference.training.exercises import Exercise, meaning_of, reply_text
from inference.training.looking import Look

if TYPE_CHECKING:
    from transformers import Gemma3Processor

PLAIN = PromptStyle()
END = "<end_of_turn>"
PLACEHOLDER = Question("-", "-", "?", ("first", "second"), None)
"""Any question: only what stands before it in a prompt is used."""

LETTER, REASON_WORD, FIXED, WORDS = 1.0, 0.02, 0.01, 0.5
"""Weights in the loss: of the letter token, of a token of the reason, of the JSON around
them, and of an option's words together."""

ASKED, IN_JSON, IN_WORDS = 0, 1, 2
"""Parts of a branch: the question, which both replies see, and the two replies."""


@dataclass(frozen=True)
class Branch:
    """Tokens after the prefix, the question and its two replies one after the other.

    `parts[t]` says to which of the three a token belongs, `places[t]` how far
    behind the prefix it stands, `weights[t]` what predicting `ids[t]` counts.
    `letter` is the index of the letter token in the JSON. `marks` are the
    indexes of the letters that stand behind the options, `meanings` what those
    options say (`meaning_of`), and `right` the one of them that is the answer,
    None where nothing tells.
    """

    kind: str
    ids: tuple[int, ...]
    parts: tuple[int, ...]
    places: tuple[int, ...]
    weights: tuple[float, ...]
    letter: int
    marks: tuple[int, ...] = ()
    meanings: tuple[int, ...] = ()
    right: int | None = None

    @property
    def answer(self) -> int:
        """What the right option says, -1 where nothing tells or no option is marked."""
        return self.meanings[self.right] if self.right is not None and self.meanings else -1


@dataclass(frozen=True, eq=False)
class Lesson:
    """`prefix` token ids, `pixels` uint8 (n, side, side), `regions` of them or None.

    `facts` is the `facts_vector` of what the pictures show and `look` what can be read from
    them, None where they show nothing.
    """

    prefix: tuple[int, ...]
    branches: tuple[Branch, ...]
    pixels: NDArray[np.uint8]
    regions: NDArray[np.uint8] | None
    facts: NDArray[np.float32] | None = None
    look: Look | None = None


class Writer:
    """Turns prompts into branches with one processor's tokens."""

    def __init__(self, processor: Gemma3Processor) -> None:
        self._processor = processor
        self._tokenizer = processor.tokenizer
        self._break = self._ids("\n")[0]
        self._after = self._around(())[1]

    def prefix(self, pictures: Sequence[Picture], stated: str | None = None) -> tuple[int, ...]:
        """Everything before the question; `stated` findings stand in the place of pictures."""
        return tuple(self._ids(self._around(pictures, stated)[0]))

    def question(
        self,
        exercise: Exercise,
        rng: Random,
        *,
        sees: bool,
        with_reason: bool,
        with_words: bool = True,
        style: PromptStyle = DEMO_STYLE,
    ) -> Branch:
        """A question with its replies. Without sight any option is as good: one is drawn."""
        prompt = build_prompt(exercise.question, exercise.order, (), style)
        marked = style is DEMO_STYLE
        question = self._ids("\n" + str(prompt.messages[-1].parts[-1]) + self._after)
        place = exercise.place if sees else rng.randrange(len(exercise.order))
        reply = reply_text(exercise, prompt.letters, place, sees=sees)
        start = self._ids(prompt.answer_start)
        end = len(prompt.answer_start)
        rest = self._ids(reply[end:] + END if with_reason else reply[end])
        begun = self._ids(WORDS_START) if with_words else []
        said = self._ids(f" {prompt.options_shown[place]}{END}") if with_words else []
        asked, in_json, in_words = len(question), len(start) + len(rest), len(begun) + len(said)
        return Branch(
            kind=exercise.kind,
            ids=(*question, *start, *rest, *begun, *said),
            parts=(*(ASKED,) * asked, *(IN_JSON,) * in_json, *(IN_WORDS,) * in_words),
            places=(*range(asked + in_json), *range(asked, asked + in_words)),
            weights=(
                *(0.0,) * asked,
                *(FIXED,) * len(start),
                LETTER,
                *(REASON_WORD,) * (len(rest) - 1),
                *(0.0,) * len(begun),
                *(WORDS / max(1, len(said)),) * len(said),
            ),
            letter=asked + len(start),
            marks=self._marks(question, len(exercise.order)) if marked else (),
            meanings=tuple(meaning_of(each) for each in prompt.options_shown) if marked else (),
            right=exercise.place if sees else None,
        )

    def _marks(self, question: list[int], count: int) -> tuple[int, ...]:
        """Where the options' letters stand: before the bracket before each option's line break."""
        breaks = [at for at, token in enumerate(question) if token == self._break]
        first = 2  # the break before the stem and the one after it
        return tuple(at - 2 for at in breaks[first : first + count])

    def _around(self, pictures: Sequence[Picture], stated: str | None = None) -> tuple[str, str]:
        """What stands before the line break before a question, and what follows the question."""
        prompt = build_prompt(PLACEHOLDER, (0, 1), pictures, DEMO_STYLE)
        said = () if stated is None else (f"Findings: {stated}",)
        message = Message("user", (*prompt.messages[-1].parts[:-1], *said, "?"))
        text = prompt_text(
            Prompt((message,), prompt.letters, prompt.options_shown, prompt.order), self._processor
        )
        at = text.rindex("?")
        return text[: at - 1], text[at + 1 :]

    def _ids(self, text: str) -> list[int]:
        whole = text.replace("<start_of_image>", self._processor.full_image_sequence)
        ids: list[int] = self._tokenizer.encode(whole, add_special_tokens=False)
        return ids
