"""The command line of training: a quick run from nothing to weights, mistakes in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from segmentation import train as command
from segmentation.network import load_network
from segmentation.weights import find_weights


def test_a_quick_run_trains_resumes_and_exports(tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    assert command.main(["--quick", "--run", str(run)]) == 0
    assert command.main(["--quick", "--run", str(run), "--resume", "--export", str(out)]) == 0
    weights = find_weights(str(out / "model.safetensors"))
    assert weights.path.stat().st_size <= 12 * 2**20
    load_network(weights)


def test_evaluating_nothing_is_the_callers_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--evaluate", str(tmp_path)]) == 2
    assert "expert's mask" in capsys.readouterr().err


def test_resuming_without_a_checkpoint_is_the_callers_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--quick", "--resume", "--run", str(tmp_path)]) == 2
    assert "no checkpoint" in capsys.readouterr().err


def test_help_names_every_way_to_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        command.main(["--help"])
    assert stop.value.code == 0
    told = capsys.readouterr().out
    assert all(f"--{word}" in told for word in ("resume", "export", "evaluate", "quick"))
