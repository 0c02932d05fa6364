"""Files that a session made to download: they go when its page is closed."""

from __future__ import annotations

import threading
from pathlib import Path


class SessionExports:
    """Which file belongs to which session. Made once by the page; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: dict[str, list[Path]] = {}

    def keep(self, session: str, file: Path) -> None:
        """The file lasts as long as the session."""
        with self._lock:
            self._files.setdefault(session, []).append(file)

    def end(self, session: str) -> None:
        """The session is over."""
        with self._lock:
            files = self._files.pop(session, [])
        for file in files:
            file.unlink(missing_ok=True)
