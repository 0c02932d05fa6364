"""Serving the page: on a port that is its own, in a window or a browser where that is wished."""

from __future__ import annotations

import logging
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import FastAPI

from viewer.instance import NAME, PortTaken, address_of, listen, runs_at
from viewer.window import open_browser, require_window, show_window

if TYPE_CHECKING:
    import uvicorn

PARTING_S = 2
"""How long the end waits for pages that are still open: their streams never end by themselves."""


@dataclass(frozen=True)
class Place:
    """Where to serve, and how the user wants to see it."""

    host: str
    port: int
    window: bool = False
    browser: bool = False


def serve(build: Callable[[], FastAPI], place: Place) -> None:
    """Serve what `build` makes until the process ends, or the window is closed.

    Where this application already serves there, say so, show that one, and
    return. Raises `UserError` where another program has the port, or where no
    window can be opened.
    """
    if place.window:
        require_window()
    address = address_of(place.host, place.port)
    try:
        listening = listen(place.host, place.port)
    except PortTaken:
        if not runs_at(address):
            raise
    else:
        _serve(build(), place, listening)
        return
    print(f"{NAME} already runs: {address}", flush=True)
    _show(place, address)


def _server(config: uvicorn.Config) -> uvicorn.Server:
    import uvicorn

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # Streams that are cut off then would each print a traceback.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            await super().shutdown(sockets)

    return Server(config)


def _serve(app: FastAPI, place: Place, listening: socket.socket) -> None:
    import uvicorn

    address = address_of(place.host, listening.getsockname()[1])
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=PARTING_S)
    server = _server(config)
    print(f"{NAME}: {address}", file=sys.stderr, flush=True)
    if not place.window:
        _show(place, address, lambda: server.started)
        server.run(sockets=[listening])
        return
    # A window wants the main thread.
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    serving.start()
    try:
        _show(place, address, lambda: server.started)
    finally:
        server.should_exit = True
        serving.join()


def _show(place: Place, address: str, served: Callable[[], bool] | None = None) -> None:
    """In a window, until it is closed, or in the browser, once the page is `served`."""
    if place.window:
        show_window(NAME, address)
    elif place.browser:
        open_browser(address, served)
