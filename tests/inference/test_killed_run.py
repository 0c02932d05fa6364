"""`python app.py run`, killed at any moment and begun again; and two of them on one database."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import app
from inference.record_store import RecordStore
from tests.inference.studies import stored_study

KILLS = 4
QUESTIONS = 40
ORDERS = ("original", "shuffled", "1", "2")
NAMES = ("single-slice", "text-only")
ASKS = QUESTIONS * len(ORDERS) * len(NAMES)
SLOW_S = 300
"""A start takes seconds, on a busy machine a minute."""


@pytest.fixture
def store(tmp_path: Path) -> RecordStore:
    stored_study(_folder(tmp_path / "studies" / "S-1"), with_mask=False)
    rows = [
        {"id": f"q{n}", "case": "S-1", "question": f"Where ({n})?",
         "options": ["Left", "Right", "Both", "Neither"], "answer": "Right"}
        for n in range(QUESTIONS)
    ]  # fmt: skip
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    return RecordStore(tmp_path / "data")


def _folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def started(folder: Path, orders: Sequence[str] = ORDERS) -> subprocess.Popen[bytes]:
    command = [sys.executable, "app.py", "run", "--data", str(folder / "studies"),
               "--questions", str(folder / "questions.jsonl"), "--model", "fake",
               "--json"]  # fmt: skip
    command += [word for name in NAMES for word in ("--representation", name)]
    command += [word for order in orders for word in ("--order", order)]
    folders = {"MRI_VQA_DATA": str(folder / "data"), "MRI_VQA_CACHE": str(folder / "cache")}
    return subprocess.Popen(
        command, cwd=app.ROOT, env=os.environ | folders, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def ended(process: subprocess.Popen[bytes]) -> dict[str, int]:
    out, _ = process.communicate(timeout=SLOW_S)
    assert process.returncode == 0
    return json.loads(out)  # type: ignore[no-any-return]


def count(store: RecordStore) -> int:
    return sum(1 for _ in store.documents())


def test_a_run_killed_again_and_again_loses_no_answer_and_asks_nothing_twice(
    store: RecordStore, tmp_path: Path
) -> None:
    rng = random.Random(5)
    kept: dict[str, str] = {}
    for kill in range(KILLS):
        process = started(tmp_path)
        goal = min(len(kept) + rng.randint(1, 25), ASKS - 20)
        deadline = time.monotonic() + SLOW_S
        while count(store) < goal and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(rng.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = {json.loads(line)["id"]: line for line in store.documents()}
        assert kept.items() <= now.items(), "a finished answer was lost or changed"
        assert len(now) >= goal, f"kill {kill}"
        kept = now
    last = ended(started(tmp_path))
    assert (last["known"], last["asked"]) == (len(kept), ASKS - len(kept))
    found = store.read()
    assert found.problems == ()
    assert len(found.records) == ASKS
    assert set(Counter(record.key for record in found.records).values()) == {1}
    for record in found.records:
        for picture in record.pictures:
            assert (store.pictures / f"{picture['sha256']}.png").stat().st_size > 0
    store.close()


def test_two_processes_on_one_database_ask_nothing_twice(
    store: RecordStore, tmp_path: Path
) -> None:
    both = [started(tmp_path), started(tmp_path)]
    outcomes = [ended(process) for process in both]
    assert sum(outcome["asked"] for outcome in outcomes) == ASKS
    assert set(Counter(record.key for record in store.select()).values()) == {1}
    store.close()


def test_ctrl_c_ends_after_the_ask_under_way(store: RecordStore, tmp_path: Path) -> None:
    more = [str(seed) for seed in range(3, 40)]  # more than a moment's work
    process = started(tmp_path, [*ORDERS, *more])
    deadline = time.monotonic() + SLOW_S
    while count(store) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=SLOW_S)
    assert process.returncode == 130
    document = json.loads(out)
    assert document["stopped"] is True
    assert document["asked"] == count(store)
    store.close()
