"""Studies are found in every layout, and what is left out is named."""

from __future__ import annotations

import json
import time
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from tests.benchmarks.catalogue import STUDIES, write_studies
from tests.viewer.images import SHAPE, affine, distinct, save
from tests.viewer.listings import BRATS, FOUR, names, only, problems, write
from viewer import voxels
from viewer.catalogue import Catalogue, find_studies
from viewer.errors import UnknownStudy
from viewer.grids import same_grid
from viewer.labelmap import read_labelmap
from viewer.volume import read_volume


def test_ucsf_pdgm_takes_no_decoy(tmp_path: Path) -> None:
    stem = "PKG/UCSF-PDGM-0004_nifti/UCSF-PDGM-0004"
    ends = ["T1", "T1_bias", "T1c", "T1c_bias", "T2", "T2_bias", "FLAIR", "FLAIR_bias", "SWI"]
    ends += ["DTI_eddy_FA", "DTI_eddy_noreg", "brain_segmentation", "tumor_segmentation"]
    ends += ["brain_parenchyma_segmentation"]
    write(tmp_path, *(f"{stem}_{end}.nii.gz" for end in ends))
    study = only(find_studies([tmp_path]))
    assert (study.id, study.layout) == ("UCSF-PDGM-0004", "UCSF-PDGM")
    assert names(study) == [*FOUR, "SWI", "FA"]
    files = {s.name: s.path.name.removeprefix("UCSF-PDGM-0004_") for s in study.sequences}
    assert files["T1"] == "T1.nii.gz" and files["T1c"] == "T1c.nii.gz"
    assert {m.kind: m.path.name.removeprefix("UCSF-PDGM-0004_") for m in study.masks} == {
        "expert": "tumor_segmentation.nii.gz",
        "brain": "brain_segmentation.nii.gz",
    }
    assert len(study.problems) == 6 and all(p.reason for p in study.problems)


def test_a_follow_up_is_a_study_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, "UCSF-PDGM-0433_nifti/UCSF-PDGM-0433_T1.nii.gz")
    write(tmp_path, "UCSF-PDGM-0433_FU007d_nifti/UCSF-PDGM-0433_FU007d_T1.nii.gz")
    found = find_studies([tmp_path])
    assert [s.id for s in found.studies] == ["UCSF-PDGM-0433_FU007d", "UCSF-PDGM-0433"]
    assert not found.problems


def test_brats_2020_case_355(tmp_path: Path) -> None:
    folder = "MICCAI/BraTS20_Training_355"
    write(tmp_path, *(f"{folder}/BraTS20_Training_355_{end}.nii" for end in BRATS[:4]))
    write(tmp_path, f"{folder}/W39_1998.09.19_Segm.nii")
    study = only(find_studies([tmp_path]))
    assert names(study) == FOUR
    assert [(m.kind, m.scheme) for m in study.masks] == [("expert", "brats-2021")]


@pytest.mark.parametrize(
    ("study_id", "scheme"),
    [("BraTS-GLI-00000-000", "brats-2023"), ("BraTS-GLI-02062-101", "brats-2024")],
)
def test_brats_2023_and_later(tmp_path: Path, study_id: str, scheme: str) -> None:
    ends = ("t1n", "t1c", "t2w", "t2f", "seg")
    write(tmp_path, *(f"{study_id}/{study_id}-{end}.nii.gz" for end in ends))
    study = only(find_studies([tmp_path]))
    assert (study.id, names(study)) == (study_id, FOUR)
    assert study.masks[0].scheme == scheme


def write_msd(task: Path, volumes: int = 4) -> None:
    stack = np.stack([distinct() + 1000 * n for n in range(volumes)], axis=3)
    for folder in ("imagesTr", "labelsTr"):
        (task / folder).mkdir(parents=True)
        (task / folder / "._BRATS_001.nii.gz").write_bytes(b"resource fork")
    nib.save(nib.Nifti1Image(stack, affine()), task / "imagesTr" / "BRATS_001.nii.gz")
    save(task / "labelsTr" / "BRATS_001.nii.gz", np.ones(SHAPE, np.uint8))


