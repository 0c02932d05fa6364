"""A reply while it comes in from a server, line by line."""

from __future__ import annotations

from collections.abc import Callable

from inference.models.protocol import OnText
from inference.models.server_errors import Sent, broken_off, no_choice, reported
from inference.models.server_replies import Piece, piece_of
from inference.replies import Finish

FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length"}
"""The servers' words for why a reply ended; any other is an end like "stop"."""


class Incoming:
    """What has come so far. `finish` is "error" until the server says why it ended.

    `tokens` is the server's own count where it gives one, else the pieces.
    """

    def __init__(self, on_text: OnText, without_key: Callable[[str], str]) -> None:
        self.text = ""
        self.thinking = ""
        self.tokens = 0
        self.finish: Finish = "error"
        self._on_text = on_text
        self._without_key = without_key
        self._done = False

    def take(self, line: str, sent: Sent) -> None:
        """Add what one line of the stream says; an error that it reports is raised in words."""
        piece = piece_of(line)
        if piece is None:
            return
        if piece.error:
            raise reported(self._without_key(piece.error), sent)
        self._done = self._done or piece.done
        self._add(piece)
        if piece.finish:
            self.finish = FINISHES.get(piece.finish, "stop")

    def _add(self, piece: Piece) -> None:
        self.thinking += piece.thinking
        if piece.text:
            self.text += piece.text
            self._on_text(piece.text)
        if piece.tokens is not None:
            self.tokens = piece.tokens
        elif piece.text or piece.thinking:
            self.tokens += 1

    def ended(self, sent: Sent) -> None:
        """The stream is over: raises where it ended too early or held nothing at all."""
        if self.finish != "error":
            return
        if not self._done:
            raise broken_off(sent)
        if not self.text and not self.thinking:
            raise no_choice(sent)
        self.finish = "stop"
