"""One row a file name: the layout that takes it, its study, and what it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.layouts.layout import claim_of
from viewer.layouts.table import DEMO_MARKER, LAYOUTS

UCSF = "UCSF-PDGM-0004_nifti/UCSF-PDGM-0004_"
FOLLOW_UP = "UCSF-PDGM-0433_FU007d_nifti/"
B20 = "BraTS20_Training_355/"
ROWS = [
    (UCSF + "T1.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "T1"),
    (UCSF + "T1c.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "T1c"),
    (UCSF + "T1gad.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "T1c"),
    (UCSF + "T2.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "T2"),
    (UCSF + "FLAIR.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "FLAIR"),
    (UCSF + "T2FLAIR.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "FLAIR"),
    (UCSF + "SWI.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "SWI"),
    (UCSF + "DTI_eddy_FA.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "FA"),
    (UCSF + "DTI_eddy_MD.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "sequence", "MD"),
    (UCSF + "T1_bias.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "aside", "bias-corrected"),
    (UCSF + "SWI_bias.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "aside", "bias-corrected"),
    (UCSF + "DTI_eddy_noreg.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "aside", "4-D diffusion"),
    (UCSF + "something.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "skip", "no file of the UCSF"),
    (UCSF + "tumor_segmentation.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "mask", "expert"),
    (UCSF + "brain_segmentation.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "mask", "brain"),
    (UCSF + "brain_parenchyma_segmentation.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0004", "aside", ""),
    (FOLLOW_UP + "UCSF-PDGM-0433_FU007d_T1.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0433_FU007d",
     "sequence", "T1"),
    (FOLLOW_UP + "UCSF-PDGM-0433_T1.nii.gz", "UCSF-PDGM", "UCSF-PDGM-0433_FU007d",
     "sequence", "T1"),
    ("flat/UCSF-PDGM-0433_FU007d_T1.nii", "UCSF-PDGM", "UCSF-PDGM-0433_FU007d", "sequence", "T1"),
    ("x/BraTS2021_00000_t1ce.nii.gz", "BraTS 2021", "BraTS2021_00000", "sequence", "T1c"),
    ("x/BraTS2021_00000_t1.nii.gz", "BraTS 2021", "BraTS2021_00000", "sequence", "T1"),
    ("x/BraTS2021_00000_seg.nii.gz", "BraTS 2021", "BraTS2021_00000", "mask", "expert"),
    ("x/Brats18_2013_2_1_flair.nii.gz", "BraTS 2018-2020", "Brats18_2013_2_1", "sequence",
     "FLAIR"),
    ("x/BraTS19_TMC_06290_1_t2.nii.gz", "BraTS 2018-2020", "BraTS19_TMC_06290_1", "sequence",
     "T2"),
    (B20 + "BraTS20_Training_355_t1.nii", "BraTS 2018-2020", "BraTS20_Training_355", "sequence",
     "T1"),
    (B20 + "W39_1998.09.19_Segm.nii", "BraTS 2018-2020", "BraTS20_Training_355", "mask", "expert"),
    ("x/BraTS-GLI-00000-000-t1n.nii.gz", "BraTS 2023", "BraTS-GLI-00000-000", "sequence", "T1"),
    ("x/BraTS-GLI-00000-001-t1c.nii.gz", "BraTS 2023", "BraTS-GLI-00000-001", "sequence", "T1c"),
    ("x/BraTS-GLI-00000-000-t2w.nii.gz", "BraTS 2023", "BraTS-GLI-00000-000", "sequence", "T2"),
    ("x/BraTS-GLI-00000-000-t2f.nii.gz", "BraTS 2023", "BraTS-GLI-00000-000", "sequence", "FLAIR"),
    ("x/BraTS-GLI-02062-101-seg.nii.gz", "BraTS 2024 post-treatment", "BraTS-GLI-02062-101",
     "mask", "expert"),
    ("imagesTr/BRATS_001.nii.gz", "MSD Task01", "BRATS_001", "frames", ""),
    ("labelsTr/BRATS_001.nii.gz", "MSD Task01", "BRATS_001", "mask", "expert"),
    ("anat/sub-01_T1w.nii.gz", "BIDS", "sub-01", "sequence", "T1"),
    ("anat/sub-01_ses-x_acq-3d_run-1_T2w.nii.gz", "BIDS", "sub-01_ses-x", "sequence", "T2"),
    ("anat/sub-01_ses-x_ce-gadolinium_T1w.nii", "BIDS", "sub-01_ses-x", "sequence", "T1c"),
    ("anat/sub-01_acq-a_ce-gd_run-2_T1w.nii.gz", "BIDS", "sub-01", "sequence", "T1c"),
    ("anat/sub-01_FLAIR.nii.gz", "BIDS", "sub-01", "sequence", "FLAIR"),
    ("anat/sub-01_label-tumor_mask.nii.gz", "BIDS", "sub-01", "mask", "expert"),
    ("anat/sub-01_desc-brain_mask.nii.gz", "BIDS", "sub-01", "mask", "brain"),
    ("anat/sub-01_dseg.nii.gz", "BIDS", "sub-01", "mask", "expert"),
    ("dwi/sub-01_dwi.nii.gz", "BIDS", "sub-01", "aside", "4-D diffusion"),
    ("d/DEMO-0001_T1c.nii.gz", "demo", "DEMO-0001", "sequence", "T1c"),
    ("d/DEMO-0001_tumor_segmentation.nii.gz", "demo", "DEMO-0001", "mask", "expert"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "layout", "study", "kind", "name"), ROWS)
def test_a_file_name(file: str, layout: str, study: str, kind: str, name: str) -> None:
    path = Path("root", file)
    names = frozenset({path.name} | ({DEMO_MARKER} if layout == "demo" else set()))
    claim = next(c for row in LAYOUTS if (c := claim_of(row, path, names)))
    assert (claim.layout, claim.study, claim.role.kind) == (layout, study, kind)
    assert claim.role.name.startswith(name)


@pytest.mark.parametrize(
    "file",
    [
        "imagesTr/._BRATS_001.nii.gz",
        "x/BRATS_001.nii.gz",
        "x/W39_1998.09.19_Segm.nii",
        "x/T1.nii.gz",
        "d/DEMO-0001_T1c.nii.gz",
        "x/BraTS2021_00000_t1.json",
    ],
)
def test_no_layout(file: str) -> None:
    path = Path("root", file)
    assert not any(claim_of(row, path, frozenset({path.name})) for row in LAYOUTS)


def test_every_scheme_follows_from_the_name() -> None:
    schemes = {row.name: row.scheme for row in LAYOUTS}
    assert schemes == {
        "demo": "demo",
        "UCSF-PDGM": "ucsf-pdgm",
        "BraTS 2021": "brats-2021",
        "BraTS 2018-2020": "brats-2021",
        "BraTS 2024 post-treatment": "brats-2024",
        "BraTS 2023": "brats-2023",
        "MSD Task01": "msd",
        "BIDS": "unknown",
    }
