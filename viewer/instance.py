"""One application a port: the first one serves, a second one finds it.

The port is taken before anything slow is imported, so that two starts at once
never both go on.
"""

from __future__ import annotations

import errno
import socket
from typing import Any

from fastapi import APIRouter

from viewer.errors import UserError

NAME = "MRI VQA Viewer"
IDENTITY = "/identity"
HEALTH = "/healthz"
PATIENCE_S = 30.0
"""A first start on a slow machine answers only after its imports."""
MOST_PORT = 65535
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
"""Hosts that listen on every address, and the one to open on this machine."""


class PortTaken(UserError):
    """Something else listens on the port."""


def identity_routes() -> APIRouter:
    """GET /identity: by what a second start knows the first, behind a login too."""
    router = APIRouter()

    @router.get(IDENTITY)
    def identity() -> dict[str, Any]:
        return {"application": NAME}

    return router


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one. Raises `PortTaken`, or `UserError`."""
    if not 0 <= port <= MOST_PORT:
        raise UserError(f"Expected a port of 0 to {MOST_PORT}, got {port}; choose one.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Expected port {port} to be free, got another program on it; end that program "
                "or choose another port with --port."
            ) from error
        reason = str(error.strerror or error).partition(" (")[0]
        raise UserError(
            f"Expected an address to listen on, got {host} port {port} ({reason}); "
            "choose others with --host and --port."
        ) from error


def address_of(host: str, port: int) -> str:
    """What to open in a browser on this machine."""
    shown = EVERYWHERE.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def runs_at(address: str, patience_s: float = PATIENCE_S) -> bool:
    """Whether this application answers there. No proxy is asked."""
    import httpx

    try:
        with httpx.Client(trust_env=False, timeout=patience_s) as client:
            told = client.get(f"{address.rstrip('/')}{IDENTITY}").json()
    except (httpx.HTTPError, ValueError):
        return False
    return isinstance(told, dict) and told.get("application") == NAME
