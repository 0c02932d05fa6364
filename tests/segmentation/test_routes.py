"""The browser gets canonical labels of listed studies, and reasons in words."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from segmentation import predict
from segmentation.routes import mask_routes
from segmentation.store import MaskStore
from tests.segmentation.studies import (
    BrightFlair,
    brain,
    label_map,
    lump,
    weights,
    write_labels,
    write_study,
)
from viewer.cache import ArrayCache
from viewer.errors import UnknownStudy
from viewer.study import Study


@pytest.fixture
def store(tmp_path: Path) -> MaskStore:
    return MaskStore(tmp_path / "masks", ArrayCache(2**27))


def client_for(study: Study, store: MaskStore) -> TestClient:
    def find(study_id: str) -> Study:
        if study_id != study.id:
            raise UnknownStudy(f"no study {study_id}")
        return study

    app = FastAPI()
    app.include_router(mask_routes(find, lambda: store))
    return TestClient(app)


def with_expert(folder: Path, values: np.ndarray, scheme: str) -> Study:
    study = write_study(folder / "A")
    return replace(study, masks=(write_labels(study.folder, values, scheme),))


def test_labels_are_canonical_whatever_the_scheme(tmp_path: Path, store: MaskStore) -> None:
    study = with_expert(tmp_path, lump() * 3, "brats-2023")
    answer = client_for(study, store).get("/masks/A/expert.nii")
    assert answer.status_code == 200
    image = nib.Nifti1Image.from_bytes(answer.content)
    array = np.asarray(image.dataobj)
    assert array.dtype == np.uint8
    np.testing.assert_array_equal(array, lump() * 4)
    np.testing.assert_array_equal(image.affine, label_map(lump()).affine)


def test_a_known_copy_is_not_sent_again(tmp_path: Path, store: MaskStore) -> None:
    client = client_for(with_expert(tmp_path, lump() * 2, "brats-2021"), store)
    first = client.get("/masks/A/expert.nii")
    again = client.get("/masks/A/expert.nii", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content


def test_unknown_studies_and_kinds_are_404(tmp_path: Path, store: MaskStore) -> None:
    client = client_for(write_study(tmp_path / "A"), store)
    for address in ("B/expert", "A/expert", "A/predicted", "A/brain", "../A/expert"):
        assert client.get(f"/masks/{address}.nii").status_code == 404


def test_a_refused_mask_is_422_with_its_values(tmp_path: Path, store: MaskStore) -> None:
    client = client_for(with_expert(tmp_path, lump() * 7, "brats-2021"), store)
    answer = client.get("/masks/A/expert.nii")
    assert answer.status_code == 422
    assert "found 0, 7" in answer.json()["detail"]


def test_the_predicted_mask_appears_once_it_is_made(
    tmp_path: Path, store: MaskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predict, "load_network", lambda _weights: BrightFlair())
    study = write_study(tmp_path / "A")
    client = client_for(study, store)
    assert client.get("/masks/A/predicted.nii").status_code == 404
    store.segment(study, weights())
    answer = client.get("/masks/A/predicted.nii", headers={"Accept-Encoding": "identity"})
    content = answer.content
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    array = np.asarray(nib.Nifti1Image.from_bytes(content).dataobj)
    np.testing.assert_array_equal(array > 0, lump() & brain())
