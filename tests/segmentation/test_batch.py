"""Masks of many studies: each made once, a failure is one sentence, the rest goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from multiprocessing import active_children
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

import app
from segmentation import batch
from segmentation.batch import Row, default_jobs, segment_all
from segmentation.network import build_network
from segmentation.report import batch_document, batch_line, row_line
from segmentation.store import MaskStore
from segmentation.weights import Weights, find_weights
from segmentation.weights_entry import entry_to_json
from tests.segmentation.studies import ENTRY, LEVELS, write_study
from viewer.cache import ArrayCache
from viewer.study import Study

PATIENCE_S = 300


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    """A real Swin-UNETR, small and untrained."""
    folder = tmp_path_factory.mktemp("weights")
    entry = replace(ENTRY, name="tiny", roi=(64, 64, 64), feature_size=12, window_size=4)
    torch.manual_seed(0)
    save_file(build_network(entry).state_dict(), folder / "tiny.safetensors")
    (folder / "tiny.json").write_text(entry_to_json(entry))
    return find_weights(str(folder / "tiny.safetensors"))


@pytest.fixture
def store(tmp_path: Path) -> MaskStore:
    return MaskStore(tmp_path / "masks", ArrayCache(2**27))


def test_what_is_stored_is_not_made_again_and_a_failure_stops_nothing(
    tmp_path: Path, store: MaskStore, tiny: Weights
) -> None:
    names = tuple(name for name in LEVELS if name != "T1c")
    studies = [
        write_study(tmp_path / "A"),
        write_study(tmp_path / "B", names=names),
        write_study(tmp_path / "C", seed=1),
    ]
    store.segment(studies[2], tiny)
    said: list[Row] = []
    rows = segment_all(studies, store, tiny, 2, said.append)
    assert rows == said
    found = {row.study: row for row in rows}
    assert {name: row.status for name, row in found.items()} == {
        "A": "made", "B": "failed", "C": "stored",
    }  # fmt: skip
    assert "lacks T1c" in row_line(found["B"]) and row_line(found["B"]).startswith("B: ")
    assert store.recall(studies[0], tiny) is not None
    assert [row.status for row in segment_all([studies[0]], store, tiny, 1, said.append)] == [
        "stored"
    ]
    document = batch_document(tiny, 2, rows)
    assert json.loads(json.dumps(document)) == document
    assert batch_line(document) == "made 1, stored 1, failed 1, stopped 0"


def test_a_process_that_dies_takes_no_other_study_with_it(
    tmp_path: Path, store: MaskStore, tiny: Weights
) -> None:
    studies = [write_study(tmp_path / name, seed=n) for n, name in enumerate("AB")]
    killer = threading.Thread(target=_kill_first_child)
    killer.start()
    rows = segment_all(studies, store, tiny, 2, lambda row: None)
    killer.join()
    assert [row.status for row in rows] == ["made", "made"]


def test_a_study_whose_process_dies_twice_has_failed(
    tmp_path: Path, store: MaskStore, tiny: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    studies = [write_study(tmp_path / name, seed=n) for n, name in enumerate("AB")]
    sent = batch._sent

    def dies(pipe: Connection, study: Study) -> Row | None:
        if study.id == "A":
            active_children()[0].kill()
        return sent(pipe, study)

    monkeypatch.setattr(batch, "_sent", dies)
    rows = {row.study: row for row in segment_all(studies, store, tiny, 1, lambda row: None)}
    assert rows["B"].status == "made"
    assert rows["A"].status == "failed"
    assert rows["A"].reason.startswith("A: expected a mask, but its process ended without a word")


def _kill_first_child() -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        children = active_children()
        if children:
            children[0].kill()
            return
        time.sleep(0.01)


def test_ctrl_c_stops_and_keeps_what_was_made(tmp_path: Path, tiny: Weights) -> None:
    for n in range(30):
        write_study(tmp_path / "studies" / f"S{n}", seed=n)
    cache = tmp_path / "cache"
    command = [sys.executable, "app.py", "segment", "--all", "--jobs", "1", "--json"]
    command += ["--data", str(tmp_path / "studies"), "--weights", str(tiny.path)]
    environment = {
        **os.environ, "MRI_VQA_CACHE": str(cache), "MRI_VQA_DATA": str(tmp_path / "data"),
    }  # fmt: skip
    with subprocess.Popen(
        command, cwd=app.ROOT, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stderr is not None
        assert "made in" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors
    told = json.loads(out)
    assert told["made"] >= 1 and told["stopped"] >= 1 and told["failed"] == 0
    assert len(told["studies"]) == 30
    kept = list((cache / "masks").rglob("*.nii.gz"))
    assert len(kept) == told["made"]


@pytest.mark.parametrize(
    "arguments", [["--case", "A"], ["--all", "--out", "mask.nii.gz"]], ids=["case", "all"]
)
def test_out_belongs_to_one_case(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["segment", *arguments]) == 2
    assert "--out FILE.nii.gz with --case, and no --out with --all" in capsys.readouterr().err


def test_there_is_a_process_for_each_processor_up_to_four() -> None:
    assert 1 <= default_jobs() <= 4
