"""Agreement counts every voxel once, and its numbers are those of the two masks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from segmentation.agreement import (
    BOTH,
    ENTRIES,
    ONLY_EXPERT,
    ONLY_PREDICTED,
    agreement_document,
    agreement_map,
)
from segmentation.regions import COMPARTMENTS, REGIONS, region_mask
from tests.segmentation.studies import affine, label_map, lump
from viewer.arrays import LabelMap
from viewer.catalogue import find_studies
from viewer.labelmap import read_labelmap

labels = arrays(np.uint8, (5, 4, 6), elements=st.sampled_from([0, 1, 2, 4]))

HALVED = np.array([[2, 0, 0, 0.5], [0, 2, 0, 0.5], [0, 0, 2, 0.5], [0, 0, 0, 1]])
"""From a voxel that covers two by two by two to the middle of those."""


@given(labels, labels, st.sampled_from(sorted(REGIONS)))
def test_every_voxel_is_counted_once(drawn: np.ndarray, seen: np.ndarray, region: str) -> None:
    expert, predicted = label_map(drawn), label_map(seen)
    a, b = region_mask(expert, region), region_mask(predicted, region)
    found = agreement_map(expert, predicted, region).array
    np.testing.assert_array_equal(found == BOTH, a & b)
    np.testing.assert_array_equal(found == ONLY_EXPERT, a & ~b)
    np.testing.assert_array_equal(found == ONLY_PREDICTED, b & ~a)
    np.testing.assert_array_equal(found > 0, a | b)


def test_the_colours_are_no_compartments() -> None:
    assert [entry.value for entry in ENTRIES] == [BOTH, ONLY_EXPERT, ONLY_PREDICTED]
    assert not {entry.color for entry in ENTRIES} & {row.color for row in COMPARTMENTS}


def test_the_document_tells_volumes_agreement_and_lesions() -> None:
    half = lump().copy()
    half[26:] = False
    document = agreement_document("A", label_map(lump() * 2), label_map(half * 2))
    document = json.loads(json.dumps(document))
    whole = document["regions"]["WT"]
    assert whole["ml"] == pytest.approx({"expert": 0.384, "predicted": 0.192, "both": 0.192})
    assert whole["dice"] == pytest.approx(2 / 3)
    assert whole["hausdorff95_mm"] == pytest.approx(4.0)
    assert whole["url"] == "agreement/A/WT.nii?by=mask.nii.gz"
    assert whole["lesions"]["expert"][0]["common_ml"] == pytest.approx(0.192)
    assert whole["lesions"]["predicted"][0]["reach"]["sagittal"]["last"] == 25
    core = document["regions"]["TC"]
    assert core["dice"] is None and core["hausdorff95_mm"] is None
    assert core["lesions"] == {"expert": [], "predicted": []}


def test_a_predicted_mask_of_another_grid_is_brought_to_the_experts() -> None:
    coarse = LabelMap(
        (lump()[::2, ::2, ::2] * 2).astype(np.uint8),
        affine() @ HALVED,
        "brats-2021",
        "coarse",
    )
    document = agreement_document("A", label_map(lump() * 2), coarse)
    assert document["grid"]["shape"] == list(lump().shape)
    assert document["regions"]["WT"]["dice"] == 1.0


def test_one_mask_alone_has_lesions_and_no_agreement() -> None:
    for masks in ((label_map(lump() * 4), None), (None, label_map(lump() * 4))):
        document = agreement_document("A", *masks)
        region = document["regions"]["ET"]
        assert region["dice"] is None and region["url"] is None and region["ml"]["both"] is None
        rows = [row for row in region["lesions"].values() if row is not None]
        assert len(rows) == 1 and rows[0][0]["common_ml"] is None
    with pytest.raises(ValueError, match="at least one"):
        agreement_document("A", None, None)


@pytest.mark.cases
def test_a_real_mask_agrees_with_itself_and_has_its_lesion(cases_dir: Path) -> None:
    study = find_studies([cases_dir / "brats2021"]).study("BraTS2021_01477")
    mask = study.mask("expert")
    assert mask is not None
    expert = read_labelmap(mask)
    document = agreement_document(study.id, expert, expert)
    whole = document["regions"]["WT"]
    assert whole["dice"] == 1.0 and whole["hausdorff95_mm"] == 0.0
    first = whole["lesions"]["expert"][0]
    assert first["ml"] == pytest.approx(195.4, abs=1.0)
    assert {name: row["largest"] for name, row in first["reach"].items()} == {
        "axial": 68, "coronal": 120, "sagittal": 155,
    }  # fmt: skip
    assert document["regions"]["TC"]["ml"]["both"] == pytest.approx(77.98, abs=0.01)
    assert document["regions"]["ET"]["lesions"]["expert"] == []
