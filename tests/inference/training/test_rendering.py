"""A drawn study shows the very pictures that the app would make of it."""

from __future__ import annotations

from inference.models.table import DEMO_PICTURES
from inference.representations import REPRESENTATIONS, represent
from inference.training.rendering import (
    FIRST_HELD_OUT,
    SPACING_MM,
    held_out_plan,
    rendered,
    shown,
    study_view,
)
from viewer.synthesis import load_anatomy, synthesise


def test_what_was_drawn_is_what_the_app_shows() -> None:
    plan, anatomy = held_out_plan(FIRST_HELD_OUT), load_anatomy(SPACING_MM)
    shard = rendered(plan, DEMO_PICTURES, anatomy)
    study = synthesise(
        plan.seed,
        spacing_mm=SPACING_MM,
        contrast=plan.contrast,
        sequences=plan.sequences,
        anatomy=anatomy,
    )
    view = study_view("again", study)
    for name in REPRESENTATIONS:
        wanted = represent(name, view, DEMO_PICTURES)
        drawn = shown(shard, name)
        assert [p.sha256 for p in drawn] == [p.sha256 for p in wanted]
        assert [p.caption for p in drawn] == [p.caption for p in wanted]
    assert shard.lesion == study.facts
    assert not any(picture.pixels.any() for picture in shown(shard, "blank"))
