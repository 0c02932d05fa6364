from __future__ import annotations

import json
from pathlib import Path

import pytest

import app
from inference.reader_answers import ReaderAnswer, begin, save_answer
from inference.reader_studies import make_study
from inference.record_store import RecordStore
from tests.inference.test_reader_study import QUESTIONS


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MRI_VQA_DATA", str(tmp_path))
    monkeypatch.delenv("MRI_VQA_DATABASE", raising=False)
    return tmp_path


def made(data: Path) -> None:
    store = RecordStore(data)
    study = make_study(store.writing, "Pilot", QUESTIONS, 7)
    item = begin(store.writing, "Pilot", "Ann").order[0]
    truth = study.items[item].truth
    save_answer(store.writing, "Pilot", "Ann", item, ReaderAnswer(truth, True, True, 9), 3.0)
    store.close()


def test_the_readers_figures_are_printed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["results", "--readers"]) == 0
    assert "No reader study is made yet" in capsys.readouterr().out
    made(data)
    assert app.main(["results", "--readers", "Pilot"]) == 0
    told = capsys.readouterr().out
    assert "Pilot: 8 questions, seed 7" in told
    assert "Ann: 1 answered (blinded), 100.0%" in told
    assert app.main(["results", "--readers", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["readers"][0]["right"]["hits"] == 1
    assert app.main(["results", "--readers", "None"]) == 2
    assert "(Pilot)" in capsys.readouterr().err


def test_the_readers_answers_are_exported(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(data)
    for kind, count in (("csv", 1), ("xlsx", 1), ("jsonl", 3)):
        path = data / f"r.{kind}"
        assert app.main(["export", "--readers", "--out", str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["records"] == count
        assert path.stat().st_size > 0
    assert app.main(["export", "--readers", "Pilot", "--out", str(data / "r.html")]) == 2
