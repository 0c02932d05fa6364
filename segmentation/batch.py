"""Predicted masks of many studies, made ahead in processes of their own.

Each process runs one study at a time and stores its mask whole or not at all.
A study that fails is a row with its sentence; a process that dies takes only
its own study with it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Literal

from segmentation.errors import SegmentationCancelled
from segmentation.measure import region_volumes_ml
from segmentation.store import MaskStore
from segmentation.weights import Weights
from viewer.cache import ArrayCache
from viewer.errors import UserError
from viewer.study import Study

_Pipe = Connection
Status = Literal["made", "stored", "failed", "stopped"]
CACHE_BYTES = 2**29
"""Arrays kept by one process: it needs one study at a time."""

MOST_JOBS = 4
"""More processes than this only where the user asks: each takes about 2 GiB."""


@dataclass(frozen=True)
class Row:
    """What became of one study. `ml` are the regions' volumes, `reason` why it failed."""

    study: str
    status: Status
    seconds: float = 0.0
    ml: dict[str, float] | None = None
    reason: str = ""


Say = Callable[[Row], None]


def default_jobs() -> int:
    """A process for each processor that this one may use, at most `MOST_JOBS`."""
    return min(MOST_JOBS, _processors())


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def segment_all(
    studies: Sequence[Study], masks: MaskStore, weights: Weights, jobs: int, say: Say
) -> list[Row]:
    """A row for each study, told to `say` as it comes, in the order in which they came.

    Studies whose mask by these weights is stored are not run again. Ctrl-C lets
    each process stop at its next window; the rows that are left are `stopped`.
    Call it from the main thread.
    """
    rows: list[Row] = []

    def settle(row: Row) -> None:
        rows.append(row)
        say(row)

    waiting = []
    for study in studies:
        kept = masks.recall(study, weights)
        if kept is None:
            waiting.append(study)
        else:
            settle(Row(study.id, "stored", ml=region_volumes_ml(kept)))
    with _interrupts() as stop:
        run = partial(_side_by_side, folder=masks.folder, weights=weights, stop=stop, settle=settle)
        died = run(waiting, jobs)
        for study in died:  # memory may have run out: once more, alone
            if run([study], 1):
                settle(Row(study.id, "failed", reason=DIED.format(study.id)))
    told = {row.study for row in rows}
    for study in studies:
        if study.id not in told:
            settle(Row(study.id, "stopped"))
    return rows


DIED = (
    "{}: expected a mask, but its process ended without a word, as it does when memory runs "
    "out; try again with --jobs 1."
)


def _side_by_side(
    studies: Sequence[Study],
    jobs: int,
    folder: Path,
    weights: Weights,
    stop: threading.Event,
    settle: Say,
) -> list[Study]:
    """Run them in processes side by side; given back are the studies whose process died.

    Each process has a pipe and a thread of its own here, so that a death is
    the study's that was sent last. (A ProcessPoolExecutor loses the whole pool
    with one process, and in Python 3.11 may wait for ever when one dies while
    another starts.)
    """
    workers = max(1, min(jobs, len(studies)))
    begin = partial(_process, folder, weights, max(1, _processors() // workers))
    waiting, died, turn = deque(studies), list[Study](), threading.Lock()

    def following() -> Study | None:
        with turn:
            return None if stop.is_set() or not waiting else waiting.popleft()

    def drive() -> None:
        with ExitStack() as processes:
            pipe = None
            while study := following():
                pipe = pipe or processes.enter_context(begin())
                row = _sent(pipe, study)
                with turn:
                    settle(row) if row else died.append(study)
                if row is None:
                    pipe = None

    with ThreadPoolExecutor(workers) as threads:
        for ended in [threads.submit(drive) for _ in range(workers)]:
            ended.result()
    return died


def _sent(pipe: _Pipe, study: Study) -> Row | None:
    """The study's row out of the process at the other end; None where it died."""
    try:
        pipe.send(study)
        row: Row = pipe.recv()
    except (EOFError, OSError):
        return None
    return row


@contextmanager
def _process(folder: Path, weights: Weights, threads: int) -> Iterator[_Pipe]:
    """A process that makes masks, and the pipe to it; it ends with the pipe."""
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_work, args=(there, folder, weights, threads), daemon=True)
    with _uninterrupted():
        process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.join()


def _work(pipe: _Pipe, folder: Path, weights: Weights, threads: int) -> None:
    """In a process of its own: for each study that comes, make and store its mask."""
    import torch

    stop = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    _mask("SIG_UNBLOCK")
    torch.set_num_threads(threads)
    store = MaskStore(folder, ArrayCache(CACHE_BYTES))
    with suppress(EOFError):  # no more studies
        while True:
            pipe.send(_made(pipe.recv(), store, weights, stop))


def _made(study: Study, store: MaskStore, weights: Weights, stop: threading.Event) -> Row:
    began = perf_counter()
    try:
        made = store.segment(study, weights, cancelled=stop.is_set)
    except SegmentationCancelled:
        return Row(study.id, "stopped")
    except UserError as error:
        return Row(study.id, "failed", perf_counter() - began, reason=str(error))
    except MemoryError:
        return Row(study.id, "failed", perf_counter() - began, reason=DIED.format(study.id))
    return Row(study.id, "made", perf_counter() - began, region_volumes_ml(made))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits. A process started meanwhile inherits that, until it can handle it."""
    _mask("SIG_BLOCK")
    try:
        yield
    finally:
        _mask("SIG_UNBLOCK")


def _mask(how: str) -> None:
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(getattr(signal, how), {signal.SIGINT})


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets, here and in the processes; the second one ends all."""
    stop = threading.Event()

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        children = [child for child in active_children() if child.pid is not None]
        if stop.is_set():
            for child in children:
                child.kill()
            raise KeyboardInterrupt
        stop.set()
        if os.name == "posix":  # elsewhere the console has told them
            for child in children:
                os.kill(child.pid or 0, signal.SIGINT)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
