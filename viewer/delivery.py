"""How a file made on the fly is sent: tagged, compressed, never sent twice.

A browser that already has the bytes gets an empty 304; one that has not gets
them compressed. The tag is known before the bytes are made, so a repeat visit
costs nothing but a look at the source file's time stamp.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from fastapi import Request, Response

LEVEL = 1
"""gzip level: on a local network the fastest one wins over a smaller file."""


def file_tag(path: Path, *more: object) -> str:
    """A strong ETag from a file's path, size, modification time and whatever else decides."""
    stat = path.stat()
    parts = (str(path), stat.st_size, stat.st_mtime_ns, *more)
    return '"' + hashlib.sha256(repr(parts).encode()).hexdigest()[:32] + '"'


class CompressedCopies:
    """Compressed bytes by tag, bounded; each is made once however many ask for it."""

    def __init__(self, limit_bytes: int = 256 * 2**20) -> None:
        self._limit = limit_bytes
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}

    @property
    def held_bytes(self) -> int:
        """Compressed bytes that are kept now."""
        return self._size

    def get(self, tag: str, make: Callable[[], bytes]) -> bytes:
        """The gzip stream of `make()`, made now if it is not held."""
        with self._lock:
            if tag in self._held:
                self._held.move_to_end(tag)
                return self._held[tag]
            turn = self._making.setdefault(tag, threading.Lock())
        with turn:
            with self._lock:
                if tag in self._held:
                    return self._held[tag]
            try:
                packed = gzip.compress(make(), LEVEL, mtime=0)
                self._keep(tag, packed)
            finally:
                with self._lock:
                    self._making.pop(tag, None)
        return packed

    def _keep(self, tag: str, packed: bytes) -> None:
        with self._lock:
            self._held[tag] = packed
            self._size += len(packed)
            while self._size > self._limit and len(self._held) > 1:
                self._size -= len(self._held.popitem(last=False)[1])


def deliver(
    request: Request,
    tag: str,
    copies: CompressedCopies,
    make: Callable[[], bytes],
    media_type: str = "application/octet-stream",
) -> Response:
    """Answer with the bytes of `make()`, or with 304 where the browser has them."""
    headers = {
        "ETag": tag,
        "Cache-Control": "private, no-cache",
        "Vary": "Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = copies.get(tag, make)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, media_type=media_type, headers=headers)
