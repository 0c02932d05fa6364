"""What a model cannot take is known before it is asked, with the reason."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from inference.models.table import DEFAULT_MODEL, MODELS
from inference.possible import reasons
from inference.representations import REPRESENTATIONS
from inference.takes import COUNTS, takes
from viewer.catalogue import Catalogue
from viewer.study import SequenceFile, Study


def study(*names: str) -> Study:
    files = (SequenceFile(name, Path("x.nii"), (4, 4, 4), (1.0, 1.0, 1.0)) for name in names)
    return Study("S1", "folder", Path(), tuple(files))


QWEN = "Qwen/Qwen3-8B"
FULL = study("T1", "T1c", "T2", "FLAIR")


def test_every_representation_is_counted() -> None:
    assert set(COUNTS) == set(REPRESENTATIONS)


def test_the_embedded_model_takes_all_of_them() -> None:
    assert not any(takes(MODELS[DEFAULT_MODEL], name, FULL) for name in REPRESENTATIONS)


@pytest.mark.parametrize(
    ("model", "name", "reason"),
    [
        ("Qwen/Qwen3-8B", "single-slice", "words only"),
        ("Qwen/Qwen3-8B", "text-only", None),
        ("google/medsiglip-448", "text-only", "needs a picture"),
        ("google/medsiglip-448", "multi-slice", "one picture; this has 4 or more"),
        ("google/medsiglip-448", "volume", "one picture"),
        ("google/medsiglip-448", "montage", None),
        ("server:Med3DVLM", "montage", "volume only"),
        ("server:Med3DVLM", "volume", None),
        ("imported", "text-only", "no model to ask"),
    ],
)
def test_reasons(model: str, name: str, reason: str | None) -> None:
    found = takes(MODELS[model], name, FULL)
    assert found is None if reason is None else found is not None and reason in found


def test_a_study_without_the_drawn_sequence_is_named() -> None:
    found = takes(MODELS[DEFAULT_MODEL], "single-slice", study("T1", "T2"))
    assert found == "is shown FLAIR in single-slice, which this study has not"


@pytest.mark.parametrize(
    ("models", "name", "reason"),
    [
        ([QWEN], "volume", "words only"),
        ([QWEN, DEFAULT_MODEL], "volume", None),
        ([QWEN, "google/medsiglip-448"], "multi-montage", "words only.*takes one picture"),
        ([QWEN, "no such model"], "volume", None),
        ([], "volume", None),
    ],
)
def test_what_none_of_several_models_takes_cannot_be_chosen(
    models: list[str], name: str, reason: str | None
) -> None:
    catalogue = Catalogue((FULL,), ())
    for study_id in ("S1", None):
        found = reasons(catalogue.study, study_id, models, ())
        assert set(found) == set(REPRESENTATIONS)
        told = found[name]
        assert told is None if reason is None else told and re.search(reason, told)


def test_the_users_own_limit_counts() -> None:
    tight = replace(MODELS[DEFAULT_MODEL], max_pictures=2)
    assert "at most 2 pictures" in (takes(tight, "multi-montage", FULL) or "")
