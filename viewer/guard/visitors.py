"""Which names the application answers to, and which pages may call it.

A browser tells the name it was given in `Host` and the page that asks in
`Origin` and `Sec-Fetch-Site`. A page of another site that makes its own name
resolve to this machine (DNS rebinding) still says its own name in `Host`; an
address in numbers needs no resolving and cannot be rebound.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

NETLOC = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?")
LOOPBACK_NAMES = frozenset({"localhost"})


@dataclass(frozen=True)
class Visitors:
    """Names that may stand in `Host`; with `any_address` also every address in numbers.

    A page of one of the `proxied` names may call whatever `Host` the proxy in between says.
    """

    names: frozenset[str] = LOOPBACK_NAMES
    any_address: bool = False
    proxied: frozenset[str] = frozenset()

    def refusal(self, method: str, headers: Mapping[str, str]) -> str | None:
        """Why this request is not answered, in one sentence; None where it may be.

        `headers` has lower-case names.
        """
        host = headers.get("host", "")
        if not self._knows(host):
            return (
                f"Expected a Host that this server is known by, got {_shown(host)}; open the "
                "address that it printed, or start it with --allowed-host NAME."
            )
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin, host):
            return (
                f"Expected a request from this server's own page, got one from {_shown(origin)}; "
                "open the page itself."
            )
        if _from_elsewhere(headers) and not _opens_the_page(method, headers):
            return "Expected a request from this server's own page, got another site's; open it."
        return None

    def _knows(self, host: str) -> bool:
        name = _name_of(host)
        if name is None:
            return False
        if name.rstrip(".") in self.names:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return self.any_address or address.is_loopback

    def _is_own(self, origin: str, host: str) -> bool:
        """The very host of the request, or a name that the user gave."""
        parts = _parts(origin)
        if parts is None or parts.scheme not in {"http", "https"}:
            return False
        return parts.netloc.lower() == host.lower() or parts.hostname in self.proxied


def visitors(host: str, allowed: tuple[str, ...] = ()) -> Visitors:
    """Who may call a server that listens on `host`; `allowed` are further names for it."""
    proxied = frozenset(name.lower() for name in allowed)
    if is_loopback(host):
        return Visitors(LOOPBACK_NAMES | proxied, proxied=proxied)
    names = LOOPBACK_NAMES | proxied | {host.lower(), socket.gethostname().lower()}
    return Visitors(names, any_address=True, proxied=proxied)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on `host`."""
    if host.lower() in LOOPBACK_NAMES:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _name_of(netloc: str) -> str | None:
    """The host without port and brackets, in lower case; None where there is none."""
    match = NETLOC.fullmatch(netloc.lower())
    return match[1].strip("[]") if match else None


def _parts(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:  # half a bracket
        return None


def _from_elsewhere(headers: Mapping[str, str]) -> bool:
    return headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}


def _opens_the_page(method: str, headers: Mapping[str, str]) -> bool:
    """A link on another page that opens ours in the window's place: a deep link."""
    return (
        method == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


def _shown(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:100] + "…")
