"""Nothing that the user does is dropped because the last one of its kind is under way."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

from tests.serving import served

STARTS_WORK = {
    "segment", "ask", "compare-run", "ablations-run", "sets-run", "models-load", "models-free",
    "models-keep", "models-reset", "own-use", "maker-make", "reader-start", "reader-export",
    "results-export", "cancel-segment", "cancel", "compare-cancel", "ablations-cancel",
    "sets-cancel",
}  # fmt: skip
"""Buttons for which a second press while the first is under way means nothing."""

OF_THE_PAGE = {"load", "unload", "select", "then"}
"""Events that say only that something can be read anew."""


def test_a_click_a_key_or_a_choice_is_never_dropped(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with (
        served(tmp_path, "--data", str(tmp_path / "none"), "--model", "fake") as server,
        urllib.request.urlopen(server.address + "config") as answer,
    ):
        page = json.load(answer)
    names = {each["id"]: each["props"].get("elem_id") for each in page["components"]}
    dropping = [
        (names.get(target), event)
        for each in page["dependencies"]
        if each["trigger_mode"] == "once"
        for target, event in each["targets"]
        if event not in OF_THE_PAGE and names.get(target) not in STARTS_WORK
    ]
    assert dropping == []
    assert len(page["dependencies"]) > 100
