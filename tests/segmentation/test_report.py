"""The document of a segmentation, and the file that it names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from segmentation import predict, report
from segmentation.report import report_lines, segment_to_file
from segmentation.store import MaskStore
from tests.segmentation.studies import (
    BrightFlair,
    brain,
    lump,
    weights,
    write_labels,
    write_study,
)
from viewer.cache import ArrayCache
from viewer.errors import UnwritableFile


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MaskStore:
    monkeypatch.setattr(predict, "load_network", lambda _weights: BrightFlair())
    monkeypatch.setattr(report, "find_weights", lambda _name: weights())
    return MaskStore(tmp_path / "masks", ArrayCache(2**27))


def test_the_document_tells_volumes_slices_and_overlap(tmp_path: Path, store: MaskStore) -> None:
    study = write_study(tmp_path / "A", order="LPS")
    study = replace(study, masks=(write_labels(study.folder, (lump() & brain()) * 2),))
    told = segment_to_file(study, store, None, tmp_path / "out.nii.gz")
    assert json.loads(json.dumps(told)) == told
    assert told["case"] == "A" and told["weights"] == weights().identity
    whole = told["regions"]["WT"]
    assert whole["ml"] == pytest.approx((lump() & brain()).sum() / 1000)
    assert set(whole["largest_slice"]) == {"axial", "coronal", "sagittal"}
    assert told["regions"]["ET"] == {"ml": 0.0, "largest_slice": None}
    assert told["dice"] == {"WT": 1.0, "TC": 0.0, "ET": None}
    mask = nib.load(told["file"])
    flair = nib.load(study.folder / "FLAIR.nii.gz")
    np.testing.assert_array_equal(mask.affine, flair.affine)
    assert any("Dice 1.000" in line for line in report_lines(told))


def test_without_an_experts_mask_there_is_no_overlap(tmp_path: Path, store: MaskStore) -> None:
    told = segment_to_file(write_study(tmp_path / "A"), store, None, tmp_path / "out.nii.gz")
    assert told["dice"] is None
    assert not any("Dice" in line for line in report_lines(told))


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path, store: MaskStore) -> None:
    study = write_study(tmp_path / "A")
    (tmp_path / "text").write_text("no folder")
    (tmp_path / "taken.nii").mkdir()
    for file in (tmp_path / "text" / "out.nii.gz", tmp_path / "taken.nii"):
        with pytest.raises(UnwritableFile, match=f"Expected to write {file}, got: "):
            segment_to_file(study, store, None, file)
    assert {path.name for path in tmp_path.iterdir()} == {"A", "text", "taken.nii", "masks"}
