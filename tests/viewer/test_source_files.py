"""Nothing is written over the files that studies are read from, whatever they are called."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import nibabel as nib
import pytest

import app
from tests.bad_files import GOOD, good_study
from tests.viewer.images import affine, distinct, save
from viewer.catalogue import find_studies
from viewer.errors import BadSetting
from viewer.source_files import refuse_source_files, source_files

SEGMENT = ["segment", "--case", GOOD, "--out"]
RENDER = ["render", "--case", GOOD, "--representation", "single-slice", "--out"]


def _itself(file: Path, _place: Path) -> Path:
    return file


def _link(file: Path, place: Path) -> Path:
    (place / "out.nii.gz").symlink_to(file)
    return place / "out.nii.gz"


def _second_name(file: Path, place: Path) -> Path:
    os.link(file, place / "out.nii.gz")
    return place / "out.nii.gz"


def _by_a_detour(file: Path, place: Path) -> Path:
    (place / "linked").symlink_to(file.parent)
    return place / "linked" / ".." / file.parent.name / file.name


WAYS = [_itself, _link, _second_name, _by_a_detour]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("command", [SEGMENT, RENDER], ids=["segment", "render"])
def test_no_command_writes_over_a_file_of_a_study(
    command: list[str],
    way: Callable[[Path, Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MRI_VQA_DATA", str(tmp_path / "records"))
    monkeypatch.setenv("MRI_VQA_CACHE", str(tmp_path / "cache"))
    data = good_study(tmp_path)
    flair = data / GOOD / "flair.nii.gz"
    before = flair.read_bytes()
    out = way(flair, tmp_path)
    assert app.main([*command, str(out), "--data", str(data)]) == 2
    assert "Expected --out to lead to no file of a study" in capsys.readouterr().err
    assert flair.read_bytes() == before


def test_a_picture_that_is_a_link_to_a_study_is_not_written_through(tmp_path: Path) -> None:
    catalogue = find_studies([good_study(tmp_path)])
    (tmp_path / "out").mkdir()
    refuse_source_files(tmp_path / "out", catalogue)
    refuse_source_files(tmp_path / "new" / "mask.nii.gz", catalogue)
    (tmp_path / "out" / "01-axial-FLAIR.png").symlink_to(tmp_path / "data" / GOOD / "t1.nii.gz")
    with pytest.raises(BadSetting, match=r"t1\.nii\.gz in .*good"):
        refuse_source_files(tmp_path / "out", catalogue)


def test_voxels_beside_a_header_and_files_left_out_are_the_users_too(tmp_path: Path) -> None:
    study = tmp_path / "S-1"
    save(study / "flair.nii.gz")
    nib.save(nib.Nifti1Pair(distinct(), affine()), study / "t1.hdr")
    (study / "t2.nii.gz").write_bytes(b"no image")
    (tmp_path / "lonely.nii").write_bytes(b"no image")
    names = {path.name for path in source_files(find_studies([tmp_path]))}
    assert names == {"flair.nii.gz", "t1.hdr", "t1.img", "t2.nii.gz", "lonely.nii"}
