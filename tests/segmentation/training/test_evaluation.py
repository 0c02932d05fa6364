"""The table of figures is measured, line by line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from segmentation import predict
from segmentation.training.evaluation import figures_of, table
from tests.segmentation.studies import (
    BrightFlair,
    brain,
    lump,
    weights,
    write_labels,
    write_study,
)
from viewer.study import Study


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr(predict, "load_network", lambda _weights: BrightFlair())
    study = write_study(tmp_path / "A", order="LPS")
    return replace(study, masks=(write_labels(study.folder, (lump() & brain()) * 1),))


def test_a_perfect_mask_measures_as_one(study: Study) -> None:
    figures = figures_of(study, weights())
    rows = {row.region: (row.dice, row.hausdorff95_mm) for row in figures.agreement}
    assert rows == {"WT": (1.0, 0.0), "TC": (1.0, 0.0), "ET": (None, None)}
    assert figures.predicted_ml == figures.expert_ml
    lines = table([figures]).splitlines()
    assert len(lines) == 3 and len({line.count("|") for line in lines}) == 1
    assert lines[2].startswith("| A | 1.000 | 1.000 | none | 0.0 | 0.0 | none | 0.00 / 0.00 |")


def test_a_study_without_an_experts_mask_is_not_measured(study: Study) -> None:
    with pytest.raises(ValueError, match="no expert's mask"):
        figures_of(replace(study, masks=()), weights())
    assert np.isfinite(figures_of(study, weights()).seconds)
