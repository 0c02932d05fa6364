"""Python reads this at its start where this folder is on its path: nobody but loopback is called.

A call that is refused is told on stderr, so that a test sees it even where the caller hid it.
Where `MRI_VQA_QUEUE_DELAY` or `MRI_VQA_FILE_DELAY` is set, the application is as slow as it
says (`slow_queue.py`).
"""

from __future__ import annotations

import os
import sys
from ipaddress import ip_address
from typing import Any

REFUSED = "refused to call"


def _is_here(host: object) -> bool:
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    try:
        address = ip_address(host.decode() if isinstance(host, bytes) else str(host))
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _look(event: str, given: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(given[1], tuple):
        host = given[1][0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = given[0]
    else:
        return
    if not _is_here(host):
        print(f"{REFUSED} {host!r} ({event})", file=sys.stderr, flush=True)
        raise PermissionError(f"{REFUSED} {host!r}")


sys.addaudithook(_look)

if "app.py" in sys.orig_argv:
    from slow_queue import DELAYS

    for variable, install in DELAYS:
        if os.environ.get(variable):
            install(float(os.environ[variable]))
