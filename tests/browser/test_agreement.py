"""Agreement of two masks and their lesions, on a real study with a made-up prediction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from segmentation.overlays import findings_url, overlays_of
from segmentation.regions import ENHANCING, canonical_labels
from segmentation.routes import mask_routes
from tests.browser.panes_page import PATIENCE_MS, open_panes, serving
from tests.browser.test_panes import picture
from viewer.arrays import LabelMap
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies
from viewer.panes import pane_spec, to_json
from viewer.study import Study

pytestmark = [pytest.mark.browser, pytest.mark.cases]

CASE = "BraTS2021_01479"


@dataclass
class Masks:
    """The expert's masks as they are, and predictions that were made for the test."""

    cache: ArrayCache
    made: dict[str, LabelMap] = field(default_factory=dict)

    def expert(self, study: Study) -> LabelMap | None:
        mask = study.mask("expert")
        return None if mask is None else self.cache.labels(mask)

    def predicted(self, study: Study) -> LabelMap | None:
        return self.made.get(study.id)


def prediction(expert: LabelMap) -> LabelMap:
    """The expert's mask moved by two voxels, without its enhancing part, and one lesion more."""
    labels = np.roll(canonical_labels(expert), 2, axis=1)
    labels[labels == ENHANCING] = 1
    labels[30:34, 60:64, 50:54] = 2
    return replace(expert, array=labels, scheme="brats-2021", source="made")


@pytest.fixture(scope="module")
def masks() -> Masks:
    return Masks(ArrayCache(2**28))


@pytest.fixture(scope="module")
def served(cases_dir: Path, masks: Masks) -> Iterator[tuple[str, dict[str, str]]]:
    """The address, and what Python would send of each study."""
    study = find_studies([cases_dir / "small"]).study(CASE)
    expert = masks.expert(study)
    assert expert is not None
    masks.made[CASE] = prediction(expert)
    alone = replace(study, id="alone")
    specs = {each.id: spec_of(each, masks) for each in (study, alone)}
    with serving([study, alone], lambda find: mask_routes(find, lambda: masks)) as url:
        yield url, specs


def spec_of(study: Study, masks: Masks) -> str:
    overlays = overlays_of(study, masks.predicted(study))
    return to_json(pane_spec(study, overlays, findings=findings_url(study.id)))


def open_study(page: Page, served: tuple[str, dict[str, str]], study: str) -> None:
    address, specs = served
    open_panes(page, address)
    page.evaluate("(json) => panes.show(JSON.parse(json))", specs[study])
    page.wait_for_function("window.mriPanes?.maskLoaded && mriPanes.lesions")


def millilitres(page: Page) -> dict[str, float]:
    """The legend: name of each label and its mL."""
    texts = page.locator(".labels label").all_inner_texts()
    return {
        re.sub(r"\s*[\d.]+ mL", "", text).strip(): float(re.findall(r"([\d.]+) mL", text)[0])
        for text in texts
    }


def test_agreement_is_coloured_named_and_measured(
    page: Page, served: tuple[str, dict[str, str]]
) -> None:
    open_study(page, served, CASE)
    page.get_by_role("button", name="Where both masks agree").click()
    page.wait_for_function("window.mriPanes?.maskLoaded")
    known = page.evaluate("mriPanes.lesions")["WT"]
    shown = millilitres(page)
    both = known["ml"]["both"]
    assert shown == pytest.approx(
        {
            "both": both,
            "only expert": known["ml"]["expert"] - both,
            "only predicted": known["ml"]["predicted"] - both,
        },
        abs=0.051,
    )
    numbers = page.locator(".numbers")
    expect(numbers).to_have_text(
        f"Dice {known['dice']:.2f} · HD95 {known['hausdorff95_mm']:.1f} mm"
    )
    page.keyboard.press("x")
    page.keyboard.press("j")
    green = coloured(page)
    assert green > 100
    page.get_by_role("checkbox", name="both").uncheck()
    assert coloured(page) < green / 4
    # A region that the prediction lacks: what cannot be measured is unknown, and why.
    page.get_by_role("button", name="ET", exact=True).click()
    expect(numbers).to_have_text("Dice 0.00 · HD95 unknown (no ET in the predicted mask)")


def coloured(page: Page) -> int:
    """Pixels of the first pane in which green outweighs red, as in "both" alone."""
    pixels = picture(page).astype(int)
    return int((pixels[:, :, 1] - pixels[:, :, 0] > 25).sum())


