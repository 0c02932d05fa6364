"""What an ablation starts from, and why a row may not be made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from inference.orders import Order
from inference.preparation import AskSettings
from inference.questions import Question
from inference.representations import representation_named
from inference.study_views import StudyView


@dataclass(frozen=True, eq=False)
class Setup:
    """One ask before anything is drawn.

    `other` is the id of another study, None where there is none; `view_of`
    reads it.
    """

    view: StudyView
    question: Question
    order: Order
    representation: str
    settings: AskSettings
    max_pictures: int | None = None
    ordering: str = ""
    other: str | None = None
    view_of: Callable[[str], StudyView] | None = None

    def has_pictures(self) -> bool:
        """Whether its representation shows the study at all."""
        return self.representation not in {"blank", "text-only"}

    def shows_every_sequence(self) -> bool:
        """Whether its representation draws all sequences."""
        return representation_named(self.representation).every_sequence


Unfit = Callable[[Setup], str]
"""Why the row cannot be made of a setup; empty where it can."""


def shows_nothing(setup: Setup) -> str:
    """Rows that change the study's pictures need some."""
    return "" if setup.has_pictures() else "the representation shows no picture of the study"


def no_mask(setup: Setup) -> str:
    """Rows that draw the mask need pictures and a mask."""
    return shows_nothing(setup) or nothing_marked(setup)


def nothing_marked(setup: Setup) -> str:
    """Rows that read the mask need one."""
    return "" if setup.view.labels() is not None else "the study has no mask"


def one_sequence(setup: Setup) -> str:
    """A sequence can be left out only where others are drawn."""
    if len(setup.view.sequences) < 2 or not setup.shows_every_sequence():
        return "the representation shows one sequence only"
    return ""


def alone_already(setup: Setup) -> str:
    """One sequence of several can stand alone."""
    return shows_nothing(setup) or ("" if len(setup.view.sequences) > 1 else "it has only one")


def no_other(setup: Setup) -> str:
    """Another study's pictures need another study."""
    missing = "" if setup.other is not None else "there is no other study"
    return shows_nothing(setup) or missing


def sequences(setup: Setup) -> tuple[str, ...]:
    """A variant for each sequence."""
    return setup.view.sequences


def other_study(setup: Setup) -> tuple[str, ...]:
    """The other study is the only variant."""
    return () if setup.other is None else (setup.other,)
