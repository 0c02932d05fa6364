"""Questions with their words taken away, or with a finding put into words."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from string import ascii_lowercase, digits

import numpy as np

from inference.questions import Question
from inference.slices import on_grid_of
from inference.study_views import StudyView
from segmentation.measure import hemisphere, volume_ml
from segmentation.regions import CORE, EDEMA, ENHANCING
from viewer.brain import brain_mask

MASKED = "___"
NAMES = {EDEMA: "edema", CORE: "non-enhancing core", ENHANCING: "enhancing tumor"}
WORD = re.compile(r"[^\W_]+")
"""A run of letters and digits; what stands between words stays."""


def masked_stem(question: Question) -> Question:
    """Every word of the stem as three underscores; the options stay."""
    return replace(question, stem=WORD.sub(MASKED, question.stem))


def random_stem(question: Question) -> Question:
    """Every word of the stem as random letters of the same length; the options stay.

    Digits become digits. The letters depend on the question's id alone.
    """
    random = Random(question.id)

    def word(match: re.Match[str]) -> str:
        return "".join(
            random.choice(digits if sign.isdigit() else ascii_lowercase) for sign in match[0]
        )

    return replace(question, stem=WORD.sub(word, question.stem))


def with_finding(question: Question, view: StudyView) -> Question:
    """The stem after a sentence with what the study's mask measures."""
    return replace(question, stem=f"{finding(view)}\n{question.stem}")


def finding(view: StudyView) -> str:
    """Side, volumes and enhancing share of the tumor in words; empty without a mask."""
    labels = view.labels()
    if labels is None:
        return ""
    reference = view.volume(view.slices.reference)
    array = on_grid_of(reference, labels).array
    ml = {value: volume_ml(array == value, reference.spacing_mm) for value in NAMES}
    whole = sum(ml.values())
    side = hemisphere(np.isin(array, list(NAMES)), brain_mask(reference))
    if side is None:
        return "Finding: no tumor is marked."
    parts = ", ".join(f"{name} {ml[value]:.1f} mL" for value, name in NAMES.items())
    return (
        f"Finding: most of the tumor lies in the {side} hemisphere; the whole tumor measures "
        f"{whole:.1f} mL ({parts}); {100 * ml[ENHANCING] / whole:.0f} percent of it enhances."
    )
