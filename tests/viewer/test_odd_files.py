"""Odd and broken files as they occur, each with what is right for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.viewer.images import sequence
from viewer.errors import UnreadableFile
from viewer.planes import PLANES, Plane, cut, pixel_size_mm
from viewer.volume import read_volume
from viewer.windows import Window, display_window, to_uint8

BRAIN = (120, 120, 78)
LOW, HIGH = 181.0, 1073.0
"""Display window of the intact file that the derived ones were made from."""


@dataclass(frozen=True)
class Opens:
    file: str
    shape: tuple[int, int, int]
    low: float
    high: float
    notes: tuple[str, ...] = ()


OPENS = (
    Opens("nibabel/anatomical.nii", (33, 41, 25), -610, 30393),
    Opens("nibabel/standard.nii.gz", (4, 5, 7), 0, 255),
    Opens("nibabel/resampled_anat_moved.nii", (17, 21, 3), 409.300, 13360.962, ("153 NaN voxels",)),
    Opens("nibabel/reoriented_anat_moved.nii", (21, 26, 22), 0, 21199.936),
    Opens("nitest-balls1/fieldmap.nii.gz", (80, 80, 10), -500, 496.337),
    Opens("nitest-balls1/T1.nii.gz", (80, 80, 10), 0, 2477.784),
    Opens("derived/multimember_flair.nii.gz", BRAIN, 0, 1547),
    Opens(
        "derived/plain_named_gz_flair.nii.gz",
        BRAIN,
        0,
        1547,
        ("the bytes are not gzip although the name ends in .gz",),
    ),
    Opens(
        "derived/gz_named_plain_flair.nii",
        BRAIN,
        0,
        1547,
        ("the bytes are gzip although the name ends in .nii",),
    ),
    Opens("derived/nan_background_flair.nii.gz", BRAIN, 12, 1547, ("956752 NaN voxels",)),
    Opens("derived/one_inf_flair.nii.gz", BRAIN, 0, 1547, ("1 infinite voxels",)),
    Opens("derived/all_zero_flair.nii.gz", BRAIN, 0, 0, ("constant: every voxel is 0",)),
    Opens(
        "derived/trailing_singleton_4d_flair.nii.gz",
        BRAIN,
        0,
        1547,
        ("stored as 4-D with one volume, read as 3-D",),
    ),
    Opens(
        "derived/qform_flipped_vs_sform_flair.nii.gz",
        BRAIN,
        0,
        1547,
        ("qform (RPS) and sform (LPS) disagree by up to 476 mm; the sform is used",),
    ),
)

REFUSED = {
    "nibabel/example4d.nii.gz": "4-D file with 2 volumes",
    "nibabel/example_nifti2.nii.gz": "4-D file with 2 volumes",
    "nibabel/functional.nii": "4-D file with 20 volumes",
    "nibabel/row_major.dconn.nii": "CIFTI",
    "nibabel/nifti1_orphan.hdr": r"expected nifti1_orphan\.img beside it",
    "nibabel/analyze_orphan.hdr": r"expected analyze_orphan\.img beside it",
    "nibabel/test.mgz": "FreeSurfer MGH",
    "nibabel/tiny.mnc": "MINC",
    "nitest-balls1/T2_.nii.gz": "4-D file with 2 volumes",
    "derived/truncated_flair.nii.gz": "cut short or broken.*truncated gzip",
    "derived/truncated_plain_flair.nii": "truncated, the header claims 2246400 bytes",
    "derived/empty.nii.gz": "an empty file",
    "derived/lfs_pointer_flair.nii.gz": "Git LFS pointer",
    "derived/not_nifti.nii.gz": "a web page",
}


@pytest.mark.parametrize("row", OPENS, ids=lambda row: row.file)
def test_opens(odd_dir: Path, row: Opens) -> None:
    volume = read_volume(sequence(odd_dir / row.file))
    finite = volume.array[np.isfinite(volume.array)]
    assert volume.array.shape == row.shape
    assert (finite.min(), finite.max()) == pytest.approx((row.low, row.high), abs=1e-2)
    assert volume.notes == row.notes


@pytest.mark.parametrize("file", REFUSED)
def test_is_refused_in_words(odd_dir: Path, file: str) -> None:
    name = Path(file).name.replace(".", r"\.")
    with pytest.raises(UnreadableFile, match=f"(?s)^{name}: .*{REFUSED[file]}"):
        read_volume(sequence(odd_dir / file))


def test_every_odd_file_has_a_row(odd_dir: Path) -> None:
    present = {str(path.relative_to(odd_dir)) for path in odd_dir.glob("*/*")}
    rows = {row.file for row in OPENS} | REFUSED.keys()
    assert present - rows == {"nitest-balls1/README.md"}


@pytest.mark.parametrize("name", ["nan_background_flair", "one_inf_flair"])
def test_the_window_is_that_of_the_intact_voxels(odd_dir: Path, name: str) -> None:
    volume = read_volume(sequence(odd_dir / "derived" / f"{name}.nii.gz"))
    assert display_window(volume) == Window(LOW, HIGH, "percentile")


@pytest.mark.parametrize("plane", PLANES.values(), ids=lambda plane: plane.name)
def test_nan_voxels_change_no_other_pixel(odd_dir: Path, plane: Plane) -> None:
    volume = read_volume(sequence(odd_dir / "nibabel/resampled_anat_moved.nii"))
    window = display_window(volume)
    filled = np.nan_to_num(volume.array, nan=0.0)
    for index in range(volume.array.shape[plane.through]):
        drawn = to_uint8(cut(volume.array, plane, index, "radiological"), window)
        clean = to_uint8(cut(filled, plane, index, "radiological"), window)
        np.testing.assert_array_equal(drawn, clean)


def test_an_all_zero_volume_is_black(odd_dir: Path) -> None:
    volume = read_volume(sequence(odd_dir / "derived/all_zero_flair.nii.gz"))
    assert not to_uint8(volume.array[:, :, 40], display_window(volume)).any()


def test_an_unequal_voxel_keeps_its_aspect(odd_dir: Path) -> None:
    volume = read_volume(sequence(odd_dir / "nibabel/standard.nii.gz"))
    sizes = {name: pixel_size_mm(volume.spacing_mm, plane) for name, plane in PLANES.items()}
    assert sizes == {"axial": (3, 1), "coronal": (2, 1), "sagittal": (2, 3)}
