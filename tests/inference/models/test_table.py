"""Names, folders and hub ids become rows; anything else is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inference.models.table import DEFAULT_MODEL, MODELS, model_entry
from viewer.errors import UnknownName


def test_names_are_unique_and_every_row_has_a_card_and_a_note() -> None:
    assert DEFAULT_MODEL in MODELS
    assert all(row.card and row.note and row.name == name for name, row in MODELS.items())


def test_only_rows_named_by_a_hub_id_may_ask_the_hub() -> None:
    assert {name for name, row in MODELS.items() if row.hub} == {
        name for name in MODELS if "/" in name
    }


def test_a_folder_is_a_model_of_its_own(tmp_path: Path) -> None:
    row = model_entry(str(tmp_path))
    assert (row.source, row.hub) == (str(tmp_path.resolve()), False)


def test_any_hub_id_is_taken() -> None:
    row = model_entry("someone/some-vlm")
    assert row.hub and row.source == "someone/some-vlm"


@pytest.mark.parametrize(
    "name",
    ["", "gpt", "a/b/c", "../weights", "owner/", "x/y.safetensors", "fake:", "fake: ", "server:"],
)
def test_other_names_are_refused_with_the_choices(name: str) -> None:
    with pytest.raises(UnknownName, match=DEFAULT_MODEL):
        model_entry(name)


def test_conventions_come_from_the_cards() -> None:
    medgemma = model_entry("google/medgemma-1.5-4b-it")
    assert (medgemma.pictures.window_rule, medgemma.pictures.size) == ("min-max", 896)
    assert medgemma.max_pictures == 85
    demo = model_entry(DEFAULT_MODEL)
    assert (demo.pictures.crop, demo.pictures.size) == ("brain-200mm", 112)
    assert demo.max_pictures >= 8


def test_a_model_on_a_server_is_named_by_its_name_there() -> None:
    row = model_entry("server:org/some-vlm")
    assert (row.kind, row.source, row.hub) == ("server", "org/some-vlm", False)
    assert model_entry("server:Med3DVLM").only == ("volume",)


def test_fewer_bits_are_part_of_the_name() -> None:
    row = model_entry("google/medgemma-1.5-4b-it@4bit")
    assert (row.name, row.bits) == ("google/medgemma-1.5-4b-it@4bit", 4)
    assert row.pictures == model_entry("google/medgemma-1.5-4b-it").pictures
    assert model_entry("someone/some-vlm@8bit").bits == 8
    with pytest.raises(UnknownName):
        model_entry("fake@4bit")


@pytest.mark.parametrize(
    ("config", "kind", "most"),
    [
        ({"architectures": ["Gemma3ForConditionalGeneration"]}, "chat-vlm", 16),
        ({"architectures": ["Qwen3ForCausalLM"]}, "text-llm", 0),
        ({"model_type": "siglip", "architectures": ["SiglipModel"]}, "embedding", 1),
    ],
)
def test_a_folder_says_what_it_is(
    tmp_path: Path, config: dict[str, object], kind: str, most: int
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    row = model_entry(str(tmp_path))
    assert (row.kind, row.max_pictures) == (kind, most)
