"""The command line on real studies: documents, exit statuses, one sentence for a mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import app

LARGEST_SLICES = {
    # canonical (RAS+) voxel indexes i, j, k; see the table beside the cases
    "BraTS2021_01476": (150, 114, 76),
    "BraTS2021_01477": (155, 120, 68),
    "BraTS2021_01478": (97, 88, 68),
    "BraTS2021_01479": (124, 139, 89),
    "BraTS2021_01480": (94, 122, 54),
    "UCSF-PDGM-0096": (82, 120, 70),
}
RIGHT_OF_MIDLINE = {
    "BraTS2021_01476": True,
    "BraTS2021_01477": True,
    "BraTS2021_01478": False,
    "BraTS2021_01479": True,
    "BraTS2021_01480": False,
    "UCSF-PDGM-0096": False,
}
HELP_SECONDS = 1.0 if os.environ.get("MRI_VQA_QUIET") else 60.0
"""Measured only where nothing else runs."""


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MRI_VQA_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MRI_VQA_CACHE", str(tmp_path / "cache"))


def document(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    """What a command prints with --json; it must succeed."""
    assert app.main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_help_answers_at_once() -> None:
    started = time.perf_counter()
    command = [sys.executable, "app.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=app.ROOT)
    assert time.perf_counter() - started < HELP_SECONDS
    assert "not for diagnosis" in " ".join(done.stdout.split())


def test_cases_lists_the_seven_studies(cases_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    studies = document(capsys, "cases", "--data", cases_dir)["studies"]
    assert len(studies) == 7
    for study in studies:
        assert [s["name"] for s in study["sequences"]] == ["T1", "T1c", "T2", "FLAIR"]
        assert "expert" in [mask["kind"] for mask in study["masks"]]
        assert all(s["shape"] and s["spacing_mm"] for s in study["sequences"])
    assert {"BraTS2021_01479", "BraTS2021_01479_2mm"} <= {study["id"] for study in studies}


@pytest.mark.parametrize("case", LARGEST_SLICES)
def test_render_picks_the_largest_slices(
    case: str, cases_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["render", "--data", cases_dir, "--case", case, "--out", tmp_path]
    manifest = document(capsys, *common, "--representation", "multi-montage")
    found = {p["plane"]: {tile["index"] for tile in p["tiles"]} for p in manifest["pictures"]}
    i, j, k = LARGEST_SLICES[case]
    assert found == {"sagittal": {i}, "coronal": {j}, "axial": {k}}
    manifest = document(capsys, *common, "--representation", "single-slice")
    (picture,) = manifest["pictures"]
    assert (picture["plane"], picture["sequence"], picture["index"]) == ("axial", "FLAIR", k)


@pytest.mark.parametrize("convention", ["radiological", "neurological"])
@pytest.mark.parametrize("case", RIGHT_OF_MIDLINE)
def test_the_side_of_the_tumor_in_the_picture(
    case: str, convention: str, cases_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The drawn mask lies on the image's left for a right-sided tumor, radiologically."""
    manifest = document(
        capsys, "render", "--data", cases_dir, "--case", case, "--out", tmp_path,
        "--representation", "single-slice", "--convention", convention, "--include-masks",
    )  # fmt: skip
    pixels = np.asarray(Image.open(manifest["pictures"][0]["file"])).astype(int)
    colored = np.ptp(pixels, axis=2) > 0
    brain = pixels.max(axis=2) > 0
    on_image_left = np.nonzero(colored)[1].mean() < np.nonzero(brain)[1].mean()
    assert on_image_left == (RIGHT_OF_MIDLINE[case] == (convention == "radiological"))


def test_ask_prints_the_record(cases_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = document(
        capsys, "ask", "--data", cases_dir, "--questions", cases_dir / "questions.csv",
        "--case", "BraTS2021_01478", "--question", "#1", "--representation", "multi-slice",
        "--model", "fake:B", "--order", "shuffled",
    )  # fmt: skip
    assert record["question_id"] == "10"
    assert record["options"][0] == "Left hemisphere"
    assert record["order"] == [3, 0, 1, 2]
    assert record["answer"] == {
        "index": 0, "text": "Left hemisphere", "status": "answered", "rule": "json",
        "marker_index": record["answer"]["marker_index"],
    }  # fmt: skip
    assert record["truth"] == {"index": 0, "text": "Left hemisphere"}
    assert record["score"] == "right"
    assert record["probabilities"] == [1.0, 0.0, 0.0, 0.0]
    assert len(record["pictures"]) == 4


def test_the_label_scheme_can_be_named(cases_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = document(capsys, "cases", "--data", cases_dir, "--label-scheme", "brats-2023")
    schemes = {m["scheme"] for s in listed["studies"] for m in s["masks"] if m["kind"] == "expert"}
    assert schemes == {"brats-2023"}
    assert app.main(["cases", "--data", str(cases_dir), "--label-scheme", "mine"]) == 2
    assert "brats-2021" in capsys.readouterr().err


MISTAKES = {
    "unknown study": (["--case", "BraTS2021_9"], "Expected one of the 7 studies"),
    "unknown representation": (["--representation", "hologram"], "single-slice"),
    "unknown question": (["--question", "999"], "#1 to #4"),
    "unknown order": (["--order", "backwards"], "shuffled, cyclic-1 to cyclic-3 or a whole number"),
    "unknown model": (["--model", "no such model"], "Expected a model"),
    "missing question file": (["--questions", "nowhere.csv"], "nowhere.csv"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_sentence(
    mistake: str, cases_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, expected = MISTAKES[mistake]
    good = {
        "--case": "BraTS2021_01476", "--question": "1", "--representation": "single-slice",
        "--model": "fake", "--order": "original",
    }  # fmt: skip
    given = good | dict(zip(arguments[::2], arguments[1::2], strict=True))
    flags = [part for pair in given.items() for part in pair]
    questions = ["--questions", str(cases_dir / "questions.csv")]
    assert app.main(["ask", "--data", str(cases_dir), *questions, *flags]) == 2
    said = capsys.readouterr().err.strip()
    assert expected in said
    assert "Traceback" not in said
