from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from inference.batch import Outcome, Progress, run
from inference.choices import Choices
from inference.claims import Claims, new_owner
from inference.desk import Desk
from inference.errors import ModelKeepsFailing
from inference.host import ModelHost
from inference.plans import Plan
from inference.questions import Question, QuestionSet
from inference.record_store import RecordStore
from inference.results import results
from segmentation.store import MaskStore
from tests.inference.studies import stored_study
from viewer.cache import ArrayCache
from viewer.catalogue import Catalogue
from viewer.errors import UnknownName

QUESTIONS = tuple(
    Question(f"q{n}", case, f"Where is it ({n})?", ("Left", "Right", "Both", "Neither"), n % 4)
    for case in ("S-1", "S-2")
    for n in range(3)
)
HOW = Choices("", "", "", "")
PLAN = Plan(("fake:A", "fake:B"), ("single-slice", "text-only"), ("original", "shuffled"), HOW)
ASKS = 2 * 2 * 2 * len(QUESTIONS)


@pytest.fixture
def desk(tmp_path: Path, store: RecordStore) -> Desk:
    first = stored_study(tmp_path)
    cache = ArrayCache(10**8)
    return Desk(
        catalogue=Catalogue((first, replace(first, id="S-2")), ()),
        questions=QuestionSet(QUESTIONS),
        cache=cache,
        masks=MaskStore(tmp_path / "masks", cache),
        host=ModelHost(),
        records=store,
    )


def ask_all(desk: Desk, plan: Plan = PLAN, stopped: Callable[[], bool] = lambda: False) -> Outcome:
    return run(desk, plan, lambda progress, text: None, stopped)


def keys(desk: Desk) -> list[str]:
    return [record.key for record in desk.records.read().records]


def test_every_combination_is_asked_once(desk: Desk) -> None:
    outcome = ask_all(desk)
    assert outcome.progress.wanted == outcome.progress.asked == ASKS
    assert outcome.progress.drawn == 2 * 2
    records = desk.records.read().records
    assert len(set(keys(desk))) == len(records) == ASKS
    assert {record.ordering for record in records} == {"original", "shuffled"}
    pictures = {p["sha256"] for record in records for p in record.pictures}
    assert all((desk.records.pictures / f"{sha256}.png").exists() for sha256 in pictures)


def test_ablations_are_asked_besides_and_only_where_they_change_something(desk: Desk) -> None:
    rows = ("mirrored", "wrong-study", "without:T1", "stem-masked", "finding-as-text")
    plan = replace(PLAN, models=("fake:A",), ablations=rows)
    outcome = ask_all(desk, plan)
    assert {problem.reason for problem in outcome.problems} == {
        "Expected an ask that without can be done to, but the representation shows one sequence "
        "only; choose another representation or study."
    }
    by_row: Counter[tuple[str, str]] = Counter()
    for record in desk.records.read().records:
        by_row[record.representation, record.ablation or ""] += 1
    each = 2 * len(QUESTIONS)  # orders x questions
    assert by_row == {
        ("single-slice", ""): each, ("single-slice", "mirrored"): each,
        ("single-slice", "stem-masked"): each, ("single-slice", "finding-as-text"): each,
        ("text-only", ""): each, ("text-only", "stem-masked"): each,
        ("text-only", "finding-as-text"): each,
    }  # fmt: skip
    # The other study is a copy here: its pictures were asked about already.
    assert outcome.progress.known == outcome.progress.unfit == each
    assert ask_all(desk, plan).progress.asked == 0


def test_an_ablation_that_does_not_exist_is_one_sentence(desk: Desk) -> None:
    with pytest.raises(UnknownName, match=r"Expected an ablation out of .*, got 'upside-down'"):
        ask_all(desk, replace(PLAN, ablations=("upside-down",)))


