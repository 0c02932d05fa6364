"""What Python tells the browser about a study."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from viewer.panes import OverlayEntry, PaneOverlay, pane_spec, to_json, volume_url
from viewer.planes import PLANES, edges
from viewer.study import SequenceFile, Study


def study_of(*names: str, synthetic: bool = False) -> Study:
    files = tuple(SequenceFile(n, Path(f"{n}.nii.gz"), (1, 1, 1), (1, 1, 1)) for n in names)
    return Study("case 1/2", "plain", Path(), files, synthetic=synthetic)


def test_sequences_stand_in_reading_order() -> None:
    spec = pane_spec(study_of("FLAIR", "Zeta", "T1c", "ADC", "T1", "T2"))
    assert [s.name for s in spec.sequences] == ["T1", "T1c", "T2", "FLAIR", "ADC", "Zeta"]


def test_an_address_survives_any_name() -> None:
    assert volume_url("case 1/2", "T1 #3") == "volumes/case%201%2F2/T1%20%233.nii"


def test_the_browser_gets_letters_from_the_table() -> None:
    rows = json.loads(to_json(None))["planes"]
    for name, plane in PLANES.items():
        assert rows[name]["through"] == plane.through
        for convention in ("radiological", "neurological"):
            shown = edges(plane, convention)
            assert rows[name]["edges"][convention] == {
                "left": shown.left,
                "right": shown.right,
                "top": shown.top,
                "bottom": shown.bottom,
            }


def test_overlays_and_choices_reach_the_browser() -> None:
    entries = (OverlayEntry(4, "Enhancing tumor", "#56b4e9"),)
    overlay = PaneOverlay("expert", "masks/1/expert.nii", entries, "seg.nii.gz")
    spec = pane_spec(study_of("T1"), [overlay], plane="coronal", jump={"axial": 7})
    sent = json.loads(to_json(spec))["spec"]
    assert sent["study"] == "case 1/2"
    assert sent["plane"] == "coronal"
    assert sent["jump"] == {"axial": 7}
    assert sent["overlays"][0]["entries"] == [
        {"value": 4, "name": "Enhancing tumor", "color": "#56b4e9"}
    ]


def test_a_synthetic_study_says_so() -> None:
    assert "ynthetic" in pane_spec(study_of("T1", synthetic=True)).note
    assert pane_spec(study_of("T1")).note == ""


def test_a_field_that_does_not_exist_is_a_mistake() -> None:
    with pytest.raises(TypeError):
        pane_spec(study_of("T1"), plain="axial")
