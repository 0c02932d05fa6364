"""One bounded, shared cache of arrays.

Keyed by what lies on the disk (path, size, modification time), so a file that
changes is read anew. Made once by the application and passed to whoever reads.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import cast

from viewer.arrays import LabelMap, Volume
from viewer.errors import UnreadableFile
from viewer.formats import reason_of
from viewer.labelmap import read_labelmap
from viewer.study import MaskFile, SequenceFile
from viewer.volume import read_volume

Cached = Volume | LabelMap
Key = tuple[SequenceFile | MaskFile, int, int]


class ArrayCache:
    """Volumes and label maps, the least recently used dropped beyond `limit_bytes`.

    Safe for threads. Two callers who want one array share one read; a read that
    fails is not remembered.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Cached] = OrderedDict()
        self._reading: dict[Key, Future[Cached]] = {}

    @property
    def held_bytes(self) -> int:
        """Bytes of the arrays that are kept now."""
        with self._lock:
            return self._held()

    def volume(self, file: SequenceFile) -> Volume:
        """The sequence's array; raises `UnreadableFile`."""
        return cast(Volume, self._get(_key(file, file.path), lambda: read_volume(file)))

    def labels(self, mask: MaskFile) -> LabelMap:
        """The mask's array; raises `UnreadableFile`."""
        return cast(LabelMap, self._get(_key(mask, mask.path), lambda: read_labelmap(mask)))

    def drop_below(self, folder: Path) -> None:
        """Let go of every array whose file lies in or below `folder`."""
        with self._lock:
            for key in [key for key in self._kept if key[0].path.is_relative_to(folder)]:
                del self._kept[key]

    def _get(self, key: Key, read: Callable[[], Cached]) -> Cached:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            future = self._reading.get(key)
            mine = future is None
            if future is None:
                future = self._reading[key] = Future()
        if mine:
            self._read_into(future, key, read)
        return future.result()

    def _read_into(self, future: Future[Cached], key: Key, read: Callable[[], Cached]) -> None:
        try:
            array = read()
        except BaseException as error:
            with self._lock:
                del self._reading[key]
            future.set_exception(error)
            return
        with self._lock:
            del self._reading[key]
            self._kept[key] = array
            while self._kept and self._held() > self._limit:
                self._kept.popitem(last=False)
        future.set_result(array)

    def _held(self) -> int:
        return sum(cached.array.nbytes for cached in self._kept.values())


def _key(file: SequenceFile | MaskFile, path: Path) -> Key:
    try:
        stat = path.stat()
    except OSError as error:
        raise UnreadableFile(
            f"{path.name}: expected a readable file, got {reason_of(error)}; "
            "list the studies again."
        ) from error
    return file, stat.st_size, stat.st_mtime_ns
