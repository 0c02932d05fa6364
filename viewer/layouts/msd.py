"""The sequences of an MSD task's 4-D images, as its dataset.json names them."""

from __future__ import annotations

from pathlib import Path

from viewer.layouts.tokens import role_of
from viewer.outside_json import parsed
from viewer.study import Problem

NAMED_BY = ("modality", "channel_names")
"""Keys of dataset.json: MSD's own, and nnU-Net's."""


def frame_names(task: Path, default: tuple[str, ...]) -> tuple[tuple[str, ...], Problem | None]:
    """Sequence names along the fourth axis; `default` where no dataset.json tells them."""
    file = task / "dataset.json"
    if not file.is_file():
        return default, None
    try:
        content = parsed(file.read_text(encoding="utf-8"))
        named = next(content[key] for key in NAMED_BY if key in content)
        ordered = [str(named[key]) for key in sorted(named, key=int)]
    except (OSError, ValueError, TypeError, AttributeError, StopIteration, KeyError):
        order = ", ".join(default)
        reason = f"expected the names of the 4-D images' volumes, got none; {order} is assumed"
        return default, Problem(str(file), reason)
    return tuple(_sequence_name(name) for name in ordered), None


def _sequence_name(name: str) -> str:
    role = role_of(name)
    return role.name if role is not None and role.kind == "sequence" else name
