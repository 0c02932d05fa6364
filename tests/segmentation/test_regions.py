"""One tissue has one name and colour whoever wrote the mask; what is unknown is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmentation.errors import UnknownLabels
from segmentation.regions import (
    COMPARTMENTS,
    CORE,
    EDEMA,
    ENHANCING,
    REGIONS,
    SCHEMES,
    canonical_labels,
    mask_of,
    paint_regions,
    region_mask,
)
from tests.segmentation.studies import label_map
from viewer.errors import UnknownName


def of_values(*values: int) -> np.ndarray:
    return np.array(values, np.uint8).reshape(1, 1, -1)


def test_enhancing_tumor_is_one_tissue_whether_it_is_written_3_or_4() -> None:
    older = label_map(of_values(0, 1, 2, 4), "brats-2021")
    newer = label_map(of_values(0, 1, 2, 3), "brats-2023")
    np.testing.assert_array_equal(canonical_labels(older), canonical_labels(newer))
    for region in REGIONS:
        np.testing.assert_array_equal(region_mask(older, region), region_mask(newer, region))


def test_msd_counts_edema_first() -> None:
    labels = label_map(of_values(0, 1, 2, 3), "msd")
    np.testing.assert_array_equal(canonical_labels(labels), of_values(0, EDEMA, CORE, ENHANCING))


@pytest.mark.parametrize("scheme", ["brats-2021", "brats-2023", "ucsf-pdgm", "msd", "demo"])
def test_five_values_in_a_scheme_of_four_are_refused_with_the_values(scheme: str) -> None:
    with pytest.raises(UnknownLabels, match=r"found 0, 1, 2, 3, 4.*brats-2024"):
        canonical_labels(label_map(of_values(0, 1, 2, 3, 4), scheme))


def test_a_cavity_is_no_tumor() -> None:
    labels = label_map(of_values(0, 1, 2, 3, 4), "brats-2024")
    assert region_mask(labels, "WT").ravel().tolist() == [False, True, True, True, False]


def test_an_unknown_value_is_refused_with_all_values() -> None:
    with pytest.raises(UnknownLabels, match=r"expected labels 0, 1, 2, 4 .* found 0, 2, 7"):
        canonical_labels(label_map(of_values(0, 2, 7)))


def test_labels_of_an_unknown_scheme_are_not_guessed() -> None:
    with pytest.raises(UnknownName, match=r"mask\.nii\.gz: .*--label-scheme.*brats-2021"):
        region_mask(label_map(of_values(0, 1), "unknown"), "WT")


def test_an_unknown_region_is_refused() -> None:
    with pytest.raises(UnknownName, match="WT, TC, ET"):
        region_mask(label_map(of_values(0, 1)), "CE")


def test_values_and_colours_are_distinct() -> None:
    assert len({c.value for c in COMPARTMENTS}) == len({c.color for c in COMPARTMENTS}) == 4
    for scheme in SCHEMES.values():
        assert set(scheme.canonical.values()) <= {c.value for c in COMPARTMENTS}


@given(st.lists(st.sampled_from([0, CORE, EDEMA, ENHANCING]), min_size=1, max_size=30))
def test_regions_are_nested_and_paint_back_to_the_labels(values: list[int]) -> None:
    labels = of_values(*values)
    masks = {name: mask_of(labels, name) for name in REGIONS}
    assert not (masks["ET"] & ~masks["TC"]).any() and not (masks["TC"] & ~masks["WT"]).any()
    np.testing.assert_array_equal(paint_regions(masks), labels)
