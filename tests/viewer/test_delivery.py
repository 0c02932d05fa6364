"""Bytes are made once, sent once, and compressed on the way."""

from __future__ import annotations

import gzip
import threading
import time
from pathlib import Path

from starlette.requests import Request

from viewer.delivery import CompressedCopies, deliver, file_tag


def request(**headers: str) -> Request:
    names = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": names})


def test_the_tag_follows_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.nii"
    file.write_bytes(b"one")
    first = file_tag(file)
    assert first == file_tag(file)
    assert first != file_tag(file, "another frame")
    file.write_bytes(b"another")
    assert first != file_tag(file)


def test_a_browser_that_has_the_bytes_gets_none() -> None:
    def never() -> bytes:
        raise AssertionError("must not be made")

    answer = deliver(request(if_none_match='W/"x", "tag"'), '"tag"', CompressedCopies(), never)
    assert answer.status_code == 304
    assert answer.body == b""
    assert answer.headers["etag"] == '"tag"'


def test_compressed_for_who_accepts_it_and_plain_for_who_does_not() -> None:
    copies = CompressedCopies()
    packed = deliver(request(accept_encoding="gzip, br"), '"t"', copies, lambda: b"voxels" * 99)
    plain = deliver(request(), '"t"', copies, lambda: b"")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body == b"voxels" * 99
    assert "content-encoding" not in plain.headers
    assert packed.headers["cache-control"].startswith("private")


def test_many_askers_share_one_making() -> None:
    copies = CompressedCopies()
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        time.sleep(0.05)
        return b"x"

    askers = [threading.Thread(target=copies.get, args=("t", make)) for _ in range(6)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert made == [1]


def test_what_was_used_longest_ago_goes_first() -> None:
    copies = CompressedCopies(limit_bytes=70)
    made: list[str] = []

    def get(tag: str) -> None:
        copies.get(tag, lambda: made.append(tag) or bytes(tag, "ascii"))

    for tag in ("a", "b", "a", "c", "d", "a"):
        get(tag)
    assert made.count("a") <= 2
    assert set(made) == {"a", "b", "c", "d"}
    assert copies.held_bytes <= 70


def test_a_failure_is_not_kept() -> None:
    copies = CompressedCopies()

    def fail() -> bytes:
        raise ValueError

    for _ in range(2):
        try:
            copies.get("t", fail)
        except ValueError:
            continue
        raise AssertionError
    assert gzip.decompress(copies.get("t", lambda: b"ok")) == b"ok"
