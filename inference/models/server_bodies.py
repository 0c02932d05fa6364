"""What a server sends back, read with a limit: a reply without end must not fill the memory."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx

from inference.models.server_errors import Sent, too_much

LONGEST_LINE = 2**22
"""Bytes of one line of a stream; a token takes a few hundred."""
MOST_BYTES = 2**26
"""Bytes of one answer."""


async def whole_body(response: httpx.Response, sent: Sent) -> bytes:
    """The body, at most `MOST_BYTES` long."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MOST_BYTES:
            raise too_much(sent)
    return bytes(body)


async def lines_of(response: httpx.Response, sent: Sent) -> AsyncIterator[str]:
    """The lines of a stream as they come."""
    held, size = b"", 0
    async for piece in response.aiter_bytes():
        size += len(piece)
        *lines, held = (held + piece).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", errors="replace").rstrip("\r")
        if len(held) > LONGEST_LINE or size > MOST_BYTES:
            raise too_much(sent)
    if held:
        yield held.decode("utf-8", errors="replace")
