"""Temporary files of one process: gone when it ends, and after a kill at the next start.

A process holds a lock on its folder while it lives, and the system drops the
lock however it dies; a folder whose lock is free belongs to nobody.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from viewer.errors import BadSetting
from viewer.folder_locks import take_lock

LOCK = ".lock"
PREFIX = "mri-vqa-viewer-"


def scratch_root() -> Path:
    """Where the scratch folders of this user's processes lie."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"{PREFIX}{user}"


def own_scratch(root: Path | None = None) -> Path:
    """A new folder that ends with this process; what dead processes left is removed first."""
    root = root or scratch_root()
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        _refuse_foreign(root)
        clear_abandoned(root)
        place = _locked_folder(root)
    except OSError as error:
        raise BadSetting(
            f"Expected a folder for temporary files at {root}, got {error.strerror}; free it or "
            "set TMPDIR."
        ) from error
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


def _locked_folder(root: Path) -> Path:
    """A new one; one that another process took for abandoned before it was locked is left."""
    while True:
        place = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=root))
        lock = os.open(place / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        if take_lock(lock) is not False and (place / LOCK).exists():
            return place
        os.close(lock)


def clear_abandoned(root: Path) -> list[Path]:
    """Remove the folders of dead processes; which they were."""
    return [place for place in root.iterdir() if _is_abandoned(place) and _remove(place)]


def _refuse_foreign(root: Path) -> None:
    """Another user's folder of that name, or a link, is not ours to write into."""
    status = root.lstat()
    foreign = hasattr(os, "getuid") and status.st_uid != os.getuid()
    if root.is_symlink() or foreign:
        raise PermissionError(0, "one that belongs to somebody else")


def _is_abandoned(place: Path) -> bool:
    if place.is_symlink() or not place.is_dir():
        return False
    with _opened(place / LOCK) as lock:
        # Without locks nothing counts as abandoned.
        return lock is not None and take_lock(lock) is True


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int | None]:
    try:
        lock = os.open(path, os.O_RDWR)
    except OSError:
        yield None  # made at this moment by another process, or no folder of ours
        return
    try:
        yield lock
    finally:
        os.close(lock)


def _remove(place: Path) -> bool:
    shutil.rmtree(place, ignore_errors=True)
    return not place.exists()
