"""Whose files lie in a folder that follows no layout."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from viewer.layouts.plain import plain_claims


def studies(folder: str, *names: str) -> dict[str, set[str]]:
    """Study id -> roles, by file names."""
    found = defaultdict(set)
    for claim in plain_claims([Path("root", folder, f"{n}.nii.gz") for n in names])[0]:
        found[claim.study].add(claim.role.name)
    return dict(found)


@pytest.mark.parametrize(
    "names",
    [
        ("T1", "T2", "FLAIR"),
        ("ax_T1", "sag_T2", "3d_FLAIR"),
        ("3_T1", "5_T2", "7_FLAIR"),
        ("P1_T1", "P1_T2", "P1_FLAIR"),
        ("first_T1", "second_T2", "FLAIR"),
    ],
)
def test_one_study(names: tuple[str, ...]) -> None:
    assert studies("patient", *names) == {"patient": {"T1", "T2", "FLAIR"}}


def test_prefixes_that_hold_several_files_are_studies() -> None:
    found = studies("flat", "P-1_T1", "P-1_T2", "P-1_seg", "P-2_T1", "P-2_T2")
    assert found == {"P-1": {"T1", "T2", "expert"}, "P-2": {"T1", "T2"}}


def test_prefixes_that_claim_one_sequence_are_studies() -> None:
    assert studies("flat", "a_FLAIR", "b_FLAIR") == {"a": {"FLAIR"}, "b": {"FLAIR"}}


def test_numbers_that_files_share_are_patients() -> None:
    found = studies("flat", "001_T1", "001_T2", "002_T1", "002_T2")
    assert found == {"001": {"T1", "T2"}, "002": {"T1", "T2"}}


def test_a_folder_without_a_name_of_its_own_takes_its_parents() -> None:
    assert studies("patient7/anat", "T1", "T2") == {"patient7": {"T1", "T2"}}


def test_silent_names_are_handed_back() -> None:
    claims, silent = plain_claims([Path("x/T1.nii"), Path("x/scan.nii")])
    assert [c.path.name for c in claims] == ["T1.nii"]
    assert silent == [Path("x/scan.nii")]
