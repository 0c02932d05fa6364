"""What a free file name claims to be."""

from __future__ import annotations

import pytest

from viewer.layouts.tokens import role_of


@pytest.mark.parametrize(
    ("stem", "kind", "name"),
    [
        ("T1", "sequence", "T1"),
        ("ax_t1_mprage", "sequence", "T1"),
        ("T1_pre_contrast", "sequence", "T1"),
        ("T1_pre", "sequence", "T1"),
        ("T1-noncontrast", "sequence", "T1"),
        ("T1 without Gd", "sequence", "T1"),
        ("pre_op_T1_Gd", "sequence", "T1c"),
        ("post_op_T1", "sequence", "T1"),
        ("T1_post_op_without_contrast", "sequence", "T1"),
        ("T1_non_enhanced", "sequence", "T1"),
        ("T1_not_enhanced", "sequence", "T1"),
        ("T1-unenhanced", "sequence", "T1"),
        ("T1_nonenhanced", "sequence", "T1"),
        ("T1_without_contrast_enhancement", "sequence", "T1"),
        ("T1_no_enhancement", "sequence", "T1"),
        ("T1_not_contrast_enhanced", "sequence", "T1"),
        ("T1_pre_Gd", "sequence", "T1"),
        ("T1_wo_contrast", "sequence", "T1"),
        ("T1 w/o Gd", "sequence", "T1"),
        ("T1post_op", "sequence", "T1"),
        ("T1post_contrast", "sequence", "T1c"),
        ("T1ce_post_op", "sequence", "T1c"),
        ("T1_no_motion_post", "sequence", "T1c"),
        ("T1_post_treatment", "sequence", "T1"),
        ("T1_post_RT", "sequence", "T1"),
        ("T1_post_radiation", "sequence", "T1"),
        ("T1_post_radio_therapy", "sequence", "T1"),
        ("post_chemo_T1", "sequence", "T1"),
        ("T1_post-therapy", "sequence", "T1"),
        ("T1_posttreatment", "sequence", "T1"),
        ("T1_post_chemoradiotherapy", "sequence", "T1"),
        ("T1_post_resection", "sequence", "T1"),
        ("T1_post_biopsy", "sequence", "T1"),
        ("post_RT_T1_Gd", "sequence", "T1c"),
        ("T1_post_treatment_post", "sequence", "T1c"),
        ("T1_enhanced", "sequence", "T1c"),
        ("T1_contrast_enhanced", "sequence", "T1c"),
        ("T1_post_contrast_post_surgery", "sequence", "T1c"),
        ("T1_post_Gd", "sequence", "T1c"),
        ("T1-brain", "sequence", "T1"),
        ("t1ce", "sequence", "T1c"),
        ("CT1", "sequence", "T1c"),
        ("T1_post", "sequence", "T1c"),
        ("T1-Gd", "sequence", "T1c"),
        ("TCGA-02-0006_1996.08.23_t1Gd", "sequence", "T1c"),
        ("mprage_with_contrast", "sequence", "T1c"),
        ("T2", "sequence", "T2"),
        ("T2_FLAIR", "sequence", "FLAIR"),
        ("t2flair", "sequence", "FLAIR"),
        ("truncated_plain_flair", "sequence", "FLAIR"),
        ("swi_minip", "sequence", "SWI"),
        ("adc", "sequence", "ADC"),
        ("tumor_mask", "mask", "expert"),
        ("T1_seg", "mask", "expert"),
        ("UPENN-GBM-00001_11_segm", "mask", "expert"),
        ("T1_brain_mask", "mask", "brain"),
        ("brainmask", "mask", "brain"),
        ("T1_bias", "aside", "bias field or bias-corrected variant"),
        ("T1_to_FLAIR", "skip", "its name claims T1 and FLAIR at once; name one sequence"),
        ("dwi_adc", "skip", "its name claims DWI and ADC at once; name one sequence"),
    ],
)
def test_words(stem: str, kind: str, name: str) -> None:
    role = role_of(stem)
    assert role is not None
    assert (role.kind, role.name) == (kind, name)


@pytest.mark.parametrize("stem", ["anatomical", "t10", "at1b", "swirl", "fat", "scan_001", ""])
def test_no_word(stem: str) -> None:
    assert role_of(stem) is None
