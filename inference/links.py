"""What a link to the page asks for beside the panes' view, and what of it cannot be had.

    ?study=ID&question=ID&representation=NAME&model=NAME

Ids and listed names only: a folder or a server that the user typed as a model
is never part of a link, nor taken from one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from inference.matching import questions_about
from inference.models.table import MODELS
from inference.questions import Question
from inference.representations import REPRESENTATIONS

LONGEST = 60
"""Characters of a wrong value that its sentence repeats."""


@dataclass(frozen=True)
class PageLink:
    """What to choose; None for what the link does not say or says wrongly (`problems`)."""

    question: str | None
    representation: str | None
    model: str | None
    problems: tuple[str, ...] = ()


def linkable(models: Sequence[str]) -> list[str]:
    """Those of the page's models that may stand in a link: names, no place on this machine."""
    return [
        name for name in models if name in MODELS or ("/" not in name and not Path(name).exists())
    ]


def read_link(
    asked: Mapping[str, str],
    studies: Collection[str],
    questions: Sequence[Question],
    models: Collection[str],
) -> PageLink:
    """The link's parts that are known here, and one sentence for each that is not.

    An unknown study has its own sentence on the page; its question is left out.
    """
    study = asked.get("study")
    about = questions_about(study, questions) if study in studies and study else ()
    rows = {
        "question": ({each.id for each in about}, f"which is not asked about {study}"),
        "representation": (REPRESENTATIONS, f"expected one of {', '.join(REPRESENTATIONS)}"),
        "model": (models, "which is not listed here"),
    }
    known = {part: asked[part] for part, (names, _) in rows.items() if asked.get(part) in names}
    wrong = [part for part in rows if asked.get(part) and part not in known]
    problems = [
        f"The link names {part} “{asked[part][:LONGEST]}”, {rows[part][1]}."
        for part in wrong
        if part != "question" or study in studies
    ]
    return PageLink(
        known.get("question"), known.get("representation"), known.get("model"), tuple(problems)
    )
