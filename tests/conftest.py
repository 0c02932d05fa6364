"""Fixtures shared by all tests: where the real studies and the odd files lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.load_profile("here")

SHARED = Path(__file__).resolve().parents[2] / "shared"


def _folder(name: str) -> Path:
    folder = SHARED / name
    if not folder.is_dir():
        skip(f"../shared/{name} is absent")
    return folder


def skip(reason: str) -> None:
    """Skip a test by name, or fail it where MRI_VQA_NO_SKIP says that nothing may be missing."""
    if os.environ.get("MRI_VQA_NO_SKIP"):
        pytest.fail(f"must not be skipped here: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """Real MRI studies with expert masks."""
    return _folder("cases")


@pytest.fixture(scope="session")
def odd_dir() -> Path:
    """Odd and broken files, one reason each."""
    return _folder("odd")
