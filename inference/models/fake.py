"""A model without a network, for tests, for trying the page, and as a control.

It always answers the same letter, whatever it is shown. As a control it shows
what an answer is worth that does not come from the pictures: `fake` (the first
letter) scores what position alone scores, `fake:B` the second, and so on.
`fake:<text>` with any longer text replies that text to every question.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass

from inference.models.protocol import Cancelled, GenerationSettings, OnText
from inference.prompts import Prompt
from inference.replies import Finish, OptionScores, Reply


@dataclass(frozen=True)
class FakeModel:
    """Replies `answer`: a letter becomes the usual JSON, any other text is sent as it is."""

    name: str = "fake"
    answer: str = "A"
    card: str = "inference/models/fake.py"
    revision: str | None = None
    dtype: str | None = None
    dtype_reason: str = "computes nothing"

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        """All probability on the letter; None where the answer is no letter shown."""
        if self.answer not in prompt.letters:
            return None
        sure = tuple(float(letter == self.answer) for letter in prompt.letters)
        return OptionScores(sure, letter_mass=1.0, word_probabilities=sure if words else None)

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """The reply, word by word, so that streaming and Cancel can be tried."""
        started = time.monotonic()
        text, tokens = "", 0
        pieces = re.findall(r"\s*\S+|\s+$", self._whole_reply(prompt))
        for piece in pieces[: settings.max_tokens]:
            if cancelled():
                break
            text, tokens = text + piece, tokens + 1
            on_text(piece)
        return Reply(
            text=text,
            thinking=None,
            scores=None,
            tokens=tokens,
            seconds=time.monotonic() - started,
            model=self.name,
            revision=self.revision,
            dtype=self.dtype,
            finish=_finish(tokens, len(pieces), settings.max_tokens),
        )

    def close(self) -> None:
        """Nothing to let go of."""

    def _whole_reply(self, prompt: Prompt) -> str:
        if self.answer not in prompt.letters:
            return self.answer
        return json.dumps({"answer": self.answer, "reason": "I answer this to every question."})


def _finish(made: int, wanted: int, limit: int) -> Finish:
    if made == wanted:
        return "stop"
    return "length" if made == limit else "cancelled"
