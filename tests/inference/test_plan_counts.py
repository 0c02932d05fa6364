from __future__ import annotations

import time
from pathlib import Path

import pytest

from inference.choices import Choices
from inference.desk import Desk
from inference.host import ModelHost
from inference.plan_counts import count_plan
from inference.plans import Plan
from inference.questions import Question, QuestionSet
from inference.record_store import RecordStore
from inference.representations import REPRESENTATIONS
from segmentation.store import MaskStore
from tests.inference.made_records import made
from viewer.cache import ArrayCache
from viewer.catalogue import Catalogue
from viewer.study import SequenceFile, Study

QUESTIONS, STUDIES = 2_387, 495
NAMES = ("T1", "T1c", "T2", "FLAIR")
HOW = Choices("", "", "", "", generate=False)


@pytest.fixture
def desk(store: RecordStore, tmp_path: Path) -> Desk:
    """The benchmark's size: studies that no file lies behind."""
    sequences = tuple(
        SequenceFile(name, tmp_path / f"{name}.nii.gz", (240, 240, 155), (1.0, 1.0, 1.0))
        for name in NAMES
    )
    studies = [
        Study(f"UCSF-PDGM-{n:04d}", "plain", tmp_path, sequences, ()) for n in range(STUDIES)
    ]
    questions = [
        Question(f"q{n}", studies[n % STUDIES].id, f"Where ({n})?", ("Left", "Right", "Both"), 0)
        for n in range(QUESTIONS)
    ]
    cache = ArrayCache(10**6)
    return Desk(
        Catalogue(tuple(studies), ()), QuestionSet(tuple(questions)), cache,
        MaskStore(tmp_path / "masks", cache), ModelHost(), store,
    )  # fmt: skip


def test_the_benchmark_on_paper_takes_seconds_and_reads_no_volume(desk: Desk) -> None:
    models = ("fake", "fake:B", "fake:C")
    plan = Plan(models, tuple(REPRESENTATIONS), ("original",), HOW)
    started = time.process_time()
    counted = count_plan(desk, plan)
    assert time.process_time() - started < 10
    assert desk.cache.held_bytes == 0
    with_pictures = len(REPRESENTATIONS) - 1
    assert counted.questions == QUESTIONS
    assert counted.total("asks") == QUESTIONS * len(REPRESENTATIONS) * 3
    assert counted.total("prefixes") == STUDIES * with_pictures * 3
    assert counted.total("saved") == (QUESTIONS - STUDIES) * with_pictures * 3
    assert counted.hours_left is None
    assert "time not known" in counted.lines()[-1]


def test_hours_are_left_at_the_measured_rate(desk: Desk) -> None:
    plan = Plan(("fake",), ("text-only",), ("original", "shuffled"), HOW)
    for n, seconds in enumerate((2.0, 4.0, 9.0)):
        case, question = f"UCSF-PDGM-{n:04d}", f"q{n}"
        fields = {"case": case, "question_id": question, "seconds": seconds, "model": "fake"}
        desk.records.append(made("A", truth=0, representation="text-only", **fields))
    elsewhere = {"case": "UCSF-PDGM-0000", "question_id": "q1", "model": "fake", "seconds": 4.0}
    desk.records.append(made("A", truth=0, representation="text-only", **elsewhere))
    (arm,) = count_plan(desk, plan).arms
    assert (arm.asks, arm.recorded, arm.seconds_each) == (2 * QUESTIONS, 3, 4.0)
    assert arm.hours_left == pytest.approx((2 * QUESTIONS - 3) * 4.0 / 3600)
    assert count_plan(desk, plan).to_json()["hours_left"] == pytest.approx(arm.hours_left)


def test_what_a_model_cannot_have_is_counted_apart(desk: Desk) -> None:
    plan = Plan(("Qwen/Qwen3-8B",), ("montage", "text-only"), ("original",), HOW)
    montage, words = count_plan(desk, plan).arms
    assert (montage.asks, montage.prefixes, montage.unfit) == (0, 0, QUESTIONS)
    assert (words.asks, words.prefixes, words.saved) == (QUESTIONS, 0, 0)
