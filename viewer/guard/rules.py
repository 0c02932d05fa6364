"""What the guard goes by, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from viewer.guard.login import Login
from viewer.guard.visitors import Visitors


@dataclass(frozen=True)
class Rules:
    """Who may call, with which login. `files` is the folder whose files Gradio may hand out."""

    visitors: Visitors
    login: Login | None
    files: Path
