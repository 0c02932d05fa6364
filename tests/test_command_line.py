"""Mistakes at the command line: status 2 and one sentence, before anything is asked or made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import app
from inference.record_store import RecordStore
from tests.bad_files import GOOD, QUESTION, good_study

RUN = ["run", "--model", "fake:A", "--representation", "single-slice"]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study of four sequences, and folders of the application's own."""
    monkeypatch.setenv("MRI_VQA_DATA", str(tmp_path / "records"))
    monkeypatch.setenv("MRI_VQA_CACHE", str(tmp_path / "cache"))
    return good_study(tmp_path)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    (tmp_path / "q.jsonl").write_text(json.dumps(QUESTION) + "\n")
    return str(tmp_path / "q.jsonl")


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line that the refused command said last."""
    assert app.main([*map(str, arguments)]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert not any("Traceback" in line for line in said)
    return said[-1]


def recorded(data: Path) -> int:
    return len(RecordStore(data.parent / "records").read().records)


NUMBERS = (
    (*RUN, "--repeats", "0"), (*RUN, "--repeats", "-1"), (*RUN, "--concurrency", "0"),
    (*RUN, "--temperature", "-1"), (*RUN, "--temperature", "nan"), (*RUN, "--temperature", "1e400"),
    ("segment", "--all", "--jobs", "0"), ("segment", "--all", "--jobs", "-2"),
    ("serve", "--port", "70000"),
)  # fmt: skip


@pytest.mark.parametrize("arguments", NUMBERS, ids=lambda given: " ".join(given[-2:]))
def test_a_number_out_of_its_bounds_is_refused(
    arguments: tuple[str, ...], data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys, *arguments, "--data", data)
    assert f"Argument {arguments[-2]}: expected a" in said and repr(arguments[-1]) in said


BEFORE_A_RUN = {
    "nothing is wanted": (["--no-reply", "--no-scores"], "--no-reply with --no-scores"),
    "no such model": (["--model", "fake:"], "fake:LETTER"),
    "no such representation": (["--representation", "hologram"], "single-slice"),
    "no such ablation": (["--ablation", "upside-down"], "Expected an ablation out of"),
    "no such order": (["--order", "bogus"], "original, shuffled, cyclic-1 to cyclic-1 or a whole"),
    "no address": (["--model", "server:x", "--server", "notaurl"], "Expected --server to be"),
    "more turns than options": (["--order", "cyclic-9"], "got 'cyclic-9'"),
}


@pytest.mark.parametrize("mistake", BEFORE_A_RUN)
def test_a_run_is_refused_once_and_before_it_begins(
    mistake: str, data: Path, questions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given, expected = BEFORE_A_RUN[mistake]
    for more in ([], ["--plan"]):
        said = refusal(capsys, *RUN, *given, *more, "--data", data, "--questions", questions)
        assert expected in said
    assert recorded(data) == 0


def test_a_run_without_questions_says_why_and_what_to_do(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "about good, got no question file; give one with --questions FILE" in refusal(
        capsys, *RUN, "--data", data
    )
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({**QUESTION, "case": "somebody"}) + "\n")
    said = refusal(capsys, *RUN, "--data", data, "--questions", other)
    assert "about good, got questions about somebody; name the studies in the file" in said
    (tmp_path / "empty").mkdir()
    said = refusal(capsys, *RUN, "--data", tmp_path / "empty", "--questions", other)
    assert said.startswith("Expected studies to ask about, found none")


def test_a_run_of_which_nothing_can_be_asked_says_so(
    data: Path, questions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(
        capsys, *RUN, "--slice-from", "predicted", "--data", data, "--questions", questions
    )
    assert "none of the 1 can" in said and "Expected a predicted mask" in said
    assert app.main([*RUN, "--data", str(data), "--questions", questions]) == 0
    assert recorded(data) == 1


def test_filters_that_name_nothing_are_refused(
    data: Path, questions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main(["results", "--model", "nobody"]) == 0  # where nothing is recorded
    assert app.main([*RUN, "--data", str(data), "--questions", questions]) == 0
    capsys.readouterr()
    out = tmp_path / "out.csv"
    for command in (["results"], ["export", "--out", str(out)]):
        said = refusal(capsys, *command, "--score", "bogus")
        assert "right, wrong" in said and "'bogus'" in said
        for name, known in (
            ("model", "fake:A"), ("representation", "single-slice"), ("ordering", "original"),
            ("case", GOOD),
        ):  # fmt: skip
            said = refusal(capsys, *command, f"--{name}", known, f"--{name}", "bogus")
            assert said == f"Expected --{name} out of {known}, got 'bogus'; choose one of them."
    assert not out.exists()
    assert app.main(["results", "--score", "wrong"]) == 0


@pytest.mark.parametrize("command", ["cases", "run", "segment --all", "results"])
def test_data_is_a_folder_that_is_there(
    command: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = data / "nowhere"
    said = refusal(capsys, *command.split(), "--data", nowhere)
    assert f"Expected --data to name a folder of studies, got {nowhere}, which does not" in said
    file = data / GOOD / "t1.nii.gz"
    assert f"{file}, which is a file" in refusal(capsys, *command.split(), "--data", file)


def test_an_empty_folder_holds_no_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["cases", "--data", str(tmp_path)]) == 0
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith("No study was found")
    for layout in ("UCSF-PDGM", "BraTS 2021", "MSD Task01", "BIDS", "plain folders"):
        assert layout in said
    assert "Expected studies to segment" in refusal(capsys, "segment", "--all", "--data", tmp_path)


def test_segment_all_without_one_mask_is_refused(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / GOOD / "t1c.nii.gz").unlink()
    said = refusal(capsys, "segment", "--all", "--jobs", "1", "--data", data)
    assert said.startswith("Expected at least one mask, but all 1 studies failed")


def test_the_remedy_is_one_of_the_command_line(
    data: Path, questions: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "add --out" in refusal(capsys, "segment", "--case", GOOD, "--data", data)
    served = [*RUN, "--model", "server:x", "--data", data, "--questions", questions]
    said = refusal(capsys, *served, "--server", "notaurl")
    assert said.startswith("Expected --server to be the address") and "SERVER_URL" not in said
    blocked = data.parent / "file"
    blocked.write_text("")
    monkeypatch.setenv("MRI_VQA_DATA", str(blocked / "below"))
    monkeypatch.delenv("MRI_VQA_DATABASE", raising=False)
    said = refusal(capsys, "results")
    assert said.endswith(
        "got: not a directory; set MRI_VQA_DATA to a folder that can be written to."
    )


@pytest.mark.parametrize("arguments", [["results"], ["cases", "--json"]], ids=" ".join)
def test_a_reader_that_leaves_ends_the_command_quietly(
    arguments: Sequence[str], data: Path
) -> None:
    where, out = os.pipe()
    os.close(where)
    done = subprocess.run(
        [sys.executable, "app.py", *arguments, "--data", str(data)],
        cwd=app.ROOT, stdout=out, stderr=subprocess.PIPE, text=True, timeout=300, check=False,
    )  # fmt: skip
    os.close(out)
    assert (done.returncode, done.stderr) == (0, "")
