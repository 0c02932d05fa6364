"""An exported mask lies on its image for every reader, whichever transform it believes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import pytest

from segmentation.errors import UnrelatedGrids
from segmentation.mask_files import write_mask
from tests.segmentation.studies import brain, label_map, lump, write_sequence
from tests.viewer.images import AXIS_ORDERS
from viewer.arrays import LabelMap
from viewer.headers import read_header
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


BROKEN = {
    "qfac 0": {"pixdim": (0, 1, 1, 1)},
    "no unit quaternion": {"quatern_b": 1, "quatern_c": 1, "quatern_d": 1},
    "quaternion of no numbers": {"quatern_b": np.nan},
    "offset of no number": {"qoffset_x": np.nan},
    "negative voxel size": {"pixdim": (1, -1, 1, 1)},
    "voxel size of no number": {"pixdim": (1, np.nan, 1, 1)},
}
"""Fields that make a qform unusable, or that only the NIfTI standard says how to read."""


def broken(path: Path, fields: dict[str, Any], codes: tuple[int, int]) -> None:
    """Write the fields and the codes of sform and qform into the file's header, unchecked."""
    content = bytearray(path.read_bytes())
    header = nib.Nifti1Header(bytes(content[:348]), check=False)
    header["sform_code"], header["qform_code"] = codes
    for name, value in fields.items():
        if name == "pixdim":
            header["pixdim"][:4] = value
        else:
            header[name] = value
    content[:348] = header.binaryblock
    path.write_bytes(content)


@pytest.mark.parametrize("qform_code", [0, 1])
@pytest.mark.parametrize("fields", BROKEN.values(), ids=BROKEN)
def test_a_source_with_an_unusable_qform_gets_its_mask_by_the_sform(
    tmp_path: Path, fields: dict[str, Any], qform_code: int
) -> None:
    like = write_sequence(tmp_path / "x.nii", "FLAIR", brain().astype(np.float32), "LPS")
    broken(like.path, fields, (2, qform_code))
    write_mask(label_map(lump()), like, tmp_path / "mask.nii")
    mask = nib.load(tmp_path / "mask.nii")
    np.testing.assert_allclose(mask.get_sform(), read_header(like.path).affine)
    assert int(mask.header["sform_code"]) == 2
    qform, code = mask.get_qform(coded=True)
    assert code == (qform_code if fields is BROKEN["qfac 0"] else 0)
    if qform is not None:
        np.testing.assert_allclose(qform, mask.get_sform(), atol=1e-3)
    canonical = np.asarray(nib.as_closest_canonical(mask).dataobj)
    np.testing.assert_array_equal(canonical, lump())


def test_a_source_with_qfac_0_and_a_qform_alone_gets_its_mask(tmp_path: Path) -> None:
    like = write_sequence(tmp_path / "x.nii", "FLAIR", brain().astype(np.float32), "RAS")
    broken(like.path, BROKEN["qfac 0"], (0, 1))
    write_mask(label_map(lump()), like, tmp_path / "mask.nii")
    mask = nib.load(tmp_path / "mask.nii")
    np.testing.assert_allclose(mask.affine, label_map(lump()).affine, atol=1e-4)
    np.testing.assert_array_equal(np.asarray(mask.dataobj), lump())
