"""What every loaded model says of itself, said once."""

from __future__ import annotations

import time
from dataclasses import dataclass

from inference.models.entries import ModelEntry
from inference.replies import Finish, Reply
from inference.reply_text import split_thinking


@dataclass(frozen=True)
class About:
    """Who is asked. The fields are those of `protocol.Model`."""

    name: str
    revision: str | None
    dtype: str | None
    dtype_reason: str
    card: str


class Described:
    """A model with an `about`; gives what `protocol.Model` asks for of it."""

    about: About

    @property
    def name(self) -> str:
        """The name it was asked for by."""
        return self.about.name

    @property
    def revision(self) -> str | None:
        """Which weights exactly."""
        return self.about.revision

    @property
    def dtype(self) -> str | None:
        """Number format it computes in."""
        return self.about.dtype

    @property
    def dtype_reason(self) -> str:
        """Why that format."""
        return self.about.dtype_reason

    @property
    def card(self) -> str:
        """Where its card is."""
        return self.about.card

    def reply(
        self,
        text: str,
        started: float,
        tokens: int,
        finish: Finish,
        thinking: str | None = None,
        error: str | None = None,
    ) -> Reply:
        """A reply of this model; `started` is what `time.monotonic` said when it was asked.

        `thinking` is what a server sent apart; else it is read from the text.
        """
        return Reply(
            text=text,
            thinking=thinking or split_thinking(text).thinking,
            scores=None,
            tokens=tokens,
            seconds=time.monotonic() - started,
            model=self.name,
            revision=self.revision,
            dtype=self.dtype,
            finish=finish,
            error=error,
        )


def about(entry: ModelEntry, revision: str | None, dtype: str | None, reason: str) -> About:
    """A row and what its load found out."""
    return About(entry.name, revision, dtype, reason, entry.card)
