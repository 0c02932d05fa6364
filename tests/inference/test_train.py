"""Draw, train a few steps, go on, export, load and ask: the whole line in small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inference.host import ModelHost
from inference.models.protocol import GenerationSettings
from inference.train import main
from inference.training.rendering import FIRST_HELD_OUT
from tests.inference.models.checkpoints import picture, prompt


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies")
    assert main(["draw", "--studies", str(folder), "--count", "2"]) == 0
    held_out = ["--first", str(FIRST_HELD_OUT), "--count", "1"]
    assert main(["draw", "--studies", str(folder), *held_out]) == 0
    return folder


def fit(studies: Path, run: Path, steps: int) -> list[dict[str, float]]:
    arguments = ["fit", "--quick", "--studies", str(studies), "--run", str(run)]
    arguments += ["--steps", str(steps), "--look", "1", "--read", "1"]
    arguments += ["--batch", "1", "--questions", "2"]
    assert main(arguments) == 0
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


def test_a_quick_run_trains_goes_on_and_exports_a_model_that_answers(
    studies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fit(studies, tmp_path / "run", 2)
    log = fit(studies, tmp_path / "run", 5)
    assert [line["step"] for line in log] == [1, 2, 3, 4, 5]
    out = tmp_path / "model"
    assert main(["export", "--run", str(tmp_path / "run"), "--out", str(out)]) == 0
    model = ModelHost().load(str(out))
    figures = ["evaluate", "--model", str(out), "--studies", str(studies)]
    assert main([*figures, "--representations", "multi-slice", "text-only"]) == 0
    said = capsys.readouterr().out
    assert "1 held-out studies" in said and "text-only" in said and "spread" in said
    again = tmp_path / "again"
    begun = ["fit", "--studies", str(studies), "--run", str(again), "--start-from", str(out)]
    assert main([*begun, "--steps", "0"]) == 0
    assert main(["export", "--run", str(again), "--out", str(tmp_path / "same")]) == 0
    weights = [folder / "model.safetensors" for folder in (out, tmp_path / "same")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    asked = prompt(picture(1), picture(2))
    scores = model.score_options(asked)
    assert scores is not None and sum(scores.probabilities) == pytest.approx(1.0)
    short = GenerationSettings(max_tokens=3)
    assert model.generate(asked, short, lambda text: None, lambda: False).tokens <= 3


def test_the_same_seed_gives_the_same_weights(studies: Path, tmp_path: Path) -> None:
    runs = [fit(studies, tmp_path / name, 3) for name in ("a", "b")]
    losses = [
        [(line["kind"], line.get("facts"), line.get("letter")) for line in run] for run in runs
    ]
    assert losses[0] == losses[1]


def test_studies_are_drawn_once(studies: Path) -> None:
    before = {file.name: file.stat().st_mtime_ns for file in studies.iterdir()}
    assert main(["draw", "--studies", str(studies), "--count", "2"]) == 0
    assert {file.name: file.stat().st_mtime_ns for file in studies.iterdir()} == before


def test_mistakes_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "--quick", "--studies", str(tmp_path), "--run", str(tmp_path / "r")]) == 2
    assert main(["export", "--run", str(tmp_path), "--out", str(tmp_path / "o")]) == 2
    assert main(["evaluate", "--studies", str(tmp_path)]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3 and all("found none" in error for error in errors)


def test_help_says_how() -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
