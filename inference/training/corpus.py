"""The texts whose words become the tokenizer's words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from inference.models.option_scoring import WORDS_START
from inference.models.table import DEMO_STYLE
from inference.prompts import SIDES
from inference.question_kinds import KINDS
from inference.training.lessons import PLAIN
from inference.training.statements import GUESS, REASON, imagined_facts
from viewer.study import SEQUENCE_ORDER

SAMPLES = 400
LARGEST_NUMBER = 250
"""Whole numbers up to this one are single tokens: volumes in mL, slices, percentages."""

STYLES = (DEMO_STYLE, PLAIN)

PLACES = ("Axial", "Coronal", "Sagittal")


def corpus(seed: int = 0) -> Iterator[str]:
    """Prompts, captions, questions, options, replies and numbers; the same every time."""
    rng = Random(seed)
    for style in STYLES:
        yield from (style.instruction, style.request, *SIDES.values())
    for place in PLACES:
        for sequence in SEQUENCE_ORDER:
            yield f"{place} {sequence}, slice 7"
            yield f"{place} slices: {sequence}, {sequence}"
    yield from ("user\nmodel\n", f"{WORDS_START} {GUESS} Findings: ")
    yield from (f" {number} {number}.{number % 10}" for number in range(LARGEST_NUMBER))
    for _ in range(SAMPLES):
        facts = imagined_facts(rng)
        for kind in KINDS:
            choice = kind.choose(facts, rng)
            if choice is None:
                continue
            yield from kind.stems
            for letter, option in zip("ABCD", choice.options, strict=False):
                yield from (style.option.format(mark=letter, text=option) for style in STYLES)
                yield f'{{"answer": "{letter}", "reason": "{REASON.format(option=option)}"}}'
                yield f"{WORDS_START} {option}"
