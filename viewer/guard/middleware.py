"""The guard around the whole application: who asks, what for, and what goes back.

Plain ASGI, so that a streamed answer is passed on as it comes.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fastapi.responses import JSONResponse

from viewer.guard.addresses import is_open, takes
from viewer.guard.login import CHALLENGE
from viewer.guard.policy import HEADERS, content_policy, new_nonce, with_nonce
from viewer.guard.rules import Rules
from viewer.instance import HEALTH, IDENTITY

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

WITHOUT_LOGIN = {IDENTITY, HEALTH}
"""They tell that the application runs, and nothing else."""
GUESS_PAUSE_S = 0.5
"""A wrong password is answered no sooner."""


class Guard:
    """An ASGI application that answers for `app` where a request may not reach it."""

    def __init__(self, app: App, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or refuse in one sentence."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # nothing here speaks it
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _by_name(scope["headers"])
        answer = _Answer(send, gzips="gzip" in headers.get("accept-encoding", ""))
        refusal = await self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, answer.send)
        else:
            body = _Body(scope["path"], receive)
            await self._app(_uncompressed(scope), body.receive, answer.send)

    async def _refusal(self, scope: Scope, headers: dict[str, str]) -> JSONResponse | None:
        rules = self._rules
        sentence = rules.visitors.refusal(scope["method"], headers)
        if sentence is not None:
            return refused(403, sentence)
        given = headers.get("authorization", "")
        login = None if scope["path"] in WITHOUT_LOGIN else rules.login
        if login is not None and not login.admits(given):
            if given:
                await asyncio.sleep(GUESS_PAUSE_S)
            answer = refused(401, "Expected the user name and password of this server; log in.")
            answer.headers["www-authenticate"] = CHALLENGE
            return answer
        told = headers.get("content-length", "0")
        if not told.isdigit() or not takes(scope["path"], int(told[:20])):
            return refused(413, "Expected a small request, got too large a one; send less.")
        if not is_open(scope["path"], rules.files):
            return refused(404, "Expected an address of this page, got none of them; open it anew.")
        return None


class _Body:
    """The body as it passes: one that is too large ends as if its sender had hung up."""

    def __init__(self, path: str, receive: Receive) -> None:
        self._path = path
        self._receive = receive
        self._size = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        return message if takes(self._path, self._size) else {"type": "http.disconnect"}


class _Answer:
    """What goes back: with the headers, and a page with its nonce."""

    def __init__(self, send: Send, gzips: bool) -> None:
        self._send = send
        self._gzips = gzips
        self._nonce = new_nonce()
        self._start: Message | None = None
        self._page = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = _with_headers(message["headers"], self._nonce)
            if _is_page(message["headers"]):
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            self._page += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._start)
            return
        await self._send(message)

    async def _send_page(self, start: Message) -> None:
        body = with_nonce(bytes(self._page), self._nonce)
        dropped = (b"content-length", b"content-encoding")
        kept = [(name, value) for name, value in start["headers"] if name.lower() not in dropped]
        if self._gzips:
            body = gzip.compress(body, 1)
            kept += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
        kept.append((b"content-length", str(len(body)).encode()))
        await self._send({**start, "headers": kept})
        await self._send({"type": "http.response.body", "body": body})


def refused(status: int, sentence: str) -> JSONResponse:
    """A refusal in words, in the form that the panes show."""
    return JSONResponse({"detail": sentence}, status_code=status)


def _by_name(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """One that is sent twice is neither of the two: a Host in two versions fools nobody."""
    found: dict[str, str] = {}
    for name, value in headers:
        key = name.decode("latin-1").lower()
        told = value.decode("latin-1")
        found[key] = f"{found[key]}, {told}" if key in found else told
    return found


def _with_headers(headers: list[tuple[bytes, bytes]], nonce: str) -> list[tuple[bytes, bytes]]:
    """Ours in the place of what the application set; no word about the software behind."""
    ours = (("content-security-policy", content_policy(nonce)), *HEADERS)
    names = {name.encode() for name, _ in ours} | {b"server", b"x-powered-by"}
    kept = [(name, value) for name, value in headers if name.lower() not in names]
    return kept + [(name.encode(), value.encode()) for name, value in ours]


def _is_page(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(n.lower() == b"content-type" and v.startswith(b"text/html") for n, v in headers)


def _uncompressed(scope: Scope) -> Scope:
    """A page is asked for plain: the nonce is put in before it is packed."""
    if not any(b"text/html" in value for name, value in scope["headers"] if name == b"accept"):
        return scope
    plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    return {**scope, "headers": plain}
