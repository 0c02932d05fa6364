"""The guard around a small application: what passes, what is refused, what goes back."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, StreamingResponse
from starlette.testclient import TestClient

from viewer.guard.addresses import MOST_BYTES
from viewer.guard.login import Login, login_of
from viewer.guard.middleware import Guard
from viewer.guard.rules import Rules
from viewer.guard.visitors import visitors

HERE = "http://127.0.0.1:7860"
PAGE = '<html><script>one()</script><script src="/x.js"></script><p>&lt;script&gt;</p></html>'


def client(files: Path, login: Login | None = None) -> TestClient:
    app = FastAPI()

    @app.get("/")
    def page() -> HTMLResponse:
        return HTMLResponse(PAGE, headers={"server": "x", "content-security-policy": "mine"})

    @app.get("/gradio_api/file={path:path}")
    def file(path: str) -> PlainTextResponse:
        return PlainTextResponse(Path(path).read_text())

    @app.get("/gradio_api/queue/data")
    def stream() -> StreamingResponse:
        return StreamingResponse(iter(["one ", "two"]), media_type="text/event-stream")

    @app.post("/{path:path}")
    async def post(path: str, request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(len(await request.body())))

    app.add_middleware(Guard, rules=Rules(visitors("127.0.0.1"), login, files))
    return TestClient(app, base_url=HERE)


def test_a_page_runs_its_own_scripts_only(tmp_path: Path) -> None:
    answer = client(tmp_path).get("/", headers={"accept": "text/html"})
    policy = answer.headers["content-security-policy"]
    nonce = re.search(r"'nonce-([\w-]{20,})'", policy)
    assert nonce is not None
    assert answer.text.count(f'<script nonce="{nonce[1]}"') == 2
    assert "&lt;script&gt;" in answer.text
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in policy
    assert "server" not in answer.headers


def test_every_page_has_a_nonce_of_its_own(tmp_path: Path) -> None:
    asked = client(tmp_path)
    policies = {asked.get("/").headers["content-security-policy"] for _ in range(3)}
    assert len(policies) == 3


def test_a_stream_passes(tmp_path: Path) -> None:
    answer = client(tmp_path).get("/gradio_api/queue/data")
    assert answer.text == "one two"
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("headers", [
    {"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "null"},
    {"sec-fetch-site": "cross-site"},
])  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/gradio_api/queue/data", "/volumes/x/T1.nii"])
def test_other_sites_get_a_sentence(headers: dict[str, str], path: str, tmp_path: Path) -> None:
    answer = client(tmp_path).get(path, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["detail"].startswith("Expected ")
    assert "access-control-allow-origin" not in answer.headers


def test_a_login_stands_before_every_address(tmp_path: Path) -> None:
    asked = client(tmp_path, login_of(None, {"MRI_VQA_AUTH": "anna:correct-horse"}))
    for path in ("/", "/gradio_api/queue/data", "/volumes/x/T1.nii", "/static/panes/panes.js"):
        answer = asked.get(path)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Basic ")
    known = {"authorization": "Basic " + base64.b64encode(b"anna:correct-horse").decode()}
    assert asked.get("/", headers=known).status_code == 200
    wrong = {"authorization": "Basic " + base64.b64encode(b"anna:correct-hors").decode()}
    assert asked.get("/", headers=wrong).status_code == 401


@pytest.mark.parametrize("path", [
    "/gradio_api/upload", "/gradio_api/proxy=http://10.0.0.1/", "/gradio_api/run/ask",
    "/gradio_api/deep_link", "/gradio_api/component_server", "/gradio_api/run-history/buckets",
    "/gradio_api/call/ask", "/gradio_api/file=http://10.0.0.1/", "/gradio_api/",
])  # fmt: skip
def test_what_the_page_does_not_need_is_closed(path: str, tmp_path: Path) -> None:
    assert client(tmp_path).get(path).status_code == 404
    assert client(tmp_path).post(path, content=b"x").status_code == 404


def test_only_the_scratch_folder_is_handed_out(tmp_path: Path) -> None:
    files = tmp_path / "scratch"
    files.mkdir()
    (files / "mine.csv").write_text("mine")
    (tmp_path / "other.csv").write_text("other")
    (files / "link.csv").symlink_to(tmp_path / "other.csv")
    asked = client(files)
    assert asked.get(f"/gradio_api/file={files}/mine.csv").text == "mine"
    for path in ("link.csv", "../other.csv", "%2e%2e/other.csv"):
        assert asked.get(f"/gradio_api/file={files}/{path}").status_code == 404


def test_a_large_body_is_refused_by_what_it_says_and_by_what_it_is(tmp_path: Path) -> None:
    asked = client(tmp_path)
    assert asked.post("/anything", content=bytes(MOST_BYTES)).status_code == 200
    assert asked.post("/anything", content=bytes(MOST_BYTES + 1)).status_code == 413
    pieces = (bytes(2**20) for _ in range(MOST_BYTES // 2**20 + 1))
    with pytest.raises(Exception):  # noqa: B017 - Starlette tells a hang-up in its own way
        asked.post("/anything", content=pieces)
    assert asked.post("/opened/x", content=bytes(MOST_BYTES + 1)).status_code == 200