def test_msd_frames_become_sequences(tmp_path: Path) -> None:
    write_msd(tmp_path / "Task01_BrainTumour")
    found = find_studies([tmp_path])
    study = only(found)
    assert not found.problems and not study.problems
    assert names(study) == FOUR
    assert {s.name: s.frame for s in study.sequences} == {"FLAIR": 0, "T1": 1, "T1c": 2, "T2": 3}
    assert {s.shape for s in study.sequences} == {SHAPE}
    t1c = study.sequence("T1c")
    assert t1c is not None and read_volume(t1c).array[0, 0, 0] == 2001
    assert [(m.kind, m.scheme) for m in study.masks] == [("expert", "msd")]


def test_msd_order_is_that_of_dataset_json(tmp_path: Path) -> None:
    write_msd(tmp_path / "task")
    order = {"modality": {"0": "T2w", "1": "t1gd", "2": "T1w", "3": "FLAIR"}}
    (tmp_path / "task" / "dataset.json").write_text(json.dumps(order))
    study = only(find_studies([tmp_path]))
    assert {s.name: s.frame for s in study.sequences} == {"T2": 0, "T1c": 1, "T1": 2, "FLAIR": 3}


def test_msd_with_other_volumes_than_names_is_refused(tmp_path: Path) -> None:
    write_msd(tmp_path / "task", volumes=3)
    found = find_studies([tmp_path])
    assert not found.studies
    reasons = [p.reason for p in found.problems]
    assert any("expected a 4-D file with 4 volumes" in reason for reason in reasons)
    assert any("without a readable sequence beside it" in reason for reason in reasons)


def test_bids_sessions_and_contrast(tmp_path: Path) -> None:
    for session in ("ses-pre", "ses-post"):
        stem = f"sub-01/{session}/anat/sub-01_{session}"
        ends = ("T1w", "ce-gadolinium_T1w", "T2w", "FLAIR", "label-tumor_mask", "desc-brain_mask")
        write(tmp_path, *(f"{stem}_{end}.nii.gz" for end in ends))
    found = find_studies([tmp_path])
    assert [s.id for s in found.studies] == ["sub-01_ses-post", "sub-01_ses-pre"]
    for study in found.studies:
        assert names(study) == FOUR
        assert {m.kind: m.scheme for m in study.masks} == {"expert": "unknown", "brain": "unknown"}
        t1c = study.sequence("T1c")
        assert t1c is not None and "gadolinium" in t1c.path.name


def test_a_demo_study_is_synthetic(tmp_path: Path) -> None:
    ends = ("T1", "T1c", "T2", "FLAIR", "tumor_segmentation")
    write(tmp_path, *(f"DEMO-0001/DEMO-0001_{end}.nii.gz" for end in ends))
    (tmp_path / "DEMO-0001" / "demo-study.json").write_text("{}")
    study = only(find_studies([tmp_path]))
    assert (study.synthetic, study.layout, study.masks[0].scheme) == (True, "demo", "demo")
    assert names(study) == FOUR


def test_a_plain_folder_names_what_it_skips(tmp_path: Path) -> None:
    write(tmp_path, *(f"case/{n}.nii.gz" for n in ("T1", "T1_post", "T2-FLAIR", "T1_bias", "xyz")))
    write(tmp_path, "case/tumor_mask.nii.gz")
    study = only(find_studies([tmp_path]))
    assert (study.id, study.layout, names(study)) == (
        "case",
        "plain folder",
        ["T1", "T1c", "FLAIR"],
    )
    assert study.masks[0].scheme == "unknown"
    assert problems(study).keys() == {"T1_bias.nii.gz", "xyz.nii.gz"}
    assert "tells no sequence" in problems(study)["xyz.nii.gz"]


