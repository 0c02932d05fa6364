"""A run: everything that a plan asks and that is not recorded yet, resumable at any point.

What to ask next follows from the records alone, so a run that was stopped,
killed or started twice goes on where the records end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from inference.ask import send_many
from inference.askers import Askers
from inference.claims import Claims, new_owner
from inference.desk import Desk
from inference.errors import ModelKeepsFailing
from inference.models.protocol import Model
from inference.models.server_address import VARIABLES
from inference.models.table import model_entry
from inference.plans import Drawn, Plan, Sheet, draw, sheets
from inference.preparation import Prepared
from inference.record_rows import storable
from inference.record_store import RecordStore
from inference.recording import key_of, regraded
from viewer.study import Problem

AT_ONCE = 16
"""Asks that are scored together: as many as a kill may cost."""

AHEAD = 2
"""Sheets that are drawn while another is asked; with servers, as many as are asked together."""

CONCURRENCY = 4
"""Sheets that servers are asked at the same time. A model in this process answers one by one."""

GIVE_UP_AFTER = 5
"""Failures in a row after which the model, not the ask, is to blame."""


@dataclass(frozen=True)
class Progress:
    """How far a run is. `known` was recorded before, `others` is being asked by another run.

    `drawn` counts picture sets and `asked` the asks made over them: their
    difference is the encodings that were saved. `regraded` of those known were
    graded anew, as the question's answer has changed since.
    """

    wanted: int
    asked: int = 0
    failed: int = 0
    known: int = 0
    regraded: int = 0
    others: int = 0
    unfit: int = 0
    drawn: int = 0
    seconds: float = 0.0

    @property
    def done(self) -> int:
        """Asks that need nothing more from this run."""
        return self.asked + self.known + self.others + self.unfit

    @property
    def rate(self) -> float | None:
        """Asks a second; None before the first."""
        return self.asked / self.seconds if self.asked and self.seconds else None

    @property
    def seconds_left(self) -> float | None:
        """At this rate; None before the first ask."""
        return (self.wanted - self.done) / self.rate if self.rate else None


@dataclass(frozen=True)
class Outcome:
    """What a run did; `stopped` where it was told to before the end."""

    progress: Progress
    problems: tuple[Problem, ...]
    stopped: bool

    def to_json(self) -> dict[str, Any]:
        """The command line's document."""
        return {
            **asdict(self.progress),
            "rate": self.progress.rate,
            "stopped": self.stopped,
            "problems": [asdict(problem) for problem in self.problems],
        }


Say = Callable[[Progress, str], None]
Stopped = Callable[[], bool]


@dataclass(frozen=True)
class Servers:
    """The base URLs of one model's servers (none: the environment's) and how busy to keep them."""

    urls: tuple[str, ...] = ()
    concurrency: int = CONCURRENCY


def run(
    desk: Desk, plan: Plan, say: Say, stopped: Stopped, servers: Servers | None = None
) -> Outcome:
    """Ask what the plan asks. Stops between two asks once `stopped()` is true.

    `ModelKeepsFailing` after several failures in a row, each of them recorded.
    """
    todo = sheets(desk, plan)
    watch = _Watch(Progress(sum(sheet.size(plan) for sheet in todo)), say)
    claims = Claims(desk.records.writing, new_owner())
    problems = [*_ungraded(todo)]
    failed = threading.Event()

    def halted() -> bool:
        return stopped() or failed.is_set()

    for name in plan.models:
        mine = [sheet for sheet in todo if sheet.model == name]
        room = _room(name, servers or Servers())
        load = partial(_load, desk, name, servers or Servers(), watch)
        with Askers(room, failed) as askers:
            for drawn in _drawn_ahead(desk, plan, mine, halted, max(AHEAD, room)):
                problems += drawn.problems
                unfit = drawn.sheet.size(plan) - len(drawn.asks)
                watch.add(unfit=unfit, drawn=1 if drawn.asks and drawn.asks[0].pictures else 0)
                if drawn.asks:
                    model = askers.model(load)
                    askers.start(_ask_sheet, desk, drawn.asks, model, claims, watch, halted)
    return Outcome(watch.now(), (*problems, *watch.notes), stopped())


