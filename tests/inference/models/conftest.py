"""Checkpoints on disk, made once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inference.models.chat_vlm import ChatVlm, load_chat_vlm
from inference.models.table import model_entry
from tests.inference.models.checkpoints import (
    save_clip,
    save_gemma3,
    save_llava,
    save_qwen25_vl,
    save_siglip,
    save_text_llm,
)


@pytest.fixture(scope="session")
def gemma3_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_gemma3(tmp_path_factory.mktemp("gemma3"))


@pytest.fixture(scope="session")
def qwen_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_qwen25_vl(tmp_path_factory.mktemp("qwen"))


@pytest.fixture(scope="session")
def llava_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llava(tmp_path_factory.mktemp("llava"))


@pytest.fixture(scope="session")
def narrow_gemma3_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its sliding window is shorter than one prompt, as MedGemma's is."""
    return save_gemma3(tmp_path_factory.mktemp("narrow"), sliding_window=24)


@pytest.fixture(scope="session")
def text_llm_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_text_llm(tmp_path_factory.mktemp("text-llm"))


@pytest.fixture(scope="session")
def clip_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_clip(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="session")
def siglip_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_siglip(tmp_path_factory.mktemp("siglip"))


def loaded(folder: Path) -> ChatVlm:
    """In float32, so that one path can be held against another."""
    row = replace(model_entry(str(folder)), dtype="float32")
    return load_chat_vlm(row, lambda share, text: None)


@pytest.fixture
def gemma3(gemma3_folder: Path) -> ChatVlm:
    return loaded(gemma3_folder)


@pytest.fixture
def qwen(qwen_folder: Path) -> ChatVlm:
    return loaded(qwen_folder)


@pytest.fixture(params=["gemma3_folder", "narrow_gemma3_folder", "qwen_folder", "llava_folder"])
def any_vlm(request: pytest.FixtureRequest) -> ChatVlm:
    """The same tests for every architecture."""
    return loaded(request.getfixturevalue(request.param))
