"""What the files of one folder claim, and what becomes of the others."""

from __future__ import annotations

from pathlib import Path

from tests.viewer.images import save
from viewer.claims import NO_WORD, FolderClaims, claims_in
from viewer.folders import Folder


def claimed(folder: Path, *names: str) -> FolderClaims:
    for name in names:
        save(folder / name)
    return claims_in(Folder(folder, frozenset(names), tuple(sorted(names))))


def test_a_layout_rules_out_free_names_in_its_folder(tmp_path: Path) -> None:
    found = claimed(tmp_path, "BraTS2021_00001_t1.nii", "my_T2.nii")
    assert not found.problems
    roles = {claim.path.name: claim.role.kind for claim in found.claims}
    assert roles == {"BraTS2021_00001_t1.nii": "sequence", "my_T2.nii": "skip"}


def test_a_file_of_no_study_is_a_problem_of_the_folder(tmp_path: Path) -> None:
    names = ("BraTS2021_00001_t1.nii", "BraTS2021_00002_t1.nii", "scan.nii")
    found = claimed(tmp_path, *names)
    assert {claim.study for claim in found.claims} == {"BraTS2021_00001", "BraTS2021_00002"}
    assert [(p.file, p.reason) for p in found.problems] == [(str(tmp_path / "scan.nii"), NO_WORD)]


def test_a_broken_file_without_a_name_is_said_to_be_broken(tmp_path: Path) -> None:
    (tmp_path / "scan.nii").write_bytes(b"")
    found = claims_in(Folder(tmp_path, frozenset({"scan.nii"}), ("scan.nii",)))
    assert [p.reason for p in found.problems] == [
        "expected a NIfTI image, got an empty file; fetch it again"
    ]
