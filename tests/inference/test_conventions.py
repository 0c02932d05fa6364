"""What a card asks for can be changed by the user, for one model at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from inference.choices import Choices
from inference.conventions import changed, checked, conventions_of, with_conventions, without
from inference.errors import BadConventions
from inference.model_options import OPTIONS
from inference.model_rows import model_row, models_table
from inference.models.machine import Machine
from inference.models.protocol import GenerationSettings
from inference.models.table import DEFAULT_MODEL, MODELS
from inference.preparation import AskSettings

MACHINE = Machine("cpu", 8 * 2**30, fast_bf16=False, token=False, offline=True)
QWEN = "Qwen/Qwen3-8B"
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


def form(model: str, **changes: object) -> list[Any]:
    """What the page's inputs hold when only these were changed."""
    values = vars(conventions_of(MODELS[model])) | changes
    return [values[option.name] for option in OPTIONS]


@pytest.mark.parametrize("name", MODELS)
def test_a_form_that_was_not_touched_is_the_card(name: str) -> None:
    assert checked(MODELS[name], form(name)) == conventions_of(MODELS[name])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"volume_pictures": 0}, "slices of a volume from 1 to 1000, got 0"),
        ({"size": None}, "side in pixels"),
        ({"convention": "upside down"}, "sides out of radiological, neurological"),
        ({"temperature": 3}, "temperature .* from 0 to 2, got 3"),
        ({"max_tokens": 0}, "most tokens of a reply from 1"),
        ({"seed": -1}, "seed of the reply"),
    ],
)
def test_a_forms_values_are_checked(change: dict[str, object], words: str) -> None:
    with pytest.raises(BadConventions, match=words):
        checked(DEMO, form(DEFAULT_MODEL, **change))


def test_what_means_nothing_for_a_model_stays_as_it_is() -> None:
    text_only = checked(MODELS[QWEN], form(QWEN, size=None, max_pictures=7))
    assert (text_only.size, text_only.max_pictures) == (0, 0)


def test_a_model_never_thinks_greedily() -> None:
    with pytest.raises(BadConventions, match=r"temperature above 0 with thinking on"):
        checked(MODELS[QWEN], form(QWEN, thinking=True))
    hot = checked(MODELS[QWEN], form(QWEN, thinking=True, temperature=0.6))
    choices = Choices("S1", "1", "text-only", QWEN, conventions=(hot,))
    assert choices.ask_settings().generation.thinking is True
    assert choices.ask_settings().generation.temperature == 0.6
    assert Choices("S1", "1", "text-only", QWEN).ask_settings().generation.thinking is False
    assert Choices("S1", "1", "text-only", DEFAULT_MODEL).ask_settings().generation.thinking is None


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ({"window_rule": "min-max"}, lambda s: s.pictures.window_rule),
        ({"crop": "full"}, lambda s: s.pictures.crop),
        ({"convention": "neurological"}, lambda s: s.pictures.convention),
        ({"caption_place": "before"}, lambda s: s.style.caption_place),
        ({"size": 64}, lambda s: s.pictures.size),
        ({"volume_pictures": 5}, lambda s: s.pictures.volume_pictures),
        ({"max_pictures": 3}, lambda s: s.pictures.volume_pictures),
        ({"temperature": 0.7}, lambda s: s.generation.temperature),
        ({"seed": 11}, lambda s: s.generation.seed),
        ({"max_tokens": 40}, lambda s: s.generation.max_tokens),
        ({"words": False}, lambda s: s.words),
    ],
)
def test_every_option_reaches_the_ask(
    change: dict[str, object], read: Callable[[AskSettings], object]
) -> None:
    ours = checked(DEMO, form(DEFAULT_MODEL, **change))
    choices = Choices("S1", "1", "volume", DEFAULT_MODEL)
    (value,) = change.values()
    assert read(choices.ask_settings()) != value
    assert read(replace(choices, conventions=(ours,)).ask_settings()) == value


def test_what_the_command_line_says_comes_before_the_row() -> None:
    ours = checked(DEMO, form(DEFAULT_MODEL, temperature=0.7, seed=3))
    told = Choices("S1", "1", "volume", DEFAULT_MODEL, conventions=(ours,), temperature=0.0, seed=9)
    assert told.ask_settings().generation == GenerationSettings(0.0, seed=9)


def test_the_table_says_what_each_takes_and_what_was_changed() -> None:
    row = model_row(DEMO, MACHINE, (OURS,))
    assert (row.takes, row.changed) == ("up to 3 pictures", True)
    assert "min-max intensities" in row.conventions and "224×224" in row.conventions
    assert model_row(MODELS["Qwen/Qwen3-8B"], MACHINE, ()).takes == "words only"
    html = models_table(MODELS.values(), MACHINE, (OURS,), [DEFAULT_MODEL])
    assert html.count("<tr data-model") == len(MODELS)
    assert html.count("in memory") == 1 and "float16 never" in html


def test_a_typed_name_is_shown_not_run() -> None:
    evil = replace(MODELS["fake"], name="fake:<script>alert(1)</script>")
    assert "<script>" not in models_table([evil], MACHINE, ())
