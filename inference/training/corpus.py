"""The texts whose words become the tokenizer's words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from inference.models.option_scoring import WORDS_START
from inference.models.table import DEMO_STYLE
from inference.prompts import SIDES, PromptStyle
from inference.question_kinds import KINDS
from inference.training.statements import ASK_FINDINGS, GUESS, REASON, findings_text, imagined_facts
from viewer.study import SEQUENCE_ORDER

SAMPLES = 400
LARGEST_NUMBER = 250
"""Whole numbers up to this one are single tokens: volumes in mL, slices, percentages."""

PLACES = ("Axial", "Coronal", "Sagittal")


def corpus(seed: int = 0) -> Iterator[str]:
    """Prompts, captions, questions, options, replies and numbers; the same every time."""
    rng = Random(seed)
    for style in (DEMO_STYLE, PromptStyle()):
        yield from (style.instruction, style.request, *SIDES.values())
    for place in PLACES:
        for sequence in SEQUENCE_ORDER:
            yield f"{place} {sequence}, slice 7"
            yield f"{place} slices: {sequence}, {sequence}"
    yield from ("user\nmodel\n", f"{WORDS_START} {ASK_FINDINGS} {GUESS} Findings: ")
    yield from (f" {number} {number}.{number % 10}" for number in range(LARGEST_NUMBER))
    for _ in range(SAMPLES):
        facts = imagined_facts(rng)
        yield findings_text(facts)
        for kind in KINDS:
            choice = kind.choose(facts, rng)
            if choice is None:
                continue
            yield from kind.stems
            for letter, option in zip("ABCD", choice.options, strict=False):
                yield f"{letter}) {option}\n"
                yield f'{{"answer": "{letter}", "reason": "{REASON.format(option=option)}"}}'
                yield f"{WORDS_START} {option}"
