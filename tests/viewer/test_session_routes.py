"""Files over HTTP: only with the page's token, within the limits, refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.viewer.images import save
from viewer.session_files import SessionFiles
from viewer.session_routes import session_routes

SCHEMES = ("brats-2021", "brats-2023")


@pytest.fixture
def files(tmp_path: Path) -> Iterator[SessionFiles]:
    files = SessionFiles(tmp_path / "opened")
    yield files
    files.close()


@pytest.fixture
def client(files: SessionFiles) -> TestClient:
    app = FastAPI()
    app.include_router(session_routes(files, SCHEMES, lambda ids: dict.fromkeys(ids, 7)))
    return TestClient(app)


@pytest.fixture
def image(tmp_path: Path) -> bytes:
    return save(tmp_path / "image.nii.gz").read_bytes()


def send(client: TestClient, token: str, *names: str, content: bytes) -> str:
    batch = str(client.post(f"/opened/{token}").json()["batch"])
    for name in names:
        answer = client.post(
            f"/opened/{token}/{batch}/file", params={"path": name}, content=content
        )
        assert answer.status_code == 200, answer.text
    return f"/opened/{token}/{batch}"


def test_files_become_a_row(client: TestClient, files: SessionFiles, image: bytes) -> None:
    address = send(
        client, files.begin("page"), "case/T1.nii.gz", "case/FLAIR.nii.gz", content=image
    )
    told = client.post(f"{address}/read", json={}).json()
    (row,) = told["rows"]
    assert (row["name"], row["questions"], row["answers"], row["yours"]) == ("case", 7, 0, True)
    assert told["first"] == row["id"] and told["asked"] == []
    study = files.study(row["id"])
    assert study is not None and study.sequences[0].path.read_bytes() == image


def test_what_is_not_told_is_asked_with_all_choices(
    client: TestClient, files: SessionFiles, image: bytes
) -> None:
    address = send(client, files.begin("page"), "x.nii.gz", content=image)
    told = client.post(f"{address}/read", json={}).json()
    assert told["asked"] == [{"file": "Opened files/x.nii.gz", "role": ""}]
    assert told["schemes"] == list(SCHEMES)
    assert {"T1", "T1c", "T2", "FLAIR", "expert mask", "leave out"} <= set(told["roles"])
    answer = {"Opened files/x.nii.gz": {"role": "T2"}}
    assert client.post(f"{address}/read", json=answer).json()["rows"][0]["sequences"] == ["T2"]


def test_refusals_are_sentences(client: TestClient, files: SessionFiles, image: bytes) -> None:
    token = files.begin("page")
    address = send(client, token, content=image)
    for path, words in (("../x.nii", "rename"), ("IM0001", "dcm2niix")):
        answer = client.post(f"{address}/file", params={"path": path}, content=image)
        assert answer.status_code == 422 and words in answer.json()["detail"]
    for wrong in ("/opened/guess", "/opened/guess/0123456789abcdef/read"):
        answer = client.post(wrong, json={})
        assert answer.status_code == 422 and "load the page anew" in answer.json()["detail"]
    nothing = client.post(f"{address}/read", json={}).json()
    assert nothing["rows"] == [] and nothing["first"] is None


def test_problems_do_not_tell_where_files_lie(
    client: TestClient, files: SessionFiles, tmp_path: Path
) -> None:
    address = send(client, files.begin("page"), "case/T1.nii.gz", content=b"<html>")
    (problem,) = client.post(f"{address}/read", json={}).json()["problems"]
    assert problem.startswith("case/T1.nii.gz: expected") and str(tmp_path) not in problem
