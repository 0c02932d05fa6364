"""Work in a thread: its news, its result, its failure, and who may stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from viewer.errors import UserError
from viewer.live import REMEMBERED, Cancels, Done, Newest, Soon, watch

Say = Callable[[str], None]
Stop = Callable[[], bool]


def test_news_arrive_in_order_and_the_result_last() -> None:
    def work(say: Say, stop: Stop) -> int:
        for word in ("a", "b", "c"):
            say(word)
        return 7

    steps = list(watch(work, threading.Event()))
    assert [word for step in steps if isinstance(step, Soon) for word in step.news] == list("abc")
    assert steps[-1] == Done(7)


def test_a_failure_of_the_work_is_raised_to_the_watcher() -> None:
    def work(say: Say, stop: Stop) -> int:
        raise UserError("no such thing")

    with pytest.raises(UserError, match="no such thing"):
        list(watch(work, threading.Event()))


def test_a_watcher_that_goes_away_stops_the_work() -> None:
    stopped = threading.Event()

    def work(say: Say, stop: Stop) -> None:
        while not stop():
            stopped.wait(0.01)
        stopped.set()

    watching = watch(work, threading.Event())
    next(watching)
    watching.close()
    assert stopped.wait(60)


def test_one_piece_of_work_a_session() -> None:
    cancels = Cancels()
    first = cancels.begin("one")
    other = cancels.begin("two")
    second = cancels.begin("one")
    assert first.is_set() and not second.is_set() and not other.is_set()
    assert cancels.is_current("one", second) and not cancels.is_current("one", first)
    cancels.end("one", first)  # a late end of the first must not end the second
    assert cancels.cancel("one") and second.is_set() and not other.is_set()
    cancels.forget("two")
    assert other.is_set() and not cancels.is_current("two", other)
    assert not cancels.cancel("two")


def test_a_second_press_while_the_same_is_under_way_means_nothing() -> None:
    cancels = Cancels()
    asked = cancels.begin("one", ("study", "q2"))
    again = cancels.begin("one", ("study", "q2"))
    assert again.is_set() and not asked.is_set() and cancels.is_current("one", asked)
    cancels.end("one", again)
    assert cancels.is_current("one", asked)
    cancels.cancel("one")  # what is being stopped can be asked anew
    anew = cancels.begin("one", ("study", "q2"))
    assert not anew.is_set() and cancels.is_current("one", anew)
    cancels.begin("one", ("study", "q3"))
    assert anew.is_set()


def test_a_late_word_that_the_page_moved_stops_nothing_that_was_asked_there() -> None:
    cancels = Cancels()
    asked = cancels.begin("one", ("study", "q2"))
    assert not cancels.forget("one", ("study", "q2"))
    assert not asked.is_set() and cancels.is_current("one", asked)
    cancels.end("one", asked)
    assert not cancels.forget("one", ("study", "q2"))  # its answer stays as well
    assert cancels.forget("one", ("study", "q3")) and cancels.forget("one", ("study", "q3"))


def test_the_pages_own_time_says_what_came_first() -> None:
    """The page went to q2 at 2, asked there at 3, and went to q3 at 4; heard in other orders."""
    cancels = Cancels()
    asked = cancels.begin("one", ("study", "q2"), at=3.0)
    assert not cancels.forget("one", ("study", "q1"), at=1.0) and not asked.is_set()
    assert cancels.forget("one", ("study", "q3"), at=4.0) and asked.is_set()
    late = cancels.begin("one", ("study", "q2"), at=3.0)
    assert late.is_set() and not cancels.is_current("one", late)
    back = cancels.begin("one", ("study", "q3"), at=3.5)  # what the page is about by now
    assert not back.is_set() and cancels.is_current("one", back)
    assert cancels.begin("one", ("study", "q2"), at=3.2).is_set() and not back.is_set()
    assert not cancels.begin("two", ("study", "q2"), at=1.0).is_set()


def test_what_sessions_asked_last_is_not_kept_for_ever() -> None:
    cancels = Cancels()
    for number in range(REMEMBERED + 1):
        cancels.end(str(number), cancels.begin(str(number), ("study",)))
    assert not cancels.forget("1", ("study",)) and cancels.forget("0", ("study",))


def test_what_was_asked_before_something_newer_is_not_shown() -> None:
    newest = Newest()
    assert newest.take("one", 2.0) and newest.take("one", 2.0) and newest.take("two", 1.0)
    assert not newest.take("one", 1.0) and newest.take("one", 3.0)
    for number in range(REMEMBERED):
        newest.take(f"other {number}", 1.0)
    assert newest.take("one", 1.0)  # forgotten
