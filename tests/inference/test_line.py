from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from inference.errors import LeftTheLine
from inference.line import Line

SOON_S = 120.0


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON_S
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def start(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_first_come_first_served_one_at_a_time() -> None:
    line, order, inside = Line(), [], []
    gate = threading.Event()

    def visit(name: int) -> None:
        with line.turn():
            inside.append(name)
            assert len(inside) == 1
            gate.wait(SOON_S)
            order.append(name)
            inside.remove(name)

    threads = []
    for name in range(20):
        threads.append(start(lambda name=name: visit(name)))
        until(lambda name=name: line.waiting == name)
    gate.set()
    for thread in threads:
        thread.join(SOON_S)
    assert order == list(range(20))
    assert line.waiting == 0


def test_whoever_waits_is_told_each_place() -> None:
    line, told = Line(), []
    first, second = threading.Event(), threading.Event()

    def hold(until_set: threading.Event) -> None:
        with line.turn():
            until_set.wait(SOON_S)

    start(lambda: hold(first))
    until(lambda: line._served is not None)
    start(lambda: hold(second))
    until(lambda: line.waiting == 1)
    done = threading.Event()

    def third() -> None:
        with line.turn(told.append):
            done.set()

    start(third)
    until(lambda: told == [2])
    first.set()
    until(lambda: told == [2, 1])
    second.set()
    assert done.wait(SOON_S)
    assert told == [2, 1]


def test_leaving_the_line_holds_up_nobody() -> None:
    line = Line()
    gate, gone, served = threading.Event(), threading.Event(), threading.Event()
    left: list[str] = []

    def hold() -> None:
        with line.turn():
            gate.wait(SOON_S)

    def impatient() -> None:
        try:
            with line.turn(cancelled=gone.is_set):
                pytest.fail("was served")
        except LeftTheLine as error:
            left.append(str(error))

    def patient() -> None:
        with line.turn():
            served.set()

    start(hold)
    until(lambda: line._served is not None)
    start(impatient)
    until(lambda: line.waiting == 1)
    start(patient)
    until(lambda: line.waiting == 2)
    gone.set()
    until(lambda: bool(left))
    assert line.waiting == 1
    assert not served.is_set()
    gate.set()
    assert served.wait(SOON_S)


def test_a_failure_passes_the_turn_on_and_the_same_thread_may_enter_again() -> None:
    line = Line()
    with pytest.raises(ValueError, match="no"), line.turn():
        raise ValueError("no")
    with line.turn(), line.turn():
        assert line.waiting == 0
    with line.turn():
        pass