def test_without_a_prediction_agreement_is_unknown_and_why(
    page: Page, served: tuple[str, dict[str, str]]
) -> None:
    open_study(page, served, "alone")
    page.get_by_role("button", name="Where both masks agree").click()
    expect(page.locator(".labels")).to_have_text(
        "Agreement unknown: no predicted mask yet, press Segment"
    )
    page.keyboard.press("x")
    pixels = picture(page)
    assert (pixels == pixels[:, :, :1]).all(), "a mask is drawn that is not there"


def test_lesions_are_stepped_through_by_keys_and_buttons(
    page: Page, served: tuple[str, dict[str, str]]
) -> None:
    open_study(page, served, CASE)
    page.get_by_role("button", name="Predicted").click()
    page.wait_for_function("window.mriPanes?.maskLoaded")
    lesions = page.evaluate("mriPanes.lesions")["WT"]["lesions"]["predicted"]
    assert len(lesions) >= 2
    said = page.get_by_role("group", name="Lesion").locator("output")
    expect(said).to_have_text(f"{len(lesions)} lesions")
    page.keyboard.press("n")
    page.wait_for_function(f"window.mriPanes?.index === {lesions[0]['reach']['axial']['largest']}")
    expect(said).to_have_text(f"1 of {len(lesions)} · {lesions[0]['ml']:.1f} mL")
    page.keyboard.press("c")
    page.get_by_role("button", name="Next: Lesion").click()
    page.wait_for_function(
        f"window.mriPanes?.index === {lesions[1]['reach']['coronal']['largest']}"
    )
    expect(said).to_have_text(f"2 of {len(lesions)} · {lesions[1]['ml']:.1f} mL")
    page.keyboard.press("p")
    page.wait_for_function(
        f"window.mriPanes?.index === {lesions[0]['reach']['coronal']['largest']}"
    )
    page.keyboard.press("Home")
    expect(said).to_have_text(f"{len(lesions)} lesions")


def test_a_lesion_is_kept_while_the_only_panes_next_sequence_is_on_its_way(
    page: Page, served: tuple[str, dict[str, str]]
) -> None:
    address, specs = served
    open_panes(page, address)
    page.keyboard.press("1")
    page.evaluate("(json) => panes.show(JSON.parse(json))", specs[CASE])
    page.wait_for_function("window.mriPanes?.maskLoaded && mriPanes.lesions")
    said = page.get_by_role("group", name="Lesion").locator("output")
    page.keyboard.press("n")
    expect(said).to_contain_text("1 of ", timeout=PATIENCE_MS)
    held: list[Route] = []
    page.route("**/volumes/**", lambda route: held.append(route))
    page.get_by_label("Sequence of pane 1").select_option("FLAIR")
    page.wait_for_function("document.querySelector('.pane:not([hidden])[data-status=loading]')")
    expect(said).to_contain_text(re.compile(r"^\d+ lesion"), timeout=PATIENCE_MS)
    for route in held:
        route.continue_()
    page.wait_for_function("window.mriPanes?.loaded.length === 2")
    expect(said).to_contain_text("1 of ", timeout=PATIENCE_MS)


@pytest.mark.parametrize("shown", [True, False])
def test_lesions_of_a_mask_that_was_just_made_are_being_counted(
    page: Page,
    served: tuple[str, dict[str, str]],
    masks: Masks,
    cases_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    shown: bool,
) -> None:
    """They are unknown until then, never none; and they come while masks are off, too."""
    open_study(page, served, "alone")
    if not shown:
        page.keyboard.press("m")
    said = page.get_by_role("group", name="Lesion").locator("output")
    expect(said).not_to_have_text("counting", timeout=PATIENCE_MS)
    held: list[Route] = []
    page.route("**/predicted.nii*", lambda route: held.append(route))
    monkeypatch.setitem(masks.made, "alone", masks.made[CASE])
    study = replace(find_studies([cases_dir / "small"]).study(CASE), id="alone")
    page.evaluate("(json) => panes.show(JSON.parse(json))", spec_of(study, masks))
    if shown:
        expect(said).to_have_text("counting", timeout=PATIENCE_MS)
        while not held:
            page.wait_for_timeout(50)
        held[0].continue_()
    expect(said).to_have_text(re.compile(r"^\d+ lesions?$"), timeout=PATIENCE_MS)
    page.wait_for_function("window.mriPanes?.lesions?.WT.lesions.predicted?.length")
