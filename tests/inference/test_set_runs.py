from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from inference.batch import Outcome, Progress, run
from inference.desk import Desk
from inference.errors import ModelKeepsFailing
from inference.panel_sets_run import Selected, _following
from inference.plans import Plan
from inference.set_cards import runs_card
from inference.set_runs import SetRuns, follow
from tests.inference.test_batch import ASKS, HOW, PLAN, desk, keys

__all__ = ["desk"]

SLOW_S = 120
Stopped = Callable[[], bool]


def held(gate: threading.Event) -> Callable[[Any, Stopped], Outcome]:
    """A run that says that it has begun and then waits for the gate or for a stop."""

    def work(say: Any, stopped: Stopped) -> Outcome:
        say(Progress(10, asked=3), "")
        while not gate.wait(0.01):
            if stopped():
                return Outcome(Progress(10, asked=4), (), stopped=True)
        return Outcome(Progress(10, asked=10), (), stopped=False)

    return work


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_a_run_goes_on_when_its_page_is_closed(desk: Desk) -> None:
    runs = SetRuns()
    started = runs.begin(PLAN, lambda say, stopped: run(desk, PLAN, say, stopped))
    page = _following(runs, started)
    next(page)
    page.close()
    assert started.ended.wait(SLOW_S)
    assert started.state == "done"
    assert len(set(keys(desk))) == ASKS


def test_a_run_is_found_again_and_the_same_is_not_begun_twice() -> None:
    runs, gate = SetRuns(), threading.Event()
    first = runs.begin(PLAN, held(gate))
    assert runs.begin(PLAN, held(gate)) is first
    other = runs.begin(replace(PLAN, cases=("S-2",)), held(gate))
    assert runs.listed() == (other, first)
    assert runs.under_way() is other
    gate.set()
    assert other.ended.wait(SLOW_S) and first.ended.wait(SLOW_S)
    assert runs.under_way() is None
    assert runs.begin(PLAN, held(gate)) is not first
    told = runs_card(runs.listed())
    assert "S-2 · fake:A, fake:B" in told
    assert "10 of 10" in told


def test_only_the_run_that_is_meant_is_stopped() -> None:
    runs, gate = SetRuns(), threading.Event()
    one, two = (
        runs.begin(Plan((m,), ("text-only",), ("original",), HOW), held(gate)) for m in "ab"
    )
    runs.stop(None)
    runs.stop(one.id)
    assert one.ended.wait(SLOW_S)
    assert (one.state, two.state) == ("stopped", "under way")
    assert [each.progress for each in follow(one)][-1] == Progress(10, asked=4)
    gate.set()
    assert two.ended.wait(SLOW_S)


def test_what_goes_wrong_is_said() -> None:
    def fails(say: Any, stopped: Stopped) -> Outcome:
        raise ModelKeepsFailing("Expected answers, got none; mend that.")

    runs = SetRuns()
    failed = runs.begin(PLAN, fails)
    assert failed.ended.wait(SLOW_S)
    assert failed.state.startswith("Expected answers")
    assert "Expected answers" in next(_following(runs, failed))[0]


def test_what_the_page_reads_is_what_it_asks_for() -> None:
    scores = Selected((), (), ("m",), ("blank",), ("original",))
    free = replace(scores, free=True)
    assert (scores.plan().how.generate, free.plan().how.generate) == (False, True)
    named = [SetRuns().begin(each.plan(), held(threading.Event())) for each in (scores, free)]
    assert [run.name.endswith("free replies") for run in named] == [False, True]
    for each in named:
        each.stop.set()
