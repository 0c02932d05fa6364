"""Measurements agree with the facts that the real studies come with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from segmentation.errors import UnrelatedGrids
from segmentation.measure import (
    agreement,
    compartment_volumes_ml,
    dice,
    extents_mm,
    hausdorff95_mm,
    hemisphere,
    largest_slices,
    offset_from_midline_mm,
    region_volumes_ml,
)
from segmentation.regions import region_mask
from tests.segmentation.studies import brain, label_map, lump
from viewer.brain import brain_mask
from viewer.catalogue import find_studies
from viewer.labelmap import read_labelmap
from viewer.volume import read_volume

FACTS = {
    "BraTS2021_01476": (+30.8, (23.19, 27.76, 0.22), (150, 114, 76)),
    "BraTS2021_01477": (+32.0, (77.98, 117.45, 0.00), (155, 120, 68)),
    "BraTS2021_01478": (-23.9, (110.79, 118.82, 1.28), (97, 88, 68)),
    "BraTS2021_01479": (+15.4, (93.30, 7.41, 89.55), (124, 139, 89)),
    "BraTS2021_01480": (-28.8, (10.56, 24.14, 0.00), (94, 122, 54)),
    "UCSF-PDGM-0096": (-38.6, (17.88, 88.03, 23.33), (82, 120, 70)),
}
"""dx in mm, mL of labels 1, 2, 4, slices i, j, k: the table in cases/SOURCES.md."""

masks = arrays(np.bool_, (4, 5, 3), elements=st.booleans())


@pytest.mark.cases
@pytest.mark.parametrize("name", FACTS)
def test_real_studies_measure_as_documented(cases_dir: Path, name: str) -> None:
    folder = cases_dir / ("brats2021" if name.startswith("BraTS") else "ucsf-pdgm")
    study = find_studies([folder]).study(name)
    flair, mask = study.sequence("FLAIR"), study.mask("expert")
    assert flair is not None and mask is not None
    labels = read_labelmap(mask)
    offset, volumes, slices = FACTS[name]
    whole = region_mask(labels, "WT")
    inside = brain_mask(read_volume(flair))
    found = compartment_volumes_ml(labels)
    assert [round(found.get(value, 0.0), 2) for value in (1, 2, 4)] == list(volumes)
    i, j, k = slices
    assert largest_slices(whole) == {"axial": k, "coronal": j, "sagittal": i}
    assert offset_from_midline_mm(whole, inside, labels.spacing_mm) == pytest.approx(offset, 0.05)
    assert hemisphere(whole, inside) == ("right" if offset > 0 else "left")


def test_volumes_are_millilitres() -> None:
    labels = np.zeros((10, 10, 10), np.uint8)
    labels[:5] = 2
    labels[5:7] = 4
    volumes = region_volumes_ml(label_map(labels, spacing=2.0))
    assert volumes == pytest.approx({"WT": 5.6, "TC": 1.6, "ET": 1.6})


def test_the_lowest_of_equally_large_slices_is_taken() -> None:
    assert largest_slices(lump()) == {"sagittal": 22, "coronal": 24, "axial": 18}


def test_an_empty_mask_has_no_slice_side_or_extent() -> None:
    empty = np.zeros_like(lump())
    assert largest_slices(empty) is None
    assert hemisphere(empty, brain()) is None
    assert extents_mm(empty, (1.0, 1.0, 1.0)) is None


def test_the_side_is_told_from_the_brain_not_from_the_array() -> None:
    assert hemisphere(lump(), brain()) == "right"
    assert hemisphere(lump()[::-1], brain()[::-1]) == "left"


def test_extents_count_whole_voxels() -> None:
    assert extents_mm(lump(), (1.0, 2.0, 3.0)) == (8.0, 12.0, 24.0)


@given(masks, masks)
def test_dice_is_symmetric_and_bounded(a: np.ndarray, b: np.ndarray) -> None:
    overlap = dice(a, b)
    assert overlap == dice(b, a)
    if not a.any() and not b.any():
        assert overlap is None
    else:
        assert overlap is not None and 0.0 <= overlap <= 1.0
        assert (overlap == 1.0) == bool((a == b).all())


def test_hausdorff_distance_is_in_millimetres() -> None:
    a = lump()
    b = np.roll(a, 2, axis=0)
    assert hausdorff95_mm(a, b, (1.5, 1.0, 1.0)) == pytest.approx(3.0)
    assert hausdorff95_mm(a, a, (1.0, 1.0, 1.0)) == 0.0
    assert hausdorff95_mm(a, np.zeros_like(a), (1.0, 1.0, 1.0)) is None


def test_agreement_says_when_neither_mask_has_the_region() -> None:
    labels = label_map(lump() * 2)
    rows = {row.region: row.dice for row in agreement(labels, labels)}
    assert rows == {"WT": 1.0, "TC": None, "ET": None}


def test_masks_on_different_grids_are_not_compared() -> None:
    with pytest.raises(UnrelatedGrids, match="one grid"):
        agreement(label_map(lump()), label_map(lump(), spacing=2.0))
