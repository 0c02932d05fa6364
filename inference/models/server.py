"""A model behind any server that speaks the OpenAI chat API.

vLLM, SGLang, llama.cpp, Ollama, LM Studio and `transformers serve` are asked
alike. Where a server gives no token probabilities, there are none.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from inference.models.described import About, Described
from inference.models.entries import ModelEntry
from inference.models.protocol import Cancelled, GenerationSettings, OnText, Progress
from inference.models.server_address import VARIABLES, server_address
from inference.models.server_bodies import lines_of
from inference.models.server_errors import RequestRefused, Sent, ServerRefused
from inference.models.server_link import ServerLink, Stopped, heard
from inference.models.server_replies import scores_of
from inference.models.server_requests import generation_request, scoring_request
from inference.models.server_stream import Incoming
from inference.prompts import Prompt
from inference.replies import OptionScores, Reply

AT_ONCE = 4
"""Requests that are under way together; the server queues what is more."""


@dataclass(eq=False)
class ServerModel(Described):
    """One model of one server; `entry.source` is its name there.

    `addresses` is its revision: the server's address, or all of its cluster's.
    Nothing else tells what runs there, and two servers' answers must not count
    as one.
    """

    entry: ModelEntry
    link: ServerLink
    gives_scores: bool = True
    addresses: str | None = None
    about: About = field(init=False)

    def __post_init__(self) -> None:
        # Its owner knows the weights; the card is where the server listens.
        url = self.link.address.url
        self.about = About(self.entry.name, self.addresses, None, "chosen by the server", url)

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        """Letters from the listed tokens after the answer's start; None where none are listed.

        The options' own words are not scored: servers give probabilities only
        of what they write.
        """
        return self.score_many([prompt])[0]

    def score_many(
        self, prompts: Sequence[Prompt], *, words: bool = False
    ) -> list[OptionScores | None]:
        """Prompts about the same pictures go one behind the other, the first of them alone.

        So the server has the pictures' prefix in its cache when the others come.
        """
        return asyncio.run(self._score_all(prompts))

    def generate(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        on_text: OnText,
        cancelled: Cancelled,
    ) -> Reply:
        """A streamed reply. A stream that breaks off keeps its text, with the error beside it."""
        started = time.monotonic()
        reply = Incoming(on_text, self.link.address.without_key)
        error: str | None = None
        try:
            asyncio.run(self._write(prompt, settings, cancelled, reply))
        except Stopped:
            reply.finish = "cancelled"
        except ServerRefused as refused:
            if not reply.text:
                raise
            error = str(refused)
        finish = "error" if error else reply.finish
        return self.reply(reply.text, started, reply.tokens, finish, reply.thinking, error)

    def close(self) -> None:
        """Nothing to let go of: the weights are the server's."""

    def _sent(self, prompt: Prompt) -> Sent:
        return _sent(self.entry, self.link, len(prompt.pictures))

    async def _score_all(self, prompts: Sequence[Prompt]) -> list[OptionScores | None]:
        about: dict[tuple[str, ...], list[int]] = {}
        for place, prompt in enumerate(prompts):
            hashes = tuple(picture.sha256 for picture in prompt.pictures)
            about.setdefault(hashes, []).append(place)
        found: dict[int, OptionScores | None] = {}
        room = asyncio.Semaphore(AT_ONCE)
        async with self.link.client() as client:

            async def score(place: int) -> None:
                async with room:
                    found[place] = await self._score(client, prompts[place])

            for first, *others in about.values():
                await score(first)
                await asyncio.gather(*(score(place) for place in others))
        return [found[place] for place in range(len(prompts))]

    async def _score(self, client: httpx.AsyncClient, prompt: Prompt) -> OptionScores | None:
        if not self.gives_scores:
            return None
        sent, body = self._sent(prompt), scoring_request(self.entry, prompt)
        try:
            answer = await self.link.answer(client, body, sent, lambda: False)
        except RequestRefused:
            self.gives_scores = False  # it does not know how to be asked for them
            return None
        return scores_of(answer, prompt.letters)

    async def _write(
        self,
        prompt: Prompt,
        settings: GenerationSettings,
        cancelled: Cancelled,
        reply: Incoming,
    ) -> None:
        sent = self._sent(prompt)
        body = generation_request(self.entry, prompt, settings)
        async with (
            self.link.client() as client,
            self.link.opened(client, body, sent, cancelled) as response,
        ):
            lines = lines_of(response, sent)
            while (line := await heard(anext(lines, None), cancelled)) is not None:
                reply.take(line, sent)
            reply.ended(sent)


def load_server_model(entry: ModelEntry, progress: Progress) -> ServerModel:
    """The model of that name on the server that the environment names.

    `UserError` in words where the server cannot be reached or refuses the key.
    """
    address = server_address(variables=VARIABLES[entry.kind])
    model = ServerModel(entry, ServerLink(address), addresses=address.url)
    progress(0.0, f"Calling the server at {address.url}")
    asyncio.run(check_server(model))
    progress(1.0, f"{entry.name} can be asked")
    return model


def _sent(entry: ModelEntry, link: ServerLink, pictures: int = 0) -> Sent:
    address = link.address
    return Sent(entry.source, address.url, pictures, variables=address.variables)


async def check_server(model: ServerModel) -> None:
    """`UserError` in words where its server cannot be reached or refuses the key."""
    async with model.link.client() as client:
        await model.link.check(client, _sent(model.entry, model.link))
