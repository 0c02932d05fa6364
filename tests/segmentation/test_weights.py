"""A set of weights is found, is the one it says it is, and tells its channel order."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from segmentation.errors import UnusableWeights
from segmentation.published import PUBLISHED
from segmentation.weights import EMBEDDED, find_weights, sha256_of, weights_names
from segmentation.weights_entry import WeightsEntry, entry_from_json, entry_to_json
from tests.segmentation.studies import ENTRY
from viewer.errors import UnknownName


def beside(folder: Path, **changes: Any) -> Path:
    """A file of weights and a description beside it, with changes; None leaves a field out."""
    file = folder / "mine.safetensors"
    file.write_bytes(b"numbers")
    told = {**asdict(ENTRY), **changes}
    told = {key: value for key, value in told.items() if value is not None}
    file.with_suffix(".json").write_text(json.dumps(told))
    return file


def test_the_embedded_set_is_there_and_whole() -> None:
    weights = find_weights()
    assert weights.entry.name == EMBEDDED
    assert weights.entry.sha256 == sha256_of(weights.path)
    assert weights.path.stat().st_size <= 12 * 2**20
    assert weights.identity == f"{EMBEDDED}@{weights.sha256[:12]}"
    assert (weights.path.parent / "README.md").is_file()


def test_each_row_tells_its_own_channel_order() -> None:
    fold, bundle = PUBLISHED["brats21-fold0"], PUBLISHED["monai-brats-bundle"]
    assert fold.channels == ("FLAIR", "T1c", "T1", "T2")
    assert bundle.channels == ("T1c", "T1", "T2", "FLAIR")
    assert {entry.outputs for entry in PUBLISHED.values()} == {("TC", "WT", "ET")}
    assert len([name for name in weights_names() if name.startswith("brats21-fold")]) == 5


def test_published_weights_that_are_not_there_say_where_they_are_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MRI_VQA_CACHE", str(tmp_path))
    with pytest.raises(UnusableWeights, match=r"expected its weights at .*fetch them from https"):
        find_weights("brats21-fold1")


def test_a_row_and_a_file_go_together(tmp_path: Path) -> None:
    file = tmp_path / "model.pt"
    file.write_bytes(b"numbers")
    weights = find_weights(f"brats21-fold1={file}")
    assert weights.entry is PUBLISHED["brats21-fold1"] and weights.path == file


def test_an_unknown_name_lists_the_others() -> None:
    with pytest.raises(UnknownName, match="demo-swin-unetr, brats21-fold0"):
        find_weights("unet")


def test_a_file_with_a_description_is_taken(tmp_path: Path) -> None:
    weights = find_weights(str(beside(tmp_path)))
    assert weights.entry == ENTRY and weights.path.name == "mine.safetensors"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableWeights, match="no such file"):
        find_weights(str(tmp_path / "gone.pt"))


def test_an_undeclared_channel_order_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.pt"
    file.write_bytes(b"numbers")
    with pytest.raises(UnusableWeights, match="order of its channels is not declared"):
        find_weights(str(file))
    with pytest.raises(UnusableWeights, match="channels, which it does not declare"):
        find_weights(str(beside(tmp_path, channels=None)))


def test_a_wrong_checksum_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableWeights, match="expected sha256 abcd"):
        find_weights(str(beside(tmp_path, sha256="abcd")))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"outputs": ["WT", "TC"]}, "outputs to list"),
        ({"channels": ["T1", "T1"]}, "channels to list each sequence once"),
        ({"normalisation": "min-max"}, "normalisation to be one of"),
        ({"spacing_mm": [1.0, 1.0]}, "spacing_mm to hold three"),
        ({"roi": [100, 96, 96]}, "divisible by 32"),
        ({"channels": 4}, "channels to list each sequence once"),
        ({"spacing_mm": "1 mm"}, "spacing_mm to hold three"),
        ({"overlap": 1.0}, "overlap to lie between"),
        ({"axes": "RRS"}, "axes to name an orientation"),
        ({"feature_size": "48"}, "feature_size to be a whole number"),
        ({"feature_size": 0}, "feature_size to be a whole number"),
        ({"feature_size": 48.0}, "feature_size to be a whole number"),
        ({"feature_size": True}, "feature_size to be a whole number"),
        ({"window_size": 0}, "window_size to be a whole number"),
        ({"window_size": [7, 7]}, "window_size to be a whole number"),
        ({"threshold": "0.5"}, "threshold to lie between 0 and 1"),
        ({"threshold": 0}, "threshold to lie between 0 and 1"),
        ({"threshold": True}, "threshold to lie between 0 and 1"),
        ({"smallest_ml": "1"}, "smallest_ml to be a volume"),
        ({"smallest_ml": -0.1}, "smallest_ml to be a volume"),
        ({"smallest_ml": float("inf")}, "smallest_ml to be a volume"),
        ({"least_sure": "0.8"}, "least_sure to lie between 0 and 1"),
        ({"mirrored": "no"}, "mirrored to be true or false"),
        ({"roi": [96.0, 96.0, 96.0]}, "divisible by 32"),
        ({"spacing_mm": [1.0, 1.0, float("inf")]}, "spacing_mm to hold three"),
        ({"channels": "FLAIR"}, "channels to list each sequence once"),
        ({"channels": [1, 2]}, "channels to list each sequence once"),
        ({"architecture": {}}, "architecture, .* to be texts"),
        ({"sha256": 12}, "sha256 to be a checksum"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_description_that_cannot_be_is_refused(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(UnusableWeights, match=reason):
        find_weights(str(beside(tmp_path, **changes)))


def test_a_description_that_is_no_json_is_refused(tmp_path: Path) -> None:
    file = beside(tmp_path)
    file.with_suffix(".json").write_text("channels: FLAIR")
    with pytest.raises(UnusableWeights, match="in JSON"):
        find_weights(str(file))


@pytest.mark.parametrize("entry", [*PUBLISHED.values(), ENTRY], ids=lambda entry: entry.name)
def test_a_row_survives_its_description(tmp_path: Path, entry: WeightsEntry) -> None:
    path = tmp_path / "model.json"
    path.write_text(entry_to_json(entry))
    assert entry_from_json(path) == entry
