"""Whether hours of use leave anything behind: `python -m tests.benchmarks.soak --minutes 60`.

Serves twenty small studies and lets users come, open a study, fetch its volumes,
ask and leave, one after the other. Every half minute the server's resident
memory, open files and threads are noted, and in the end their medians over the
second quarter of the time are compared with those over the last. Exit status 1
where memory grew by more than a tenth, or files or threads by more than five.
"""

from __future__ import annotations

import sys
import tempfile
import time
import urllib.request
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median

import psutil

from inference.database import DATA_VARIABLE
from tests.crowd import PATIENCE_S, SEQUENCES, Visitor, Wish, write_studies
from tests.serving import Served, served

STUDIES = 20
EVERY_S = 30.0
MOST_GROWTH = 0.10
MOST_MORE = 5
"""Open files and threads: a pool may have one more worker than it had."""
MIB = 2**20


@dataclass(frozen=True)
class Look:
    """What the server holds at one moment."""

    memory_mib: float
    files: int
    threads: int


def look_at(process: psutil.Process) -> Look:
    """Resident memory, open file descriptors (sockets too) and threads."""
    with process.oneshot():
        return Look(process.memory_info().rss / MIB, process.num_fds(), process.num_threads())


def visit(address: str, wish: Wish) -> None:
    """One user: opens the page, looks at the study, asks, and leaves."""
    visitor = Visitor(address)
    for sequence in SEQUENCES:
        with urllib.request.urlopen(f"{address}volumes/{wish.case}/{sequence}.nii") as answer:
            answer.read()
    visitor.ask(wish).result(timeout=PATIENCE_S)
    visitor.client.close()


def use(running: Served, seconds: float, pause_s: float) -> tuple[list[Look], int]:
    """The looks taken while users came and went for so long, and how many users came."""
    process = psutil.Process(running.process.pid)
    looks, visits, start = [look_at(process)], 0, time.monotonic()
    while (passed := time.monotonic() - start) < seconds:
        visit(running.address, Wish(visits % STUDIES + 1))
        visits += 1
        if passed >= len(looks) * EVERY_S:
            looks.append(look_at(process))
            print(f"{passed / 60:6.1f} min  {visits:6d} visits  {told(looks[-1])}", flush=True)
        time.sleep(pause_s)
    return looks, visits


def middle(looks: Sequence[Look]) -> Look:
    """The median of each."""
    memory, files, threads = (median(values) for values in zip(*map(astuple, looks), strict=True))
    return Look(memory, round(files), round(threads))


def grew(before: Look, after: Look) -> bool:
    """Whether more is held than use explains."""
    return (
        after.memory_mib > before.memory_mib * (1 + MOST_GROWTH)
        or after.files > before.files + MOST_MORE
        or after.threads > before.threads + MOST_MORE
    )


def told(look: Look) -> str:
    """In words."""
    return f"{look.memory_mib:7.0f} MiB  {look.files:4d} files  {look.threads:3d} threads"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=1.0, metavar="S", help="between two users")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        wishes = [Wish(number) for number in range(1, STUDIES + 1)]
        questions = write_studies(folder / "studies", wishes)
        given = ["--data", str(folder / "studies"), "--questions", str(questions)]
        with served(folder, *given, environment={DATA_VARIABLE: str(folder / "data")}) as running:
            looks, visits = use(running, 60 * chosen.minutes, chosen.pause)
    quarter = max(1, len(looks) // 4)
    before, after = middle(looks[quarter : 2 * quarter] or looks), middle(looks[-quarter:])
    print(f"{visits} visits in {chosen.minutes:g} minutes")
    print(f"second quarter  {told(before)}\nlast quarter    {told(after)}")
    return int(grew(before, after))


if __name__ == "__main__":
    sys.exit(main())
