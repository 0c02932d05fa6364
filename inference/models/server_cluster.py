"""Several servers of one model, asked as one: what is about one picture goes to one of them.

A server that cannot be reached is set aside and said; its prompts go to the
others. Records name all addresses, so that a run which is begun again with the
same servers finds its answers, whichever of them had given them.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from inference.models.entries import ModelEntry
from inference.models.protocol import Cancelled, GenerationSettings, OnText
from inference.models.server import ServerModel, check_server
from inference.models.server_address import VARIABLES, ServerAddress, server_address
from inference.models.server_errors import ServerGone
from inference.models.server_link import ServerLink
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply
from viewer.errors import UserError

T = TypeVar("T")
Say = Callable[[str], None]


@dataclass(eq=False)
class ServerCluster:
    """One model behind several servers; `say` is told of each that is set aside."""

    members: tuple[ServerModel, ...]
    say: Say = lambda text: None
    dtype: str | None = None
    dtype_reason: str = "chosen by the servers"
    _gone: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """The name it was asked for by."""
        return self.members[0].name

    @property
    def revision(self) -> str | None:
        """The addresses of all servers: two clusters' answers are never taken for one."""
        return self.members[0].revision

    @property
    def card(self) -> str:
        """Where they listen."""
        return ", ".join(member.card for member in self.members)

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        """By one server."""
        return self._asked(prompt, lambda one: one.score_options(prompt, words=words))

    def score_many(
        self, prompts: Sequence[Prompt], *, words: bool = False
    ) -> list[OptionScores | None]:
        """All by one server, the one for the first prompt's pictures."""
        if not prompts:
            return []
        return self._asked(prompts[0], lambda one: one.score_many(prompts, words=words))

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """By one server; by another where it is gone before the first word."""
        return self._asked(prompt, lambda one: one.generate(prompt, settings, on_text, cancelled))

    def close(self) -> None:
        """Nothing to let go of: the weights are the servers'."""

    def _asked(self, prompt: Prompt, work: Callable[[ServerModel], T]) -> T:
        while True:
            member = self._member_for(prompt)
            try:
                return work(member)
            except ServerGone as gone:
                if not self._others_than(member):
                    raise
                self.say(f"{member.card} is set aside: {gone}")

    def _member_for(self, prompt: Prompt) -> ServerModel:
        """The living server whose address and the pictures together hash highest.

        So the pictures of a study stay with one server, whose prefix cache
        holds them, and a death moves only that server's share.
        """
        shown = "".join(picture.sha256 for picture in prompt.pictures) or prompt.stem
        with self._lock:
            living = [each for each in self.members if each.card not in self._gone]
        return max(
            living or self.members,
            key=lambda each: sha256(f"{each.card} {shown}".encode()).digest(),
        )

    def _others_than(self, member: ServerModel) -> bool:
        """Set it aside where another one lives; False where it is the last."""
        with self._lock:
            living = {each.card for each in self.members} - self._gone - {member.card}
            if living:
                self._gone.add(member.card)
        return bool(living)


def addresses_of(entry: ModelEntry, urls: Sequence[str]) -> tuple[ServerAddress, ...]:
    """What `urls` name, each once, else what the environment does; nothing is contacted.

    `ModelUnavailable` for one that is no address.
    """
    names = VARIABLES[entry.kind]
    key = os.environ.get(names.key, "")
    given = [server_address({names.url: url, names.key: key}, names, "--server") for url in urls]
    return tuple(dict.fromkeys(given)) or (server_address(variables=names),)


def load_cluster(
    entry: ModelEntry, urls: Sequence[str], say: Say = lambda text: None
) -> ServerCluster:
    """The servers at these addresses, those that cannot be asked set aside.

    Without addresses the one of the environment. The first one's `UserError`
    where none can be asked.
    """
    addresses = addresses_of(entry, urls)
    whole = " ".join(sorted(address.url for address in addresses))
    members = tuple(
        ServerModel(entry, ServerLink(address), addresses=whole) for address in addresses
    )
    troubles: dict[str, UserError] = {}
    for member in members:
        try:
            asyncio.run(check_server(member))
        except UserError as error:
            troubles[member.card] = error
    if len(troubles) == len(members):
        raise next(iter(troubles.values()))
    for url, trouble in troubles.items():
        say(f"{url} is set aside: {trouble}")
    return ServerCluster(members, say, _gone=set(troubles))
