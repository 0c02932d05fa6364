"""What a card asks for can be changed by the user, for one model at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inference.choices import Choices
from inference.conventions import changed, checked, conventions_of, with_conventions, without
from inference.errors import BadConventions
from inference.model_rows import model_row, models_table
from inference.models.machine import Machine
from inference.models.table import DEFAULT_MODEL, MODELS

MACHINE = Machine("cpu", 8 * 2**30, fast_bf16=False, token=False, offline=True)
DEMO = MODELS[DEFAULT_MODEL]
OURS = replace(conventions_of(DEMO), window_rule="min-max", size=224, max_pictures=3)


def test_what_was_not_changed_is_the_cards_own() -> None:
    assert with_conventions(DEMO, ()) == DEMO
    assert with_conventions(DEMO, (conventions_of(DEMO),)) == DEMO


def test_a_change_reaches_the_ask_and_only_of_its_model() -> None:
    choices = Choices("S1", "1", "montage", DEFAULT_MODEL, conventions=(OURS,))
    settings = choices.ask_settings().pictures
    assert (settings.window_rule, settings.size) == ("min-max", 224)
    assert choices.entry().max_pictures == 3
    assert replace(choices, model="fake").entry() == MODELS["fake"]


def test_a_later_change_takes_the_place_of_the_first_and_can_be_undone() -> None:
    later = replace(OURS, size=448)
    assert changed((OURS,), later) == (later,)
    assert without((later,), DEFAULT_MODEL) == ()


def test_a_forms_values_are_checked() -> None:
    assert checked("m", "percentile", "full", 0, 8, 4, "after").size is None
    with pytest.raises(BadConventions, match="slices of a volume from 1 to 400, got 0"):
        checked("m", "percentile", "full", 0, 0, 4, "after")
    with pytest.raises(BadConventions, match="side in pixels"):
        checked("m", "percentile", "full", None, 1, 4, "after")


def test_the_table_says_what_each_takes_and_what_was_changed() -> None:
    row = model_row(DEMO, MACHINE, (OURS,))
    assert (row.takes, row.changed) == ("up to 3 pictures", True)
    assert "min-max intensities" in row.conventions and "224×224" in row.conventions
    assert model_row(MODELS["Qwen/Qwen3-8B"], MACHINE, ()).takes == "words only"
    html = models_table(MODELS.values(), MACHINE, (OURS,), DEFAULT_MODEL)
    assert html.count("<tr data-model") == len(MODELS)
    assert html.count("in memory") == 1 and "float16 never" in html


def test_a_typed_name_is_shown_not_run() -> None:
    evil = replace(MODELS["fake"], name="fake:<script>alert(1)</script>")
    assert "<script>" not in models_table([evil], MACHINE, (), None)
