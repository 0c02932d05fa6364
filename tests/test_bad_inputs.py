"""Every bad input of the table through the command line: its sentence, and what goes on."""

from __future__ import annotations

import json
import re
import resource
from collections import Counter
from pathlib import Path
from time import monotonic

import pytest

import app
from tests.bad_files import GOOD, Bad, good_study
from tests.bad_inputs import BAD_INPUTS

SLOWEST_S = 60.0
"""Generous, for a busy machine; a hang takes longer."""
MEMORY_BYTES = 1 << 30
"""What a bad input may add to the process at its peak."""


def test_the_table_is_large_and_covers_every_kind() -> None:
    kinds = Counter(bad.kind for bad in BAD_INPUTS)
    assert len(BAD_INPUTS) >= 80
    assert set(kinds) == {
        "file", "folder", "questions", "weights", "setting", "server", "database", "answers"
    }  # fmt: skip
    assert len({(bad.kind, bad.name) for bad in BAD_INPUTS}) == len(BAD_INPUTS)


@pytest.mark.parametrize("bad", BAD_INPUTS, ids=lambda bad: f"{bad.kind}: {bad.name}")
def test_one_sentence_and_the_rest_goes_on(
    bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = good_study(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MRI_VQA_DATA", str(tmp_path / "records"))
    monkeypatch.setenv("MRI_VQA_CACHE", str(tmp_path / "cache"))
    for name, value in bad.environment.items():
        monkeypatch.setenv(name, value.replace("{place}", str(tmp_path)))
    given = bad.made(tmp_path)
    listed = bad.kind in {"file", "folder"}
    opens_data = listed or given[0] in {"ask", "segment", "render"}
    before, started = peak(), monotonic()
    status = app.main(
        [*given, *(["--data", str(data)] if opens_data else []), *["--json"] * listed]
    )
    assert monotonic() - started < SLOWEST_S
    assert peak() - before < MEMORY_BYTES
    said = capsys.readouterr()
    if listed:
        assert status == 0
        document = json.loads(said.out)
        (study,) = document["studies"]
        assert [s["name"] for s in study["sequences"]] == ["T1", "T1c", "T2", "FLAIR"]
        problems = [*document["problems"], *study["problems"]]
        assert_said(bad, " ".join(f"{p['file']}: {p['reason']}" for p in problems))
    else:
        assert status == 2
        assert_said(bad, said.err.strip().splitlines()[-1])
    assert "secret" not in said.err
    for name in bad.environment:
        monkeypatch.delenv(name)
    again = ["render", "--data", str(data), "--case", GOOD, "--representation", "multi-slice"]
    assert app.main([*again, "--out", str(tmp_path / "out")]) == 0
    assert len(list((tmp_path / "out").glob("*.png"))) == 4


def assert_said(bad: Bad, sentence: str) -> None:

    assert re.search(bad.says, sentence, re.IGNORECASE), sentence
    assert "Traceback" not in sentence


def peak() -> int:
    """The most memory this process has held so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
