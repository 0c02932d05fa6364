"""Whose a folder is: a process locks a file in it while it lives, and the system drops the lock."""

from __future__ import annotations


def take_lock(file: int) -> bool | None:
    """Lock the open file (a descriptor) until it is closed; False where another process holds it.

    None where the system has no such locks (Windows).
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
