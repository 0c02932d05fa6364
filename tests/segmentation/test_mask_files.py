"""An exported mask lies on its image for every reader, whichever transform it believes."""

from __future__ import annotations

from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from segmentation.errors import UnrelatedGrids
from segmentation.mask_files import write_mask
from tests.segmentation.studies import brain, label_map, lump, write_sequence
from tests.viewer.images import AXIS_ORDERS
from viewer.arrays import LabelMap
from viewer.study import SequenceFile


@pytest.mark.parametrize("order", AXIS_ORDERS)
def test_shape_affine_and_codes_are_the_sources(tmp_path: Path, order: str) -> None:
    like = write_sequence(tmp_path / "x.nii.gz", "FLAIR", brain().astype(np.float32), order, (1, 2))
    labels = label_map(lump() * 4)
    write_mask(labels, like, tmp_path / "mask.nii.gz")
    source, mask = nib.load(like.path), nib.load(tmp_path / "mask.nii.gz")
    assert mask.shape == source.shape and mask.get_data_dtype() == np.uint8
    np.testing.assert_allclose(mask.affine, source.affine, atol=1e-4)
    for field in ("sform_code", "qform_code"):
        assert int(mask.header[field]) == int(source.header[field])
    np.testing.assert_allclose(mask.get_qform(), source.get_qform(), atol=1e-3)
    np.testing.assert_allclose(mask.header.get_zooms(), source.header.get_zooms())
    canonical = np.asarray(nib.as_closest_canonical(mask).dataobj)
    np.testing.assert_array_equal(canonical, labels.array)


def test_a_mask_voxel_is_at_the_same_world_point(tmp_path: Path) -> None:
    like = write_sequence(tmp_path / "x.nii.gz", "FLAIR", brain().astype(np.float32), "LPS")
    one = np.zeros(brain().shape)
    one[25, 30, 20] = 1
    write_mask(label_map(one), like, tmp_path / "mask.nii")
    mask = nib.load(tmp_path / "mask.nii")
    place = np.argwhere(np.asarray(mask.dataobj))[0]
    world = mask.affine @ [*place, 1]
    np.testing.assert_allclose(world, label_map(one).affine @ [25, 30, 20, 1], atol=1e-3)


def test_a_source_whose_two_transforms_disagree_keeps_both(odd_dir: Path, tmp_path: Path) -> None:
    path = odd_dir / "derived" / "qform_flipped_vs_sform_flair.nii.gz"
    image = nib.load(path)
    canonical = nib.as_closest_canonical(image)
    array = (np.asarray(canonical.dataobj) > 300).astype(np.uint8)
    labels = LabelMap(array, canonical.affine, "brats-2021", "test")
    like = SequenceFile("FLAIR", path, image.shape, (2.0, 2.0, 2.0))
    write_mask(labels, like, tmp_path / "mask.nii.gz")
    mask = nib.load(tmp_path / "mask.nii.gz")
    for form in ("get_sform", "get_qform"):
        ours, theirs = getattr(mask, form)(coded=True), getattr(image, form)(coded=True)
        assert ours[1] == theirs[1]
        np.testing.assert_allclose(ours[0], theirs[0], atol=1e-3)
    np.testing.assert_array_equal(np.asarray(mask.dataobj) > 0, np.asarray(image.dataobj) > 300)


def test_a_mask_of_another_grid_is_not_written(tmp_path: Path) -> None:
    like = write_sequence(tmp_path / "x.nii.gz", "FLAIR", brain().astype(np.float32))
    with pytest.raises(UnrelatedGrids, match=r"grid of x\.nii\.gz"):
        write_mask(label_map(lump(), spacing=2.0), like, tmp_path / "mask.nii.gz")
    assert not list(tmp_path.glob("*mask*"))
