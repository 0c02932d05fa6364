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
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children, get_context
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
        run = partial(_round, folder=masks.folder, weights=weights, stop=stop, settle=settle)
        while waiting and not stop.is_set():
            suspects, waiting = run(waiting, jobs)
            for suspect in suspects:  # one of them let its process die: each gets its own
                if run([suspect], 1)[0]:
                    settle(Row(suspect.id, "failed", reason=DIED.format(suspect.id)))
    told = {row.study for row in rows}
    for study in studies:
        if study.id not in told:
            settle(Row(study.id, "stopped"))
    return rows


DIED = (
    "{}: expected a mask, but its process ended without a word, as it does when memory runs "
    "out; try again with --jobs 1."
)


def _round(
    studies: Sequence[Study],
    jobs: int,
    folder: Path,
    weights: Weights,
    stop: threading.Event,
    settle: Say,
) -> tuple[list[Study], list[Study]]:
    """Run them in one pool, as many at a time as it has processes.

    Once a process dies the whole pool is lost: returned are the studies that
    ran then, and those that had not begun.
    """
    workers = min(jobs, len(studies))
    begin = partial(_one, folder=folder, weights=weights, threads=max(1, _processors() // workers))
    waiting, running = deque(studies), dict[Future[Row], Study]()
    suspects: list[Study] = []
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        while not suspects:
            while waiting and len(running) < workers and not stop.is_set():
                study = waiting.popleft()
                try:
                    with _uninterrupted():
                        running[pool.submit(begin, study)] = study
                except BrokenProcessPool:  # a process died just now
                    waiting.appendleft(study)
                    break
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                suspects += _settled(future, running.pop(future), settle)
        for future, study in running.items():
            suspects += _settled(future, study, settle)
    return suspects, list(waiting)


def _settled(future: Future[Row], study: Study, settle: Say) -> list[Study]:
    """Tell the study's row; or give the study back where its process died."""
    try:
        settle(future.result())
    except BrokenProcessPool:
        return [study]
    return []


def _one(study: Study, folder: Path, weights: Weights, threads: int) -> Row:
    """In a process of its own: make and store the mask of one study."""
    import torch

    stop = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    _mask("SIG_UNBLOCK")
    torch.set_num_threads(threads)
    store = MaskStore(folder, ArrayCache(CACHE_BYTES))
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
