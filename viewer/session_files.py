"""Files that a user opens from the browser, for one session of the page only.

Each session has a folder of its own below one folder of this process, all with
random names and for this user's eyes only. A session's folder goes when its
page is closed, when it has been idle for `IDLE_S`, or when the application
ends; what a killed process left is removed by the next one. A process holds a
lock on its folder, which the system lets go of however the process ends.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from viewer.errors import UserError
from viewer.folder_locks import take_lock
from viewer.folders import IMAGE
from viewer.study import Study

MOST_FILES = 400
"""Files of one session: about a dozen UCSF-PDGM studies."""
MOST_BYTES = 4 << 30
"""Bytes of one session."""
ROOM_BYTES = 2 << 30
"""Bytes that must stay free on the disk."""
IDLE_S = 12 * 3600.0
LOOSE = "Opened files"
"""The folder, and so the study's name, of files that were chosen without a folder."""
PART = re.compile(r"""[^.\x00-\x1f\x7f/\\:*?"<>|][^\x00-\x1f\x7f/\\:*?"<>|]{0,179}""")
"""One part of a path from the browser: no way up, nothing hidden, nothing special."""
DEEPEST = 8
BESIDE = frozenset({"dataset.json"})
"""Files that are no images and say what images hold."""
LOCK = "lock"


@dataclass
class Session:
    """What one session holds. `studies` are those it opened, by id."""

    folder: Path
    used: float
    files: int = 0
    bytes: int = 0
    studies: dict[str, Study] = field(default_factory=dict)


