"""Opened files become studies by the rules of the folders; the rest is asked, never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.viewer.images import save
from viewer.session_studies import Asked, Choice, Reading, read_files
from viewer.study import Study


def read(folder: Path, **choices: Choice) -> Reading:
    return read_files(folder, folder.parent, choices)


def only(reading: Reading) -> Study:
    (study,) = reading.studies
    return study


@pytest.mark.parametrize(
    ("names", "layout", "scheme", "name"),
    [
        ("BraTS2021_00001/BraTS2021_00001_{}.nii.gz:t1 t1ce t2 flair seg", "BraTS 2021",
         "brats-2021", "BraTS2021_00001"),
        ("UCSF-PDGM-0004_nifti/UCSF-PDGM-0004_{}.nii.gz:T1 T1c T2 FLAIR tumor_segmentation",
         "UCSF-PDGM", "ucsf-pdgm", "UCSF-PDGM-0004"),
        ("Opened files/BraTS-GLI-00001-000-{}.nii.gz:t1n t1c t2w t2f seg", "BraTS 2023",
         "brats-2023", "BraTS-GLI-00001-000"),
    ],
)  # fmt: skip
def test_layouts_are_told_as_in_a_data_folder(
    tmp_path: Path, names: str, layout: str, scheme: str, name: str
) -> None:
    pattern, _, whats = names.partition(":")
    for what in whats.split():
        save(tmp_path / "batch" / pattern.format(what))
    study = only(read(tmp_path / "batch"))
    assert [s.name for s in study.sequences] == ["T1", "T1c", "T2", "FLAIR"]
    expert = study.mask("expert")
    assert (study.layout, expert and expert.scheme) == (layout, scheme)
    assert study.id.startswith(f"{name}~") and len(study.id) > len(name) + 20
    assert study.session_folder == tmp_path


def test_a_name_that_says_nothing_is_asked(tmp_path: Path) -> None:
    for name in ("T1", "scan7", "T1_to_FLAIR"):
        save(tmp_path / "batch" / "case" / f"{name}.nii.gz")
    reading = read(tmp_path / "batch")
    assert reading.studies == ()
    asked = {one.file for one in reading.asked}
    assert asked == {"case/scan7.nii.gz", "case/T1_to_FLAIR.nii.gz"}
    told = {"case/scan7.nii.gz": Choice("FLAIR"), "case/T1_to_FLAIR.nii.gz": Choice("leave out")}
    study = only(read_files(tmp_path / "batch", tmp_path, told))
    assert [s.name for s in study.sequences] == ["T1", "FLAIR"]
    assert study.sequences[1].path.name == "scan7.nii.gz"
    assert all(problem.by_rule for problem in study.problems)


def test_files_without_any_telling_name(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        save(tmp_path / "batch" / "Opened files" / f"{name}.nii")
    reading = read(tmp_path / "batch")
    assert len(reading.asked) == 3
    told = {
        "Opened files/a.nii": Choice("T1c"),
        "Opened files/b.nii": Choice("other sequence"),
        "Opened files/c.nii": Choice("expert mask", "brats-2023"),
    }
    study = only(read_files(tmp_path / "batch", tmp_path, told))
    assert [s.name for s in study.sequences] == ["T1c", "b"]
    expert = study.mask("expert")
    assert expert is not None and expert.scheme == "brats-2023"


def test_what_labels_mean_is_asked_too(tmp_path: Path) -> None:
    for name in ("T1", "seg"):
        save(tmp_path / "batch" / "case" / f"{name}.nii.gz")
    assert read(tmp_path / "batch").asked == (Asked("case/seg.nii.gz", "expert mask"),)
    for scheme in ("brats-2021", "unknown"):
        told = {"case/seg.nii.gz": Choice("T2", scheme)}  # the role was never asked
        expert = only(read_files(tmp_path / "batch", tmp_path, told)).mask("expert")
        assert expert is not None and expert.scheme == scheme


def test_a_half_answer_is_asked_again(tmp_path: Path) -> None:
    save(tmp_path / "batch" / "case" / "scan.nii")
    told = {"case/scan.nii": Choice("")}
    assert len(read_files(tmp_path / "batch", tmp_path, told).asked) == 1


def test_broken_files_are_problems_as_in_a_data_folder(tmp_path: Path) -> None:
    save(tmp_path / "batch" / "case" / "T1.nii")
    (tmp_path / "batch" / "case" / "T2.nii").write_bytes(b"\0" * 128 + b"DICM" + b"\0" * 400)
    study = only(read(tmp_path / "batch"))
    (problem,) = study.problems
    assert problem.file == "T2.nii" and "dcm2niix" in problem.reason
