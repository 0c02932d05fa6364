"""The layouts, most particular first: the first row that matches a file decides."""

from __future__ import annotations

import re

from viewer.layouts.layout import UNKNOWN_SCHEME, Layout, Role

DEMO_MARKER = "demo-study.json"


def _sequences(**names: str) -> dict[str, Role]:
    return {what: Role("sequence", name) for what, name in names.items()}


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


EXPERT = Role("mask", "expert")
BRAIN = Role("mask", "brain")

UCSF_ROLES = {
    **_sequences(
        t1="T1", t1c="T1c", t1gad="T1c", t2="T2", flair="FLAIR", t2flair="FLAIR",
        swi="SWI", dwi="DWI", adc="ADC", asl="ASL",
        dti_eddy_fa="FA", dti_eddy_md="MD", dti_eddy_l1="L1", dti_eddy_l2="L2", dti_eddy_l3="L3",
    ),
    **{
        f"{what}_bias": Role("aside", "bias-corrected variant; the plain sequence is shown")
        for what in ("t1", "t1c", "t1gad", "t2", "flair", "t2flair", "swi", "dwi", "adc", "asl")
    },
    "dti_eddy_noreg": Role("aside", "4-D diffusion series on a grid of its own"),
    "brain_segmentation": BRAIN,
    "brain_parenchyma_segmentation": Role("aside", "parenchyma mask; the brain mask is used"),
    "tumor_segmentation": EXPERT,
}  # fmt: skip
BRATS_ROLES = {**_sequences(t1="T1", t1ce="T1c", t2="T2", flair="FLAIR"), "seg": EXPERT}
BRATS_2023_ROLES = {**_sequences(t1n="T1", t1c="T1c", t2w="T2", t2f="FLAIR"), "seg": EXPERT}
BIDS_ROLES = {
    **_sequences(t1w="T1", t2w="T2", flair="FLAIR", swi="SWI", fa="FA", md="MD", adc="ADC"),
    "mask": EXPERT,
    "dseg": EXPERT,
    "dwi": Role("aside", "4-D diffusion series; only anatomical sequences are shown"),
    "bold": Role("aside", "functional series; only anatomical sequences are shown"),
}
DEMO_ROLES = {
    **_sequences(
        t1="T1", t1c="T1c", t2="T2", flair="FLAIR", swi="SWI", dwi="DWI", adc="ADC",
        asl="ASL", fa="FA", md="MD",
    ),
    "tumor_segmentation": EXPERT,
    "brain_segmentation": BRAIN,
}  # fmt: skip

MSD_FRAMES = ("FLAIR", "T1", "T1c", "T2")
"""Order of the fourth axis by the dataset.json that Task01_BrainTumour comes with."""

BRATS_ID = r"(?P<study>BraTS-(?:GLI|SSA|MEN|MET|GoAT)-\d+-{time})"
BIDS_ID = r"(?P<study>sub-[a-z0-9]+(?:_ses-[a-z0-9]+)?)"
BIDS_ENTITIES = r"(?:_[a-z]+-[a-z0-9.+]+)*"

LAYOUTS = (
    Layout(
        "demo",
        _pattern(r"(?P<study>.+?)_(?P<what>[a-z0-9]+|tumor_segmentation|brain_segmentation)"),
        DEMO_ROLES,
        scheme="demo",
        marker=DEMO_MARKER,
        synthetic=True,
    ),
    Layout(
        "UCSF-PDGM",  # the folder tells a follow-up from the first visit
        _pattern(r"UCSF-PDGM-\d+(?:_FU\d+d)?_(?P<what>.+)"),
        UCSF_ROLES,
        scheme="ucsf-pdgm",
        folder=_pattern(r"(?P<study>UCSF-PDGM-\d+(?:_FU\d+d)?)(?:_nifti)?"),
    ),
    Layout(
        "UCSF-PDGM",
        _pattern(r"(?P<study>UCSF-PDGM-\d+(?:_FU\d+d)?)_(?P<what>.+)"),
        UCSF_ROLES,
        scheme="ucsf-pdgm",
    ),
    Layout(
        "BraTS 2021",
        _pattern(r"(?P<study>BraTS2021_\d+)_(?P<what>[a-z0-9]+)"),
        BRATS_ROLES,
        scheme="brats-2021",
    ),
    Layout(
        "BraTS 2018-2020",
        _pattern(r"(?P<study>BraTS(?:18|19|20)_.+)_(?P<what>[a-z0-9]+)"),
        BRATS_ROLES,
        scheme="brats-2021",
    ),
    Layout(
        "BraTS 2018-2020",  # the mask of BraTS20_Training_355
        _pattern(r"W39_1998\.09\.19_(?P<what>Segm)"),
        {"segm": EXPERT},
        scheme="brats-2021",
        folder=_pattern(r"(?P<study>BraTS20_Training_\d+)"),
    ),
    Layout(
        "BraTS 2024 post-treatment",  # its time points are numbered from 100
        _pattern(BRATS_ID.format(time=r"1\d\d") + r"-(?P<what>[a-z0-9]+)"),
        BRATS_2023_ROLES,
        scheme="brats-2024",
    ),
    Layout(
        "BraTS 2023",
        _pattern(BRATS_ID.format(time=r"\d{3}") + r"-(?P<what>[a-z0-9]+)"),
        BRATS_2023_ROLES,
        scheme="brats-2023",
    ),
    Layout(
        "MSD Task01",
        _pattern(r"(?P<study>BRATS_\d+)"),
        {"": Role("frames", names=MSD_FRAMES)},
        scheme="msd",
        folder=_pattern(r"images(?:Tr|Ts)"),
        up=1,
    ),
    Layout(
        "MSD Task01",
        _pattern(r"(?P<study>BRATS_\d+)"),
        {"": EXPERT},
        scheme="msd",
        folder=_pattern(r"labels(?:Tr|Ts)"),
        up=1,
    ),
    Layout(
        "BIDS",  # contrast-enhanced before plain: both end in T1w
        _pattern(BIDS_ID + BIDS_ENTITIES + r"_ce-[a-z0-9]+" + BIDS_ENTITIES + r"_(?P<what>T1w)"),
        {"t1w": Role("sequence", "T1c")},
        scheme=UNKNOWN_SCHEME,
    ),
    Layout(
        "BIDS",
        _pattern(BIDS_ID + BIDS_ENTITIES + r"_(?:desc|label)-brain_(?P<what>mask|dseg)"),
        {"mask": BRAIN, "dseg": BRAIN},
        scheme=UNKNOWN_SCHEME,
    ),
    Layout(
        "BIDS",
        _pattern(BIDS_ID + BIDS_ENTITIES + r"_(?P<what>[a-z0-9]+)"),
        BIDS_ROLES,
        scheme=UNKNOWN_SCHEME,
    ),
)
