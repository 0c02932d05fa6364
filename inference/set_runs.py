"""Runs that go on when their page is closed, and are found again from any page.

Made once by the application. A run is a thread; what it has asked is in the
records at once, so that a run which ended with its process goes on where it
was when the same is asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import uuid4

from inference.batch import Outcome, Progress
from inference.plans import Plan
from viewer.errors import UserError

Work = Callable[[Callable[[Progress, str], None], Callable[[], bool]], Outcome]
"""Takes `say(progress, text)` and `stopped()`."""

TICK_S = 0.3
REMEMBERED = 20
"""Runs that ended and are still listed."""


@dataclass
class SetRun:
    """One run. `outcome` is None and `error` empty while it is under way."""

    plan: Plan
    id: str = field(default_factory=lambda: uuid4().hex)
    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    progress: Progress | None = None
    doing: str = "starting"
    outcome: Outcome | None = None
    error: str = ""
    ended: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def state(self) -> str:
        """In one word, or the sentence of what went wrong."""
        if not self.ended.is_set():
            return "stopping" if self.stop.is_set() else "under way"
        if self.outcome is None:
            return self.error
        return "stopped" if self.outcome.stopped else "done"

    @property
    def name(self) -> str:
        """What it asks, in words."""
        plan = self.plan
        about = ", ".join(plan.cases) or "all studies"
        parts = (plan.models, plan.representations, plan.orders)
        besides = (f"besides: {', '.join(plan.ablations)}",) if plan.ablations else ()
        read = ("free replies",) if plan.how.generate else ()
        return " · ".join((about, *(", ".join(part) for part in parts), *besides, *read))


class SetRuns:
    """Every run of this application, the newest first. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: list[SetRun] = []

    def begin(self, plan: Plan, work: Work) -> SetRun:
        """Start it; the run that is under way where the same is asked already."""
        with self._lock:
            for known in self._runs:
                if known.plan == plan and not known.ended.is_set() and not known.stop.is_set():
                    return known
            run = SetRun(plan)
            over = [each for each in self._runs if each.ended.is_set()][REMEMBERED:]
            self._runs = [run, *(each for each in self._runs if each not in over)]
        threading.Thread(target=_carry_out, args=(run, work), daemon=True).start()
        return run

    def listed(self) -> tuple[SetRun, ...]:
        """The newest first."""
        with self._lock:
            return tuple(self._runs)

    def under_way(self) -> SetRun | None:
        """The newest that has not ended."""
        return next((run for run in self.listed() if not run.ended.is_set()), None)

    def stop(self, run_id: str | None) -> None:
        """Let that one end after the ask under way."""
        for run in self.listed():
            if run.id == run_id:
                run.stop.set()


def follow(run: SetRun) -> Iterator[SetRun]:
    """Now and then until it has ended, and once more then. Going away ends nothing."""
    yield run
    shown = run.progress, run.doing
    while not run.ended.wait(TICK_S):
        if (run.progress, run.doing) != shown:
            shown = run.progress, run.doing
            yield run
    yield run


def _carry_out(run: SetRun, work: Work) -> None:
    def say(progress: Progress, text: str) -> None:
        run.progress, run.doing = progress, text or "asking"

    try:
        run.outcome = work(say, run.stop.is_set)
        run.progress = run.outcome.progress
    except UserError as error:
        run.error = str(error)
    except BaseException as error:
        run.error = f"It ended by a fault of the program ({type(error).__name__}); see its log."
        raise
    finally:
        run.ended.set()
