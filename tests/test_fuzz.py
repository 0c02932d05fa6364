"""A short run of the fuzzer: no crash, no hang, no more than 2 GiB, nothing but sentences."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz import fuzz

SECONDS = 20.0


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    report = fuzz(SECONDS, seed=7, keep=tmp_path)
    assert report.findings == ()
    assert report.files > 0
