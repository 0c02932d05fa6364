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


def pair(
    tmp_path: Path, store: MaskStore, monkeypatch: pytest.MonkeyPatch
) -> tuple[TestClient, Study]:
    """A study with an expert's mask and a predicted one."""
    monkeypatch.setattr(predict, "load_network", lambda _weights: BrightFlair())
    drawn = lump().copy()
    drawn[26:] = False
    study = with_expert(tmp_path, drawn * 2, "brats-2021")
    store.segment(study, weights())
    return client_for(study, store), study


def test_the_agreement_map_says_who_marked_what(
    tmp_path: Path, store: MaskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = pair(tmp_path, store, monkeypatch)
    document = client.get("/agreement/A.json").json()
    answer = client.get("/" + document["regions"]["WT"]["url"])
    assert answer.status_code == 200
    array = np.asarray(nib.Nifti1Image.from_bytes(answer.content).dataobj)
    assert {int(value) for value in np.unique(array)} == {0, 1, 3}
    ml = document["regions"]["WT"]["ml"]
    assert ml["both"] == pytest.approx(np.count_nonzero(array == 1) / 1000)
    assert ml["predicted"] - ml["both"] == pytest.approx(np.count_nonzero(array == 3) / 1000)
    again = client.get("/agreement/A/WT.nii", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def test_lesions_are_told_before_there_is_a_predicted_mask(
    tmp_path: Path, store: MaskStore
) -> None:
    client = client_for(with_expert(tmp_path, lump() * 2, "brats-2021"), store)
    answer = client.get("/agreement/A.json")
    assert answer.headers["content-type"] == "application/json"
    region = answer.json()["regions"]["WT"]
    assert region["url"] is None and len(region["lesions"]["expert"]) == 1
    assert client.get("/agreement/A/WT.nii").status_code == 404
    assert "predicted" in client.get("/agreement/A/WT.nii").json()["detail"]


def test_a_new_predicted_mask_is_a_new_agreement(
    tmp_path: Path, store: MaskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, study = pair(tmp_path, store, monkeypatch)
    first = client.get("/agreement/A.json")
    other = replace(weights().entry, threshold=0.9, name="other")
    store.segment(study, weights(other))
    second = client.get("/agreement/A.json", headers={"If-None-Match": first.headers["etag"]})
    assert second.status_code == 200
    assert second.json()["sources"]["predicted"] != first.json()["sources"]["predicted"]


def test_agreement_of_nothing_is_404_and_of_a_refused_mask_422(
    tmp_path: Path, store: MaskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_for(write_study(tmp_path / "none" / "A"), store)
    for address in ("A.json", "B.json", "A/WT.nii"):
        assert client.get(f"/agreement/{address}").status_code == 404
    client, _ = pair(tmp_path / "pair", store, monkeypatch)
    assert client.get("/agreement/A/edema.nii").status_code == 404
    client = client_for(with_expert(tmp_path / "odd", lump() * 7, "brats-2021"), store)
    answer = client.get("/agreement/A.json")
    assert answer.status_code == 422 and "found 0, 7" in answer.json()["detail"]
