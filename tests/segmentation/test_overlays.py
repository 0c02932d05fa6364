"""What the panes are told of a study's masks: one tissue, one colour, one address."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from segmentation.overlays import entries_of, mask_url, overlays_of
from segmentation.regions import SCHEMES
from tests.segmentation.studies import label_map, lump, write_labels, write_study
from viewer.study import MaskFile


def test_a_tissue_has_one_colour_in_every_scheme() -> None:
    colours: dict[str, set[str]] = {}
    for scheme in SCHEMES:
        for entry in entries_of(scheme):
            colours.setdefault(entry.name, set()).add(entry.color)
    assert len(colours) == 4
    assert all(len(found) == 1 for found in colours.values())


def test_only_a_scheme_with_a_cavity_offers_one() -> None:
    with_cavity = {name for name in SCHEMES if any(e.value == 8 for e in entries_of(name))}
    assert with_cavity == {"brats-2024"}


def test_a_study_without_masks_has_no_overlay(tmp_path: Path) -> None:
    assert overlays_of(write_study(tmp_path / "A"), None) == []


def test_expert_and_predicted_masks_are_told_apart(tmp_path: Path) -> None:
    study = write_study(tmp_path / "A")
    study = replace(study, masks=(write_labels(study.folder, lump() * 2),))
    predicted = replace(label_map(lump() * 2), source="net@0123")
    expert, made = overlays_of(study, predicted)
    assert (expert.kind, made.kind) == ("expert", "predicted")
    assert "brats-2021" in expert.source and made.source == "net@0123"
    assert expert.url != made.url


def test_other_weights_are_another_address(tmp_path: Path) -> None:
    study = write_study(tmp_path / "A")
    sources = ("net@0123", "net@4567")
    labels = [replace(label_map(lump() * 2), source=source) for source in sources]
    addresses = {overlays_of(study, one)[0].url for one in labels}
    assert len(addresses) == 2


def test_a_mask_of_unknown_meaning_is_not_coloured(tmp_path: Path) -> None:
    mask = MaskFile("expert", tmp_path / "mask.nii.gz", "unknown")
    assert overlays_of(replace(write_study(tmp_path / "A"), masks=(mask,)), None) == []


def test_ids_are_quoted_in_addresses() -> None:
    assert mask_url("a/b c", "expert") == "masks/a%2Fb%20c/expert.nii"
    assert np.all([part not in mask_url("a?b#c", "expert") for part in "?#"])
