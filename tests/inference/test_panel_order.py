"""What several handlers write is written in the order in which the page asked for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITTEN_BY_SEVERAL = ("question-card", "question", "review-record", "review-form")
"""Each of them is worked out from more than one place, and the last answer stays."""
WRITERS = """
import json
from inference.panel_page import build_page
from inference.opening import Opening

page = build_page(Opening(lambda say: None), "fake")
print(json.dumps([
    (getattr(output, "elem_id", None), each.name, each.concurrency_id, each.concurrency_limit)
    for each in page.fns.values() for output in each.outputs
]))
"""
"""In a process of its own: Gradio leaves an event loop behind where it does not serve."""


@pytest.fixture(scope="module")
def writers() -> list[list[object]]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WRITERS], cwd=ROOT, capture_output=True, check=True
    )
    found: list[list[object]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("name", WRITTEN_BY_SEVERAL)
def test_one_after_the_other(writers: list[list[object]], name: str) -> None:
    several = [tuple(rest) for where, *rest in writers if where == name]
    assert len({handler for handler, _, _ in several}) > 1
    assert len({turn for _, turn, _ in several}) == 1
    assert {limit for _, _, limit in several} == {1}
