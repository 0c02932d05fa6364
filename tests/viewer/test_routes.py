"""Only what is listed has an address; everything else is refused in words."""

from __future__ import annotations

from pathlib import Path

import nibabel as nib
import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.viewer.images import affine, distinct, save
from viewer.cache import ArrayCache
from viewer.errors import UnknownStudy
from viewer.panes import volume_url
from viewer.routes import mount_static, volume_routes
from viewer.study import SequenceFile, Study

ID = "group A/patient #1"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    good = save(tmp_path / "t1.nii.gz", order="LPS")
    broken = tmp_path / "t2.nii.gz"
    broken.write_bytes(b"<html>not here</html>")
    files = [SequenceFile(n, p, (7, 9, 11), (1, 2, 3)) for n, p in (("T1", good), ("T2", broken))]
    return Study(ID, "plain", tmp_path, tuple(files))


@pytest.fixture
def client(study: Study) -> TestClient:
    def find(study_id: str) -> Study:
        if study_id != study.id:
            raise UnknownStudy(
                f"Expected a listed study, got {study_id!r}; choose one of the list."
            )
        return study

    app = FastAPI()
    app.include_router(volume_routes(find, ArrayCache(2**24)))
    mount_static(app)
    return TestClient(app, raise_server_exceptions=True)


def test_a_listed_sequence_arrives_whole(client: TestClient) -> None:
    answer = client.get("/" + volume_url(ID, "T1"))
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    image = nib.Nifti1Image.from_bytes(answer.content)
    np.testing.assert_allclose(image.affine, affine(), atol=1e-5)
    assert np.corrcoef(image.get_fdata().ravel(), distinct().ravel())[0, 1] > 0.999


def test_asked_again_nothing_is_sent(client: TestClient, study: Study) -> None:
    url = "/" + volume_url(ID, "T1")
    tag = client.get(url).headers["etag"]
    assert client.get(url, headers={"if-none-match": tag}).status_code == 304
    save(study.sequences[0].path, distinct() + 1, order="RAS")
    changed = client.get(url, headers={"if-none-match": tag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag


@pytest.mark.parametrize(
    ("url", "status", "words"),
    [
        (volume_url("nobody", "T1"), 404, "listed study"),
        (volume_url(ID, "FLAIR"), 404, "T1, T2"),
        (volume_url(ID, "../t1"), 404, "choose one"),
        (volume_url(ID, "T2"), 422, "t2.nii.gz"),
    ],
)
def test_refusals_are_sentences(client: TestClient, url: str, status: int, words: str) -> None:
    answer = client.get("/" + url)
    assert answer.status_code == status
    assert words in answer.json()["detail"]


def test_a_file_that_went_away_is_named(client: TestClient, study: Study) -> None:
    study.sequences[0].path.unlink()
    answer = client.get("/" + volume_url(ID, "T1"))
    assert answer.status_code == 404
    assert "t1.nii.gz" in answer.json()["detail"]


def test_the_panes_code_is_served_and_nothing_beside_it(client: TestClient) -> None:
    code = client.get("/static/panes/panes.js")
    assert code.status_code == 200
    assert code.headers["cache-control"] == "no-cache"
    assert client.get("/static/panes/../../routes.py").status_code == 404
    assert client.get("/static/panes/%2e%2e/%2e%2e/routes.py").status_code == 404
    assert client.get("/static/niivue/../package.json").status_code == 404


def test_niivue_is_where_the_install_put_it(client: TestClient) -> None:
    assert client.get("/static/niivue/index.js").status_code == 200