class SessionFiles:
    """The files of all sessions of this process, below `root`. Safe for threads.

    `forget(folder)` is called before a session's folder is removed.
    """

    def __init__(
        self,
        root: Path,
        forget: Callable[[Path], None] = lambda folder: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._forget = forget
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._tokens: dict[str, str] = {}
        self._held: BinaryIO | None = None
        self._own = root / secrets.token_hex(8)
        remove_abandoned(root)

    def begin(self, page: str) -> str:
        """A token for the page of that name: whoever holds it may open files there."""
        self.sweep()
        with self._lock:
            token = self._tokens.setdefault(page, secrets.token_urlsafe(24))
            if token not in self._sessions:
                folder = self._own / secrets.token_hex(8)
                self._sessions[token] = Session(folder, self._clock())
            return token

    def end(self, page: str) -> None:
        """The page is closed: its files go."""
        with self._lock:
            session = self._sessions.pop(self._tokens.pop(page, ""), None)
        self._remove([session] if session else [])

    def sweep(self) -> None:
        """Sessions that nobody used for `IDLE_S` end, and strays of ended ones go."""
        with self._lock:
            late = self._clock() - IDLE_S
            idle = {token for token, session in self._sessions.items() if session.used < late}
            ended = [self._sessions.pop(token) for token in idle]
            self._tokens = {p: token for p, token in self._tokens.items() if token not in idle}
            kept = {session.folder.name for session in self._sessions.values()}
            strays = [f for f in _folders_in(self._own) if f.name not in kept]
        self._remove(ended)
        for folder in strays:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Every session ends; the application does."""
        with self._lock:
            ended = list(self._sessions.values())
            self._sessions.clear()
            self._tokens.clear()
        self._remove(ended)
        if self._held is not None:
            self._held.close()
            self._held = None
        shutil.rmtree(self._own, ignore_errors=True)

    @contextlib.asynccontextmanager
    async def open_for_life(self) -> AsyncIterator[None]:
        """A server's life; nothing is left when it ends."""
        try:
            yield
        finally:
            self.close()

    def session(self, token: str) -> Session:
        """The session of that token; `UserError` where it is over."""
        with self._lock:
            found = self._sessions.get(token)
            if found is not None:
                found.used = self._clock()
        if found is None:
            raise UserError(
                "Expected an open page, got a session that is over; load the page anew."
            )
        return found

    def study(self, study_id: str) -> Study | None:
        """The study of that id, whichever session opened it."""
        with self._lock:
            for session in self._sessions.values():
                if study_id in session.studies:
                    session.used = self._clock()
                    return session.studies[study_id]
        return None

    def new_batch(self, token: str) -> str:
        """The name of a new folder for files that are chosen together."""
        session = self.session(token)
        self._hold_folder()
        batch = secrets.token_hex(8)
        (session.folder / batch).mkdir(parents=True, mode=0o700)
        return batch

    def batch(self, token: str, batch: str) -> Path:
        """That folder; `UserError` where the session has none of the name."""
        folder = self.session(token).folder / batch
        if not re.fullmatch(r"[0-9a-f]{16}", batch) or not folder.is_dir():
            raise UserError("Expected files chosen on this page, got none; choose them again.")
        return folder

    @contextlib.contextmanager
    def receiving(self, token: str, batch: str, path: str) -> Iterator[Callable[[bytes], None]]:
        """Write one file piece by piece; it goes again where a limit is passed."""
        session, place = self.session(token), self.batch(token, batch) / _checked(path)
        with self._lock:
            session.files += 1
            too_many = session.files > MOST_FILES
        if too_many:
            raise UserError(
                f"Expected at most {MOST_FILES} files in one session, got more; choose fewer."
            )
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with place.open("xb") as file:
                yield lambda piece: self._write(session, file, piece)
        except FileExistsError:
            raise UserError(
                f"{place.name}: expected each file once, got it twice; choose it once."
            ) from None
        except BaseException:
            place.unlink(missing_ok=True)
            raise

    def _write(self, session: Session, file: BinaryIO, piece: bytes) -> None:
        with self._lock:
            session.bytes += len(piece)
            too_much = session.bytes > MOST_BYTES
        name = Path(file.name).name
        if too_much:
            raise UserError(
                f"{name}: expected at most {MOST_BYTES >> 30} GiB in one session, got more; "
                "start the application with --data on the folder instead."
            )
        if shutil.disk_usage(session.folder).free < ROOM_BYTES:
            raise UserError(
                f"{name}: expected room on the server's disk, got less than "
                f"{ROOM_BYTES >> 30} GiB; free some."
            )
        file.write(piece)

    def _hold_folder(self) -> None:
        """Make this process's folder and lock it, at the first file.

        Once more where a process that starts at this moment took it for abandoned.
        """
        with self._lock:
            while self._held is None:
                self._own.mkdir(parents=True, exist_ok=True, mode=0o700)
                with contextlib.suppress(FileNotFoundError):
                    held = (self._own / LOCK).open("wb")
                    if take_lock(held.fileno()) is not False and (self._own / LOCK).exists():
                        self._held = held
                    else:
                        held.close()

    def _remove(self, sessions: Sequence[Session]) -> None:
        for session in sessions:
            self._forget(session.folder)
            shutil.rmtree(session.folder, ignore_errors=True)


def remove_abandoned(root: Path) -> None:
    """Remove what processes that are gone have left below `root`."""
    for folder in _folders_in(root):
        try:
            with (folder / LOCK).open("r+b") as lock:
                # Without locks an open file cannot be removed, which is lock enough.
                abandoned = take_lock(lock.fileno()) is not False
        except OSError:
            abandoned = True
        if abandoned:
            shutil.rmtree(folder, ignore_errors=True)


def _folders_in(root: Path) -> list[Path]:
    return [path for path in root.iterdir() if path.is_dir()] if root.is_dir() else []


def _checked(path: str) -> Path:
    """Where below its batch a file from the browser goes; `UserError` for a path unfit."""
    parts = path.split("/")
    if len(parts) > DEEPEST or not all(PART.fullmatch(part) for part in parts):
        raise UserError(
            f"Expected a file name without special characters and at most {DEEPEST - 1} folders "
            "deep, got another; rename the file."
        )
    if not IMAGE.fullmatch(parts[-1]) and parts[-1] not in BESIDE:
        raise UserError(
            f"{parts[-1]}: expected a NIfTI file (.nii, .nii.gz, or .hdr with .img), got another "
            "kind; convert a DICOM series with 'dcm2niix -z y FOLDER' first."
        )
    return Path(*parts) if len(parts) > 1 else Path(LOOSE, *parts)
