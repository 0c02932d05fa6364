"""The network's input follows the weights, and its answer lands where it came from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from segmentation.errors import MissingSequence, UnrelatedGrids
from segmentation.normalisation import NORMALISATIONS
from segmentation.prepare import paste, prepare, restore, stack
from segmentation.published import PUBLISHED
from tests.segmentation.studies import (
    ENTRY,
    LEVELS,
    SHAPE,
    affine,
    brain,
    lump,
    write_sequence,
    write_study,
)
from viewer.cache import ArrayCache
from viewer.errors import NoBrain
from viewer.study import SequenceFile, Study


@pytest.fixture
def cache() -> ArrayCache:
    return ArrayCache(2**26)


@pytest.mark.parametrize("row", ["brats21-fold0", "monai-brats-bundle"])
def test_channels_follow_the_weights_whatever_the_files_order(
    tmp_path: Path, cache: ArrayCache, row: str
) -> None:
    entry = PUBLISHED[row]
    for names in (tuple(LEVELS), tuple(reversed(LEVELS))):
        study = write_study(tmp_path / "-".join(names), names=names)
        stacked = stack(study, entry, cache)
        medians = [float(np.median(channel[brain()])) for channel in stacked.array]
        assert medians == pytest.approx([LEVELS[name] for name in entry.channels], abs=2)


def test_all_missing_sequences_are_named(tmp_path: Path, cache: ArrayCache) -> None:
    study = write_study(tmp_path / "few", names=("T1", "FLAIR"))
    with pytest.raises(MissingSequence, match=r"lacks T1c, T2 \(it has T1, FLAIR\)"):
        stack(study, ENTRY, cache)


def test_a_sequence_on_another_grid_is_placed_by_millimetres(
    tmp_path: Path, cache: ArrayCache
) -> None:
    study = write_study(tmp_path / "s")
    turned = write_sequence(tmp_path / "T2.nii.gz", "T2", (lump() * 9.0).astype(np.float32), "PIR")
    stacked = stack(_with(study, turned), ENTRY, cache)
    np.testing.assert_array_equal(stacked.array[3] > 4, lump())
    coarse, matrix = (lump() * 9.0).astype(np.float32)[::2, ::2, ::2], affine(2.0)
    nib.save(nib.Nifti1Image(coarse, matrix), tmp_path / "half.nii.gz")
    i, j, k = coarse.shape
    half = SequenceFile("T2", tmp_path / "half.nii.gz", (i, j, k), (2.0, 2.0, 2.0))
    stacked = stack(_with(study, half), ENTRY, cache)
    assert stacked.array[3, 24, 26, 20] == 9.0
    assert any("T2 was resampled" in note for note in stacked.notes)


def test_sequences_that_do_not_overlap_are_refused(tmp_path: Path, cache: ArrayCache) -> None:
    study = write_study(tmp_path / "s")
    matrix = affine()
    matrix[:3, 3] += 500
    nib.save(nib.Nifti1Image(brain().astype(np.float32), matrix), tmp_path / "far.nii.gz")
    far = SequenceFile("T2", tmp_path / "far.nii.gz", SHAPE, (1.0, 1.0, 1.0))
    with pytest.raises(UnrelatedGrids, match="do not overlap"):
        stack(_with(study, far), ENTRY, cache)


def test_voxels_that_are_no_numbers_spoil_nothing(tmp_path: Path, cache: ArrayCache) -> None:
    study = write_study(tmp_path / "s")
    array = np.where(brain(), 100.0, np.nan).astype(np.float32)
    array[20, 20, 20] = np.inf
    odd = write_sequence(tmp_path / "T2.nii.gz", "T2", array)
    prepared = prepare(stack(_with(study, odd), ENTRY, cache), ENTRY)
    assert np.isfinite(prepared.array).all()


def test_images_without_a_brain_are_refused(tmp_path: Path, cache: ArrayCache) -> None:
    empty = np.zeros(SHAPE, np.float32)
    files = tuple(write_sequence(tmp_path / f"{n}.nii.gz", n, empty) for n in LEVELS)
    with pytest.raises(NoBrain, match="all zero"):
        stack(Study("empty", "plain", tmp_path, files), ENTRY, cache)


def test_a_head_with_its_skull_is_noted(tmp_path: Path, cache: ArrayCache) -> None:
    noise = np.random.default_rng(0).uniform(1, 9, SHAPE).astype(np.float32)
    files = tuple(write_sequence(tmp_path / f"{n}.nii.gz", n, noise) for n in LEVELS)
    notes = stack(Study("head", "plain", tmp_path, files), ENTRY, cache).notes
    assert any("skull-stripped" in note for note in notes)


@pytest.mark.parametrize("axes", ["RAS", "LPS", "PIR", "SLA"])
@pytest.mark.parametrize("spacing", [1.0, 2.0])
def test_what_goes_in_comes_back_to_its_place(
    tmp_path: Path,
    cache: ArrayCache,
    monkeypatch: pytest.MonkeyPatch,
    axes: str,
    spacing: float,
) -> None:
    monkeypatch.setitem(NORMALISATIONS, "as-is", lambda array: array)
    entry = replace(ENTRY, axes=axes, spacing_mm=(spacing, spacing, spacing), normalisation="as-is")
    study = write_study(tmp_path / "s", order="LPS")
    stacked = stack(study, entry, cache)
    prepared = prepare(stacked, entry)
    restored = restore(prepared.array, prepared)[0]
    back = np.zeros(stacked.shape, np.float32)
    back[prepared.box] = restored
    marked = paste((restored > 300).astype(np.uint8), prepared)
    np.testing.assert_array_equal(marked, back > 300)
    core = np.zeros(SHAPE, bool)
    core[24:28, 26:28, 20:24] = True
    assert back[core].min() > 450  # the lump's inside, softened by going to 2 mm and back
    assert abs(np.argwhere(back > 300).mean(axis=0) - np.argwhere(lump()).mean(axis=0)).max() < 0.3


def _with(study: Study, file: SequenceFile) -> Study:
    others = tuple(s for s in study.sequences if s.name != file.name)
    return replace(study, sequences=(*others, file))
