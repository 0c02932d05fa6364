"""What can be wrong with an answer: a tag for each, with one definition, shown where it is chosen.

The tags' names are those that error analyses of such models use; the
definitions are this project's own.
"""

from __future__ import annotations

TAGS: dict[str, str] = {
    "misidentified feature": "Something in the picture is taken for something else.",
    "wrong class": "The finding is seen, but named or graded as another class.",
    "does not match the question": "The answer is to another question than the one asked.",
    "unsupported reasoning": "The reason given does not follow from the picture or the question.",
    "instruction drift": "It does not do what it was told: format, length, one option only.",
    "fluent nonsense": "Sounds like a report, but says nothing that is true of this study.",
    "wrong side": "Left and right, or front and back, are exchanged.",
    "wrong size": "An extent, volume or count is off although the finding is right.",
    "image ignored": "The same would have been said without the picture.",
    "wrong modality or anatomy": "Another sequence, scan type or organ is described.",
    "truth doubtful": "The question's own answer seems wrong or undecidable from the picture.",
    "other": "Anything else; say it in the note.",
}
"""Tag -> definition, in the order of the keys 1 to 9, 0 and two more."""

CRITERIA: dict[str, str] = {
    "accuracy": "What is said is true.",
    "completeness": "Nothing that matters is left out.",
    "logic": "Conclusions follow from what is described.",
    "precision": "Terms, sides and sizes are exact.",
    "risk awareness": "Doubt and danger are named where there is any.",
    "conciseness": "No more words than needed.",
}
"""Criterion of an open answer -> what 10 means; 0 is the opposite."""

HIGHEST = 10
