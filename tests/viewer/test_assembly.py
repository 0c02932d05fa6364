"""From files to one study: conflicts settled, broken files left out, grids compared."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.viewer.images import SHAPE, distinct, save
from tests.viewer.listings import BRATS, names, only, problems, write
from viewer.catalogue import find_studies
from viewer.errors import UnreadableFile
from viewer.volume import read_volume


def test_two_files_of_one_sequence_are_settled_and_said(tmp_path: Path) -> None:
    write(tmp_path, "case/T1.nii.gz", "case/T1.nii", "case/T1_v2.nii.gz", "case/T2.nii.gz")
    study = only(find_studies([tmp_path]))
    t1 = study.sequence("T1")
    assert t1 is not None and t1.path.name == "T1.nii"
    assert problems(study).keys() == {"T1.nii.gz", "T1_v2.nii.gz"}
    assert all(p.reason.startswith("also claims T1; T1.nii is shown") for p in study.problems)


def test_an_unreadable_first_choice_gives_way(tmp_path: Path) -> None:
    write(tmp_path, "case/T1.nii.gz", "case/T1_v2.nii.gz")
    (tmp_path / "case" / "T1.nii.gz").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    study = only(find_studies([tmp_path]))
    t1 = study.sequence("T1")
    assert t1 is not None and t1.path.name == "T1_v2.nii.gz"
    assert "Git LFS pointer" in problems(study)["T1.nii.gz"]


def test_grids_that_differ_are_noted_and_axis_orders_are_not(tmp_path: Path) -> None:
    save(tmp_path / "case" / "T1.nii.gz", order="RAS")
    save(tmp_path / "case" / "T2.nii.gz", order="PIR")
    save(tmp_path / "case" / "FLAIR.nii.gz", distinct((5, 6, 7)))
    notes = {s.name: s.notes for s in only(find_studies([tmp_path])).sequences}
    assert notes["T1"] == notes["T2"] == ()
    assert notes["FLAIR"] == ("on another grid than T1; linked by millimetres",)


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ("derived/lfs_pointer_flair.nii.gz", "Git LFS pointer"),
        ("derived/empty.nii.gz", "empty file"),
        ("derived/not_nifti.nii.gz", "web page"),
        ("derived/truncated_plain_flair.nii", "truncated"),
        ("nibabel/functional.nii", "4-D file with 20 volumes"),
        ("nibabel/nifti1_orphan.hdr", "header without its voxels"),
        ("nibabel/test.mgz", "FreeSurfer MGH"),
        ("nibabel/tiny.mnc", "MINC"),
        ("nibabel/row_major.dconn.nii", "CIFTI"),
    ],
)
def test_a_broken_file_leaves_the_rest_of_the_study(
    tmp_path: Path, odd_dir: Path, odd: str, reason: str
) -> None:
    folder = tmp_path / "BraTS2021_00001"
    write(tmp_path, *(f"{folder.name}/{folder.name}_{end}.nii.gz" for end in BRATS[1:]))
    name = f"{folder.name}_flair" + "".join(Path(odd).suffixes[-2:])
    (folder / name).write_bytes((odd_dir / odd).read_bytes())
    study = only(find_studies([tmp_path]))
    assert names(study) == ["T1", "T1c", "T2"] and len(study.masks) == 1
    assert reason in problems(study)[name]


def test_a_packed_file_cut_short_is_found_when_it_is_read(tmp_path: Path, odd_dir: Path) -> None:
    stem = "BraTS2021_00001/BraTS2021_00001"
    write(tmp_path, f"{stem}_t1.nii.gz")
    content = (odd_dir / "derived/truncated_flair.nii.gz").read_bytes()
    (tmp_path / f"{stem}_flair.nii.gz").write_bytes(content)
    study = only(find_studies([tmp_path]))
    flair, t1 = study.sequence("FLAIR"), study.sequence("T1")
    assert flair is not None and t1 is not None
    with pytest.raises(UnreadableFile, match=r"_flair\.nii\.gz: cut short or broken"):
        read_volume(flair)
    assert read_volume(t1).array.shape == SHAPE


def test_the_order_of_files_on_the_disk_does_not_matter(tmp_path: Path) -> None:
    files = [f"case/{n}.nii.gz" for n in ("T1", "T1_a", "T1_b", "FLAIR", "seg", "tumor_seg")]
    listings = []
    for seed in range(3):
        random.Random(seed).shuffle(files)
        write(tmp_path / str(seed), *files)
        study = only(find_studies([tmp_path / str(seed)]))
        listings.append(([s.path.name for s in study.sequences], study.problems))
    assert listings[0] == listings[1] == listings[2]
