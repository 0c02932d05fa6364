"""An export may replace an export, never a question file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import app
from inference.errors import UnfitFile
from inference.export_targets import refuse_question_file
from inference.exports import export_records
from inference.record_store import RecordStore
from tests.inference.made_records import made

QUESTION = {"case": "S-1", "question": "Where?", "options": ["Left", "Right"], "answer": "Left"}


def test_a_question_file_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MRI_VQA_DATA", str(tmp_path / "records"))
    for name, text in (
        ("q.csv", 'case,question,options,answer\nS-1,Where?,"Left|Right",Left\n'),
        ("q.jsonl", json.dumps(QUESTION) + "\n"),
    ):
        (tmp_path / name).write_text(text)
        (tmp_path / f"link-{name}").symlink_to(tmp_path / name)
        for out in (name, f"link-{name}"):
            assert app.main(["export", "--out", str(tmp_path / out)]) == 2
            assert "holds questions; give another name" in capsys.readouterr().err
        assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx", "html"])
def test_an_export_is_replaced(ending: str, tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records")
    store.append_many([made("A"), made("B")])
    out = tmp_path / f"all.{ending}"
    refuse_question_file(out)
    assert export_records(store, out) == 2
    refuse_question_file(out)
    store.close()


def test_readers_answers_are_an_export_too(tmp_path: Path) -> None:
    out = tmp_path / "readers.csv"
    out.write_text("study,reader,case,question,options,answer\nA,R1,S-1,Where?,Left|Right,Left\n")
    refuse_question_file(out)
    out.write_text("study,case,question,options,answer\nA,S-1,Where?,Left|Right,Left\n")
    with pytest.raises(UnfitFile):
        refuse_question_file(out)
