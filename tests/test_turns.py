"""Nothing that the user does is dropped because the last one of its kind is under way."""

from __future__ import annotations

import json
import urllib.request
from collections import Counter
from typing import Any

import pytest

from tests.serving import served

STARTS_WORK = {
    "segment", "sets-run", "models-load", "models-free",
    "models-keep", "models-reset", "own-use", "maker-make", "reader-start", "reader-export",
    "results-export", "cancel-segment", "cancel", "compare-cancel", "ablations-cancel",
    "sets-cancel",
}  # fmt: skip
"""Buttons for which a second press while the first is under way means nothing."""

OF_THE_PAGE = {"load", "unload", "select", "then"}
"""Events that say only that something can be read anew."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the browser is told of the page."""
    folder = tmp_path_factory.mktemp("none")
    with (
        served(folder, "--data", str(folder), "--model", "fake") as server,
        urllib.request.urlopen(server.address + "config") as answer,
    ):
        told: dict[str, Any] = json.load(answer)
    return told


def test_a_click_a_key_or_a_choice_is_never_dropped(page: dict[str, Any]) -> None:
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


def test_no_event_is_heard_by_two_handlers_of_which_one_comes_back(page: dict[str, Any]) -> None:
    """They would call each other for ever: `viewer.panel_turns.heard` says how."""
    kinds = {
        each["id"]: (each["type"], each["props"].get("elem_id")) for each in page["components"]
    }
    hearing = Counter(
        (*kinds[target], event)
        for each in page["dependencies"]
        if each["backend_fn"] and each["trigger_mode"] == "always_last"
        for target, event in each["targets"]
        if target in kinds and event not in OF_THE_PAGE and kinds[target] != "state"
    )
    assert len(hearing) > 10
    assert [heard for heard, times in hearing.items() if times > 1] == []