def test_a_root_may_be_a_study(tmp_path: Path) -> None:
    write(tmp_path, *(f"a/BraTS2021_00001/BraTS2021_00001_{end}.nii.gz" for end in BRATS))
    for root in (tmp_path, tmp_path / "a", tmp_path / "a" / "BraTS2021_00001"):
        assert only(find_studies([root])).id == "BraTS2021_00001"


def test_overlapping_roots_list_a_study_once(tmp_path: Path) -> None:
    write(tmp_path, *(f"a/BraTS2021_00001/BraTS2021_00001_{end}.nii.gz" for end in BRATS))
    found = find_studies([tmp_path / "a" / "BraTS2021_00001", tmp_path, tmp_path / "a"])
    assert len(found.studies) == 1 and not found.problems


def test_equal_ids_are_told_apart_and_said(tmp_path: Path) -> None:
    for folder in ("x/BraTS2021_00001", "y/BraTS2021_00001", "z/BraTS2021_00001_2mm"):
        write(tmp_path, f"{folder}/BraTS2021_00001_t1.nii.gz")
    roots = [tmp_path / name for name in "yxz"]
    found = find_studies(roots)
    assert {s.id: s.folder.parent.name for s in found.studies} == {
        "BraTS2021_00001": "y",
        "BraTS2021_00001~2": "x",
        "BraTS2021_00001_2mm": "z",
    }
    assert len(found.problems) == 2
    assert all("is also that of" in p.reason for p in found.problems)
    assert find_studies(roots) == found


def test_no_study_no_trouble(tmp_path: Path) -> None:
    assert find_studies([tmp_path]) == Catalogue((), ())
    assert find_studies([]) == Catalogue((), ())


def test_an_unknown_study_names_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, "BraTS2021_00001/BraTS2021_00001_t1.nii.gz")
    catalogue = find_studies([tmp_path])
    assert catalogue.study("BraTS2021_00001").id == "BraTS2021_00001"
    with pytest.raises(UnknownStudy, match=r"got 'BraTS2021_0001' \(nearest: BraTS2021_00001"):
        catalogue.study("BraTS2021_0001")


def test_five_hundred_studies_are_listed_in_two_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a listing read voxels")

    monkeypatch.setattr(voxels, "read_voxels", refuse)
    write_studies(tmp_path)
    seconds = []
    for _ in range(3):
        start = time.process_time()  # other programs on the machine do not count
        assert len(find_studies([tmp_path]).studies) == STUDIES
        seconds.append(time.process_time() - start)
    assert min(seconds) < 2.0


@pytest.mark.cases
def test_the_real_studies(cases_dir: Path) -> None:
    found = find_studies([cases_dir])
    assert {study.id: names(study) for study in found.studies} == {
        **{f"BraTS2021_0{n}": FOUR for n in range(1476, 1481)},
        "BraTS2021_01479_2mm": FOUR,
        "UCSF-PDGM-0096": FOUR,
    }
    kinds = {s.id: {m.kind: m.scheme for m in s.masks} for s in found.studies}
    assert kinds.pop("UCSF-PDGM-0096") == {"expert": "ucsf-pdgm", "brain": "ucsf-pdgm"}
    assert set(map(str, kinds.values())) == {"{'expert': 'brats-2021'}"}
    ucsf = found.study("UCSF-PDGM-0096")
    assert not any("_bias" in s.path.name for s in ucsf.sequences)
    assert all("_bias" in p.file for p in ucsf.problems) and len(ucsf.problems) == 4
    assert found.study("BraTS2021_01479").sequences[0].shape == (240, 240, 155)
    assert [p.file.endswith("BraTS2021_01479_2mm") for p in found.problems] == [True]


@pytest.mark.cases
def test_every_real_mask_lies_on_its_sequences(cases_dir: Path) -> None:
    for study in find_studies([cases_dir]).studies:
        volume = read_volume(study.sequences[0])
        for mask in study.masks:
            labels = read_labelmap(mask)
            assert same_grid(
                labels.affine, labels.array.shape, volume.affine, volume.array.shape
            ), study.id
