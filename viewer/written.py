"""Files that a user names: written whole or not at all, a sentence where they cannot be."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from viewer.errors import UnwritableFile


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Whatever the disk refuses inside becomes `UnwritableFile` about `path`."""
    try:
        yield
    except OSError as error:
        raise UnwritableFile(
            f"Expected to write {path}, got: {error.strerror or error or type(error).__name__}; "
            "name another place, or free this one."
        ) from error


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write to in the folder of `path`, made if missing; it becomes `path` at the end.

    Where anything fails inside, nothing is left and what `path` held before stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{secrets.token_hex(4)}.{path.name}")
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
