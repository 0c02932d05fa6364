"""The order of a 4-D file's volumes is the data set's word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from viewer.layouts.msd import frame_names

DEFAULT = ("FLAIR", "T1", "T1c", "T2")


@pytest.mark.parametrize("key", ["modality", "channel_names"])
def test_names_come_from_dataset_json(tmp_path: Path, key: str) -> None:
    content = {key: {"0": "FLAIR", "2": "t1gd", "1": "T1w", "10": "CBV", "3": "T2w"}}
    (tmp_path / "dataset.json").write_text(json.dumps(content))
    assert frame_names(tmp_path, DEFAULT) == (("FLAIR", "T1", "T1c", "T2", "CBV"), None)


def test_without_one_the_published_order_holds(tmp_path: Path) -> None:
    assert frame_names(tmp_path, DEFAULT) == (DEFAULT, None)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"modality": {"a": "T1"}}', '{"modality": 3}'])
def test_a_broken_one_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "dataset.json").write_text(text)
    names, problem = frame_names(tmp_path, DEFAULT)
    assert names == DEFAULT
    assert problem is not None and "FLAIR, T1, T1c, T2 is assumed" in problem.reason
