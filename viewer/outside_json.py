"""JSON from outside: a file or a server may send anything, and only one error comes of it."""

from __future__ import annotations

import json
from typing import Any


def parsed(text: str | bytes) -> Any:
    """The value; `ValueError` for what is no JSON, for nesting too deep and for absurd numbers."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
