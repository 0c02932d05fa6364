"""A mask is made once for a study's content, and never shown for another's."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from segmentation import predict
from segmentation.errors import MaskNotKept, SegmentationCancelled
from segmentation.regions import region_mask
from segmentation.store import MaskStore
from tests.segmentation.studies import (
    ENTRY,
    BrightFlair,
    label_map,
    lump,
    weights,
    write_labels,
    write_study,
)
from viewer.cache import ArrayCache
from viewer.study import Study


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the weights that were loaded, one for each run of a network."""
    loaded: list[str] = []

    def load(chosen: object) -> BrightFlair:
        loaded.append(str(chosen))
        return BrightFlair()

    monkeypatch.setattr(predict, "load_network", load)
    return loaded


@pytest.fixture
def store(tmp_path: Path) -> MaskStore:
    return MaskStore(tmp_path / "masks", ArrayCache(2**27))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return write_study(tmp_path / "A")


def test_a_mask_is_made_once(store: MaskStore, study: Study, runs: list[str]) -> None:
    assert store.predicted(study) is None
    first, second = store.segment(study, weights()), store.segment(study, weights())
    assert len(runs) == 1
    np.testing.assert_array_equal(first.array, second.array)
    assert first.source == second.source == weights().identity
    again = MaskStore(store.folder, ArrayCache(2**27)).predicted(study)
    assert again is not None and again.source == weights().identity


def test_other_weights_or_settings_make_another(
    store: MaskStore, study: Study, runs: list[str]
) -> None:
    store.segment(study, weights())
    store.segment(study, replace(weights(), sha256="1" * 64))
    store.segment(study, weights(replace(ENTRY, overlap=0.5)))
    assert len(runs) == 3


def test_the_one_asked_for_last_is_shown(store: MaskStore, study: Study, runs: list[str]) -> None:
    other = replace(weights(), sha256="1" * 64)
    for chosen in (weights(), other, weights()):
        store.segment(study, chosen)
        _later(store)
    assert len(runs) == 2
    shown = store.predicted(study)
    assert shown is not None and shown.source == weights().identity


def _later(store: MaskStore) -> None:
    """Age what is there, so that the order does not hang on the clock's grain."""
    for file in store.folder.rglob("*.json"):
        stat = file.stat()
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns - 10**9))


def test_a_study_shows_no_mask_of_another(
    store: MaskStore, study: Study, tmp_path: Path, runs: list[str]
) -> None:
    other = write_study(tmp_path / "B" / "A", seed=1)
    store.segment(study, weights())
    assert other.id == study.id
    assert store.predicted(other) is None


def test_a_changed_file_needs_a_new_mask(store: MaskStore, study: Study, runs: list[str]) -> None:
    store.segment(study, weights())
    os.utime(study.sequences[0].path, ns=(0, 0))
    assert store.predicted(study) is None
    store.segment(study, weights())
    assert len(runs) == 2


@pytest.mark.parametrize("content", [b"", b"not an image", None])
@pytest.mark.parametrize("suffix", [".nii.gz", ".json"])
def test_a_damaged_entry_is_made_anew(
    store: MaskStore, study: Study, runs: list[str], content: bytes | None, suffix: str
) -> None:
    made = store.segment(study, weights())
    (entry,) = store.folder.rglob(f"*{suffix}")
    if content is None:
        entry.unlink()
    else:
        entry.write_bytes(content)
    fresh = MaskStore(store.folder, ArrayCache(2**27))
    assert fresh.predicted(study) is None
    np.testing.assert_array_equal(fresh.segment(study, weights()).array, made.array)
    assert len(runs) == 2


def test_a_sessions_mask_lies_in_its_folder(
    store: MaskStore, study: Study, runs: list[str], tmp_path: Path
) -> None:
    own = replace(study, session_folder=tmp_path / "session")
    store.segment(own, weights())
    assert store.predicted(own) is not None and store.predicted(study) is None
    assert not list(store.folder.rglob("*.json"))
    assert len(list((tmp_path / "session").rglob("*.json"))) == 1


def test_a_cancelled_run_leaves_nothing(store: MaskStore, study: Study, runs: list[str]) -> None:
    with pytest.raises(SegmentationCancelled):
        store.segment(study, weights(), cancelled=lambda: True)
    assert store.predicted(study) is None
    store.segment(study, weights())


def test_the_experts_mask_is_read_with_its_scheme(store: MaskStore, study: Study) -> None:
    assert store.expert(study) is None
    mask = write_labels(study.folder, label_map(lump() * 3).array, "brats-2023")
    labels = store.expert(replace(study, masks=(mask,)))
    assert labels is not None and labels.scheme == "brats-2023"
    np.testing.assert_array_equal(region_mask(labels, "ET"), lump())


def test_a_disk_that_refuses_the_mask_is_one_sentence(
    store: MaskStore, study: Study, runs: list[str]
) -> None:
    store.folder.write_text("a file where the folder should be")
    with pytest.raises(MaskNotKept, match=r"Expected room .* Not a directory; .* MRI_VQA_CACHE"):
        store.segment(study, weights())
    store.folder.unlink()
    assert store.segment(study, weights()).source == weights().identity
