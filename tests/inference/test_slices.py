"""Which slices are taken, and from whose mask."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inference.errors import MissingSequence, NoMask, NoSlice
from inference.slices import choose_slices, slice_in, slices_at, slices_of_brain, slices_of_mask
from tests.inference.studies import SHAPE, affine, labelmap, labels, stored_study, volume, volumes
from viewer.arrays import Volume
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies
from viewer.grids import voxel_to_mm

TABLE = {
    "BraTS2021_01476": (150, 114, 76),
    "BraTS2021_01477": (155, 120, 68),
    "BraTS2021_01478": (97, 88, 68),
    "BraTS2021_01479": (124, 139, 89),
    "BraTS2021_01480": (94, 122, 54),
    "UCSF-PDGM-0096": (82, 120, 70),
}
"""Sagittal i, coronal j, axial k of the largest whole-tumor area, counted apart from this code."""


@pytest.fixture
def cache() -> ArrayCache:
    return ArrayCache(10**8)


def test_the_largest_area_in_each_plane() -> None:
    chosen = slices_of_mask(labelmap(), volume("FLAIR"), "expert")
    assert chosen is not None
    assert (chosen.sagittal, chosen.coronal, chosen.axial) == (14, 7, 10)
    assert [chosen.of(plane) for plane in ("sagittal", "coronal", "axial")] == [14, 7, 10]
    assert (chosen.source, chosen.mask, chosen.reference) == ("expert", "seg.nii.gz", "FLAIR")
    assert chosen.mm == tuple(voxel_to_mm(affine(), (14, 7, 10)))


def test_of_equal_areas_the_lowest_slice_is_taken() -> None:
    array = np.zeros(SHAPE, dtype=np.uint8)
    array[5:9, 5:9, 4:8] = 2
    chosen = slices_of_mask(labelmap(array), volume("FLAIR"), "expert")
    assert chosen is not None
    assert (chosen.sagittal, chosen.coronal, chosen.axial) == (5, 5, 4)


def test_auto_goes_from_expert_to_predicted_to_the_brains_middle(
    tmp_path: Path, cache: ArrayCache
) -> None:
    study = stored_study(tmp_path)
    predicted = replace(labelmap(), source="weights-1")
    without = replace(study, masks=())
    assert choose_slices(study, cache, "auto", predicted).source == "expert"
    assert choose_slices(without, cache, "auto", predicted).source == "predicted"
    assert choose_slices(without, cache, "auto", predicted).mask == "weights-1"
    centre = choose_slices(without, cache)
    assert (centre.source, centre.mask) == ("centre", None)
    assert (centre.sagittal, centre.coronal, centre.axial) == (9, 11, 8)


def test_an_empty_predicted_mask_picks_nothing(tmp_path: Path, cache: ArrayCache) -> None:
    empty = labelmap(np.zeros(SHAPE, dtype=np.uint8))
    study = stored_study(tmp_path, with_mask=False)
    assert choose_slices(study, cache, "auto", empty).source == "centre"
    with pytest.raises(NoMask, match="predicted"):
        choose_slices(study, cache, "predicted", empty)


def test_a_named_mask_that_is_absent_is_refused(tmp_path: Path, cache: ArrayCache) -> None:
    with pytest.raises(NoMask, match="expert"):
        choose_slices(stored_study(tmp_path, with_mask=False), cache, "expert")


def test_the_user_can_choose_the_middle(tmp_path: Path, cache: ArrayCache) -> None:
    assert choose_slices(stored_study(tmp_path), cache, "centre").source == "centre"


def test_a_study_without_sequences_is_refused(tmp_path: Path, cache: ArrayCache) -> None:
    with pytest.raises(MissingSequence):
        choose_slices(replace(stored_study(tmp_path), sequences=()), cache)


def test_without_flair_the_first_sequence_counts_the_voxels(
    tmp_path: Path, cache: ArrayCache
) -> None:
    study = stored_study(tmp_path)
    few = replace(study, sequences=tuple(s for s in study.sequences if s.name in ("T2", "T1c")))
    assert choose_slices(few, cache).reference == "T1c"


def test_another_grid_is_met_by_millimetres() -> None:
    chosen = slices_of_mask(labelmap(), volume("FLAIR"), "expert")
    assert chosen is not None
    finer = np.repeat(volume("T2").array, 2, axis=2)
    matrix = affine((2.0, 1.5, 1.5))
    assert slice_in(Volume("T2", finer, matrix, Path("T2")), chosen, "axial") == 20
    assert slice_in(volumes()["T1"], chosen, "axial") == 10


def test_a_mask_on_another_grid_is_resampled_to_the_sequence() -> None:
    coarse = replace(labelmap(labels()[:, :, ::2]), affine=affine((2.0, 1.5, 6.0)))
    chosen = slices_of_mask(coarse, volume("FLAIR"), "expert")
    assert chosen is not None
    assert chosen.axial in (9, 10, 11)


def test_a_black_volume_has_a_middle() -> None:
    black = replace(volume("FLAIR"), array=np.zeros(SHAPE, dtype=np.float32))
    chosen = slices_of_brain(black)
    assert (chosen.sagittal, chosen.coronal, chosen.axial) == (9, 11, 8)


@pytest.mark.cases
def test_real_slices_are_those_of_the_table(cases_dir: Path) -> None:
    cache = ArrayCache(3 * 10**8)
    catalogue = find_studies([cases_dir])
    for study_id, expected in TABLE.items():
        chosen = choose_slices(catalogue.study(study_id), cache)
        assert (chosen.sagittal, chosen.coronal, chosen.axial) == expected, study_id
        assert chosen.source == "expert"


def test_the_users_own_point_picks_the_nearest_slices(tmp_path: Path, cache: ArrayCache) -> None:
    study = stored_study(tmp_path, "LPS")
    x, y, z = voxel_to_mm(affine(), (4, 9, 3))
    chosen = choose_slices(study, cache, "user", at_mm=(float(x), float(y), float(z)))
    assert (chosen.sagittal, chosen.coronal, chosen.axial) == (4, 9, 3)
    assert (chosen.source, chosen.mask) == ("user", None)
    with pytest.raises(NoSlice, match="Use this slice"):
        choose_slices(study, cache, "user")


@given(
    voxel=st.tuples(*(st.floats(-3, size + 2) for size in SHAPE)),
    angle=st.floats(-0.5, 0.5),
)
def test_a_point_is_taken_exactly_where_a_voxel_lies(
    voxel: tuple[float, float, float], angle: float
) -> None:
    """Oblique volumes too, whose extent along the world's axes holds corners of nothing."""
    turn = np.eye(4)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    oblique = replace(volume("FLAIR"), affine=turn @ affine())
    x, y, z = voxel_to_mm(oblique.affine, voxel)
    rim = min(min(v + 0.5, size - 0.5 - v) for v, size in zip(voxel, SHAPE, strict=True))
    assume(abs(rim) > 0.01)
    if rim > 0:
        chosen = slices_at(oblique, (x, y, z))
        picked = (chosen.sagittal, chosen.coronal, chosen.axial)
        assert np.abs(np.subtract(picked, voxel)).max() <= 0.51
    else:
        with pytest.raises(NoSlice, match=r"inside FLAIR \(x .* mm\), got .*give a point inside"):
            slices_at(oblique, (x, y, z))
