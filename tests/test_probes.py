"""No file leaves that the catalogue does not list, whatever the address."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.probes import ROUTES, TRICKS, probes
from tests.serving import served
from tests.viewer.images import save

CANARY = b"CANARY-7f1c-not-for-you"
PASSWD = b"root:x:0:"
REFUSED = {b"303", b"307", b"400", b"403", b"404", b"405", b"413", b"414", b"422", b"closed"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two studies and files that must stay where they are."""
    root = tmp_path_factory.mktemp("probes")
    for study in ("one", "two"):
        save(root / "data" / study / "t1.nii.gz")
    (root / "secret.txt").write_bytes(CANARY)
    (root / "data" / "one" / "notes.txt").write_bytes(CANARY)
    (root / "data" / "one" / ".hidden.nii").write_bytes(CANARY)
    (root / "data" / "one" / "t2.nii").symlink_to(root / "secret.txt")
    (root / "data" / "one" / "link.txt").symlink_to(root / "secret.txt")
    return root


@pytest.fixture(scope="module")
def port(place: Path) -> Iterator[int]:
    """The whole application on a port of its own."""
    environment = {"MRI_VQA_CACHE": str(place / "cache")}
    data = str(place / "data")
    with served(place, "--data", data, "--model", "fake", environment=environment) as server:
        yield server.port


def raw_get(port: int, target: str, method: str = "GET") -> bytes:
    """The answer to a request line that no client has tidied up."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        line = f"{method} {target.replace(' ', '%20')} HTTP/1.1\r\n"
        rest = f"Host: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        connection.sendall((line + rest).encode("utf-8", errors="surrogateescape"))
        answer = b""
        while piece := connection.recv(1 << 16):
            answer += piece
        return answer


def test_every_trick_at_every_route(place: Path, port: int) -> None:
    data = place / "data"
    names = {
        "file": str(place / "secret.txt"), "name": "secret.txt", "up": "../secret.txt",
        "study": "one", "link": str(data / "one" / "link.txt"),
        "unlisted": str(data / "one" / "notes.txt"), "hidden": str(data / "one" / ".hidden.nii"),
        "other": str(data / "two" / "t1.nii.gz"),
    }  # fmt: skip
    original = (data / "two" / "t1.nii.gz").read_bytes()
    asked = probes(names)
    assert len(asked) == len(TRICKS) * len(ROUTES) >= 200
    unexpected = []
    for target in asked:
        answer = raw_get(port, target)
        assert CANARY not in answer and PASSWD not in answer, target
        assert original not in answer and b"MRI_VQA_DATA=" not in answer, target
        assert b"Traceback" not in answer, target
        status = answer.split(b" ", 2)[1] if answer.startswith(b"HTTP/1.1 ") else b"closed"
        if status not in REFUSED:
            unexpected.append((target[:200], status))
    assert unexpected == []


def test_listed_files_still_have_their_address(port: int) -> None:
    assert raw_get(port, "/volumes/one/T1.nii").startswith(b"HTTP/1.1 200")
    assert raw_get(port, "/volumes/two/T1.nii").startswith(b"HTTP/1.1 200")
    assert raw_get(port, "/static/niivue/index.js").startswith(b"HTTP/1.1 200")
    assert raw_get(port, "/").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND"])
def test_other_methods_do_nothing(method: str, port: int) -> None:
    for target in ("/volumes/one/T1.nii", "/gradio_api/queue/join", "/static/panes/panes.js"):
        status = raw_get(port, target, method).split(b" ", 2)[1]
        assert status in {b"400", b"403", b"404", b"405"}
