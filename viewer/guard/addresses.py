"""Which of Gradio's own addresses are open: those that the page itself calls.

Gradio also answers addresses that fetch other hosts for the caller (`proxy=`,
`file=http…`), that log in to other services and that tell of its inner state.
None of them is needed here, and none is reached.
"""

from __future__ import annotations

import re
from pathlib import Path

API = "/gradio_api/"
FILE = API + "file="

OPEN = re.compile(
    r"/gradio_api/(?:queue/join|queue/data|cancel|reset|startup-events|info|app_id|login_check"
    r"|heartbeat/[a-z0-9]+|theme\.css)/?"
)
"""Queue, Cancel, the sign of life, and what a client asks at its start. No upload: files come
in through the application's own address, which has limits."""

LONGEST_PART = 255
"""Bytes of one name: no file system takes more."""

BODIES_OF_ANY_SIZE = "/opened/"
"""Where files come in; what is behind it counts for itself."""
MOST_BYTES = 2**23
"""The body of any other request: the page sends a few kilobytes."""


def is_open(path: str, files: Path) -> bool:
    """Whether an address is answered; `files` is the folder whose files may be fetched.

    `path` is decoded as the server decodes it: once.
    """
    if "\0" in path or any(
        len(part.encode(errors="replace")) > LONGEST_PART for part in path.split("/")
    ):
        return False
    if path.startswith(FILE):
        return _lies_in(path.removeprefix(FILE), files)
    return not path.startswith(API) or OPEN.fullmatch(path) is not None


def takes(path: str, size: int) -> bool:
    """Whether a body of so many bytes may be sent to an address."""
    return size <= MOST_BYTES or path.startswith(BODIES_OF_ANY_SIZE)


def _lies_in(name: str, files: Path) -> bool:
    """Links are followed first: what a link leads to decides."""
    try:
        return Path(name).is_absolute() and Path(name).resolve().is_relative_to(files.resolve())
    except (OSError, ValueError, RuntimeError):
        return False
