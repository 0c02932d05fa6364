"""The wire to a server: named time-outs, few retries, a Cancel that is heard at once.

Only a connection that could not be made and the answers 429 and 503 are tried
again, after pauses that grow: anything else may have been an answer already.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import httpx

from inference.models.protocol import Cancelled
from inference.models.server_address import ServerAddress
from inference.models.server_bodies import whole_body
from inference.models.server_errors import (
    Sent,
    ServerRefused,
    Timeouts,
    fault,
    not_an_api,
    refusal,
)
from inference.models.server_replies import error_text
from viewer.outside_json import parsed

T = TypeVar("T")

AGAIN = {429, 503}
LONGEST_PAUSE = 30.0
"""Seconds: a server that asks for a longer wait is waited for no longer than this."""

HEARD_WITHIN = 0.05
"""Seconds between two looks at Cancel."""


class Stopped(Exception):
    """The user cancelled; what was under way is let go."""


@dataclass(frozen=True)
class ServerLink:
    """One server. `pauses` are the seconds before each further try; `transport` is for tests."""

    address: ServerAddress
    timeouts: Timeouts = field(default_factory=Timeouts)
    pauses: tuple[float, ...] = (1.0, 2.0, 4.0)
    transport: httpx.AsyncBaseTransport | None = None

    @asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        """Connections for one piece of work."""
        t = self.timeouts
        async with httpx.AsyncClient(
            headers=self.address.headers,
            timeout=httpx.Timeout(connect=t.connect, write=t.write, read=t.read, pool=None),
            transport=self.transport,
            trust_env=not self.address.is_local,
        ) as client:
            yield client

    async def models(self, client: httpx.AsyncClient, sent: Sent) -> tuple[str, ...]:
        """Names that the server says it serves; empty where it does not say."""
        try:
            async with client.stream("GET", f"{self.address.url}/models") as response:
                told = parsed(await whole_body(response, sent)) if response.is_success else {}
            return tuple(str(each["id"]) for each in told.get("data", []))
        except (httpx.HTTPError, ServerRefused, ValueError, KeyError, TypeError, AttributeError):
            return ()

    async def check(self, client: httpx.AsyncClient, sent: Sent) -> None:
        """Say in words why the server cannot be asked, where that shows already."""
        try:
            async with client.stream("GET", f"{self.address.url}/models") as response:
                pass  # the status alone tells
        except httpx.HTTPError as error:
            raise fault(error, sent, self.timeouts) from None
        if response.status_code in {401, 403}:
            raise refusal(response.status_code, "", sent)

    @asynccontextmanager
    async def opened(
        self, client: httpx.AsyncClient, body: dict[str, Any], sent: Sent, cancelled: Cancelled
    ) -> AsyncIterator[httpx.Response]:
        """The response to a chat request, its body not yet read.

        `Stopped` on Cancel; any other trouble is a `UserError` in words.
        """
        request = client.build_request("POST", f"{self.address.url}/chat/completions", json=body)
        response = await self._sent(client, request, sent, cancelled)
        try:
            if not response.is_success:
                words = self.address.without_key(_words(await whole_body(response, sent)))
                if response.status_code in {400, 404}:
                    sent = replace(sent, served=await self.models(client, sent))
                raise refusal(response.status_code, words, sent)
            yield response
        except httpx.HTTPError as error:
            raise fault(error, sent, self.timeouts) from None
        finally:
            await response.aclose()

    async def answer(
        self, client: httpx.AsyncClient, body: dict[str, Any], sent: Sent, cancelled: Cancelled
    ) -> Any:
        """The whole JSON of a chat request that is not streamed."""
        async with self.opened(client, body, sent, cancelled) as response:
            content = await heard(whole_body(response, sent), cancelled)
        try:
            return parsed(content)
        except ValueError:
            raise not_an_api(sent) from None

    async def _sent(
        self,
        client: httpx.AsyncClient,
        request: httpx.Request,
        sent: Sent,
        cancelled: Cancelled,
    ) -> httpx.Response:
        for pause in self.pauses:
            try:
                response = await heard(client.send(request, stream=True), cancelled)
                if response.status_code not in AGAIN:
                    return response
                pause = max(pause, _asked_pause(response))
                await response.aclose()
            except (httpx.ConnectError, httpx.ConnectTimeout):
                pass
            except httpx.HTTPError as error:
                raise fault(error, sent, self.timeouts) from None
            await heard(asyncio.sleep(pause), cancelled)
        try:
            return await heard(client.send(request, stream=True), cancelled)
        except httpx.HTTPError as error:
            raise fault(error, sent, self.timeouts) from None


async def heard(work: Awaitable[T], cancelled: Cancelled) -> T:
    """What `work` gives; `Stopped` as soon as the user cancels, with the work let go."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            if cancelled():
                raise Stopped
            await asyncio.wait({task}, timeout=HEARD_WITHIN)
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


def _asked_pause(response: httpx.Response) -> float:
    """The wait that the server asks for in whole seconds, up to `LONGEST_PAUSE`; else 0."""
    asked = response.headers.get("retry-after", "")
    return min(float(asked), LONGEST_PAUSE) if asked.isdigit() else 0.0


def _words(content: bytes) -> str:
    text = content.decode("utf-8", errors="replace")
    try:
        return error_text(parsed(text))
    except ValueError:
        return text
