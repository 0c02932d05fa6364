"""Checkpoints on disk, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from inference.models.chat_vlm import ChatVlm, load_chat_vlm
from inference.models.table import model_entry
from tests.inference.models.checkpoints import save_gemma3, save_qwen25_vl


@pytest.fixture(scope="session")
def gemma3_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_gemma3(tmp_path_factory.mktemp("gemma3"))


@pytest.fixture(scope="session")
def qwen_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_qwen25_vl(tmp_path_factory.mktemp("qwen"))


def loaded(folder: Path) -> ChatVlm:
    return load_chat_vlm(model_entry(str(folder)), lambda share, text: None)


@pytest.fixture
def gemma3(gemma3_folder: Path) -> ChatVlm:
    return loaded(gemma3_folder)


@pytest.fixture
def qwen(qwen_folder: Path) -> ChatVlm:
    return loaded(qwen_folder)


@pytest.fixture(params=["gemma3_folder", "qwen_folder"])
def any_vlm(request: pytest.FixtureRequest) -> ChatVlm:
    """The same tests for both architectures."""
    return loaded(request.getfixturevalue(request.param))