def test_a_second_run_asks_nothing(desk: Desk) -> None:
    ask_all(desk)
    again = ask_all(desk).progress
    assert (again.asked, again.known, again.done) == (0, ASKS, ASKS)
    more = ask_all(desk, replace(PLAN, orders=("original", "shuffled", "7"))).progress
    assert (more.asked, more.known) == (ASKS // 2, ASKS)


def test_a_stopped_run_goes_on_where_it_was(desk: Desk) -> None:
    first = ask_all(desk, stopped=lambda: len(keys(desk)) >= 5)
    assert first.stopped
    assert first.progress.asked == 5
    assert ask_all(desk).progress.known == 5
    assert len(set(keys(desk))) == len(keys(desk)) == ASKS


def test_runs_that_share_a_database_ask_nothing_twice(desk: Desk) -> None:
    desk.records.engine
    start = threading.Barrier(3)

    def one(_: int) -> Outcome:
        mine = replace(
            desk, host=ModelHost(), records=RecordStore(desk.records.folder, desk.records.url)
        )
        start.wait()
        try:
            return ask_all(mine)
        finally:
            mine.records.close()

    with ThreadPoolExecutor(3) as pool:
        outcomes = list(pool.map(one, range(3)))
    assert sum(outcome.progress.asked for outcome in outcomes) == ASKS
    assert len(set(keys(desk))) == len(keys(desk)) == ASKS


def test_a_corrected_answer_key_grades_what_is_recorded_anew(desk: Desk) -> None:
    """Nothing is asked again, and each answer counts once, under the answer key of now."""
    ask_all(desk)
    before = results(desk.records.engine)
    corrected = tuple(replace(q, answer=1 - (q.answer or 0) % 2) for q in QUESTIONS)
    changed = replace(desk, questions=QuestionSet(corrected))
    again = ask_all(changed).progress
    pairs = zip(QUESTIONS, corrected, strict=True)
    moved = 2 * 2 * 2 * sum(old.answer != new.answer for old, new in pairs)
    assert (again.asked, again.known, again.regraded) == (0, ASKS, moved)
    after = results(desk.records.engine)
    assert after.asks == before.asks == ASKS
    rights = [sum(row.tally.right for row in found.table) for found in (before, after)]
    told = {(r.model, r.question_id): r.score for r in desk.records.read().records[ASKS:]
            if r.ordering == "original"}  # fmt: skip
    assert told["fake:B", "q0"] == "right" and told["fake:A", "q0"] == "wrong"
    assert rights[1] > 0
    assert ask_all(changed).progress.regraded == 0


def test_repeats_have_seeds_of_their_own(desk: Desk) -> None:
    plan = replace(PLAN, models=("fake",), representations=("text-only",), orders=("original",))
    outcome = ask_all(desk, replace(plan, repeats=3, how=replace(HOW, temperature=0.7)))
    assert outcome.progress.asked == 3 * len(QUESTIONS)
    generation = [record.generation for record in desk.records.read().records]
    assert {settings["seed"] for settings in generation if settings} == {0, 1, 2}


def test_what_cannot_be_asked_is_counted_and_named(desk: Desk) -> None:
    broken = replace(QUESTIONS[0], id="torn", options=("Left",), answer=None)
    odd = replace(QUESTIONS[1], id="odd", answer=None, problem="the answer is none of them")
    bad = replace(desk, questions=QuestionSet((*QUESTIONS, broken, odd)))
    outcome = ask_all(bad, replace(PLAN, models=("fake",), representations=("single-slice",)))
    assert outcome.progress.unfit == 2
    assert outcome.progress.done == outcome.progress.wanted
    assert {problem.file for problem in outcome.problems} == {
        "S-1, question torn", "S-1, question odd",
    }  # fmt: skip


@dataclass(frozen=True)
class FailingHost:
    def load(self, name: str, progress: object) -> object:
        from tests.inference.test_ask import Failing

        return Failing()


def test_a_model_that_fails_at_everything_ends_the_run(desk: Desk) -> None:
    with pytest.raises(ModelKeepsFailing, match="out of memory"):
        ask_all(replace(desk, host=FailingHost()))  # type: ignore[arg-type]
    assert [record.score for record in desk.records.read().records] == ["error"] * 5
    assert ask_all(desk).progress.asked == ASKS


def test_progress_says_how_fast_and_how_long() -> None:
    assert Progress(10).rate is Progress(10).seconds_left is None
    progress = Progress(100, asked=10, known=40, seconds=5.0)
    assert (progress.rate, progress.seconds_left) == (2.0, 25.0)


def test_a_claim_holds_until_it_is_released_or_its_process_is_dead(store: RecordStore) -> None:
    mine, other = (Claims(store.writing, new_owner()) for _ in range(2))
    assert mine.take(["a", "b"]) == {"a", "b"}
    assert other.take(["b", "c"]) == {"c"}
    assert mine.take(["a"]) == {"a"}
    mine.release(["b"])
    assert other.take(["b"]) == {"b"}
    host = new_owner().split("/")[0]
    dead = Claims(store.writing, f"{host}/{_ended_process()}/1")
    assert dead.take(["d"]) == {"d"}
    assert mine.take(["d"]) == {"d"}
    far = Claims(store.writing, "another-machine/1/1")
    assert far.take(["e"]) == {"e"}
    assert mine.take(["e"]) == set()


def _ended_process() -> int:
    child = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(child, 0)
    return child