def _ungraded(todo: Sequence[Sheet]) -> Iterator[Problem]:
    """Questions that can be asked and, by a fault of their file, not graded."""
    asked = {(sheet.study_id, q.id): q for sheet in todo for q in sheet.questions}
    for (study_id, question_id), question in asked.items():
        if question.problem and question.answer is None and len(question.options) > 1:
            yield Problem(f"{study_id}, question {question_id}", question.problem)


def _room(name: str, servers: Servers) -> int:
    """How many sheets may be asked at the same time."""
    return max(1, servers.concurrency) if model_entry(name).kind in VARIABLES else 1


def _load(desk: Desk, name: str, servers: Servers, watch: _Watch) -> Model:
    entry = model_entry(name)
    if entry.kind in VARIABLES:
        from inference.models.server_cluster import load_cluster

        return load_cluster(entry, servers.urls, watch.note)
    return desk.host.load(name, lambda share, text: watch.tell(text))


def _ask_sheet(
    desk: Desk,
    asks: Sequence[Prepared],
    model: Model,
    claims: Claims,
    watch: _Watch,
    stopped: Stopped,
) -> None:
    """Ask what is neither recorded nor claimed, and keep each answer as it comes."""
    records = desk.records
    keyed = {key_of(ask, model): ask for ask in asks}
    graded_by = records.truths(list(keyed))
    known = set(graded_by)
    watch.add(known=len(asks) - len(keyed) + len(known))
    for key in known:
        if graded_by[key] != storable(keyed[key].question.truth):
            _grade_again(records, key, keyed[key])
            watch.add(regraded=1)
    wanted = [key for key in keyed if key not in known]
    taken = claims.take(wanted)
    # Another run may have recorded some and let go of them between the two looks.
    late = records.known(list(taken))
    watch.add(others=len(wanted) - len(taken), known=len(late))
    mine = [key for key in wanted if key in taken - late]
    try:
        for start in range(0, len(mine), AT_ONCE):
            part = [keyed[key] for key in mine[start : start + AT_ONCE]]
            for ask, record in zip(part, send_many(part, model, stopped), strict=False):
                records.append(record, ask.pictures)
                claims.renew()
                watch.answered(record.finish == "error", record.error)
            if stopped():
                return
    finally:
        claims.release(list(taken))


def _grade_again(records: RecordStore, key: str, ask: Prepared) -> None:
    """The answer as it is, under the answer key of now, as the newest record of its ask."""
    record = records.find(key)
    if record is not None:
        records.append(regraded(record, ask))


def _drawn_ahead(
    desk: Desk, plan: Plan, todo: Sequence[Sheet], stopped: Stopped, ahead: int
) -> Iterator[Drawn]:
    """Sheets in order, the next ones drawn in threads of their own while one is asked."""
    with ThreadPoolExecutor(ahead) as pool:
        coming: list[Future[Drawn]] = []
        for sheet in [*todo, *[None] * ahead]:
            if stopped():
                break
            if sheet is not None:
                coming.append(pool.submit(draw, desk, plan, sheet))
            if len(coming) > ahead or (sheet is None and coming):
                yield coming.pop(0).result()
        for future in coming:
            future.cancel()


class _Watch:
    """Counts what a run does, and says so; any thread may tell it."""

    def __init__(self, start: Progress, say: Say) -> None:
        self._progress, self._say = start, say
        self._started = time.monotonic()
        self._failures = 0
        self._lock = threading.RLock()
        self.notes: list[Problem] = []

    def now(self) -> Progress:
        return replace(self._progress, seconds=time.monotonic() - self._started)

    def tell(self, text: str) -> None:
        with self._lock:
            self._say(self.now(), text)

    def note(self, text: str) -> None:
        """Said now, and once more at the end."""
        with self._lock:
            self.notes.append(Problem("servers", text))
        self.tell(text)

    def add(self, **counts: int) -> None:
        with self._lock:
            progress = self._progress
            raised = {name: getattr(progress, name) + more for name, more in counts.items()}
            self._progress = replace(progress, **raised)
            self.tell("")

    def answered(self, failed: bool, error: str | None) -> None:
        with self._lock:
            self._failures = self._failures + 1 if failed else 0
            self.add(asked=1, failed=int(failed))
            if self._failures >= GIVE_UP_AFTER:
                raise ModelKeepsFailing(
                    f"Expected answers, but the last {GIVE_UP_AFTER} asks failed with: {error}; "
                    "mend that and run again: what was answered is kept."
                )
