"""The pictures get the room: two rows of controls above the panes on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Serve
from tests.browser.test_main_job import open_page

pytestmark = pytest.mark.browser

ROW = 30
"""Pixels of one row of controls with its gap."""


@pytest.mark.parametrize("size", [(1024, 768), (1440, 900)])
def test_two_rows_of_controls(
    page: Page, serve: Serve, cases_dir: Path, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    questions = str(cases_dir / "questions.csv")
    open_page(page, serve("--data", str(cases_dir), "--questions", questions, "--model", "fake:B"))
    height = "(of) => document.querySelector(of).getBoundingClientRect().height"
    assert page.evaluate(height, ".mri-panes .toolbar") <= 2 * ROW
    assert page.evaluate(height, ".mri-panes .findings") <= ROW
    assert page.evaluate(height, ".mri-panes .grid") > size[1] * 0.55
    # Short names are for the eye alone.
    for name in ("Axial", "Sagittal", "3 planes", "Predicted", "Reset"):
        assert page.locator("#panes .toolbar").get_by_role("button", name=name).count() == 1
    edge = page.evaluate(
        "Math.max(...[...document.querySelectorAll('#masthead > *')]"
        ".map((one) => one.getBoundingClientRect().right))"
    )
    first_tab = page.get_by_role("tab", name="Read", exact=True).bounding_box()
    assert first_tab and edge <= first_tab["x"]
