"""What a question is about, by stated rules where its file does not say."""

from __future__ import annotations

import re

RULES: tuple[tuple[str, str], ...] = (
    ("midline", r"midline|mass effect|herniat|shift"),
    ("enhancement", r"enhanc|contrast"),
    (
        "size",
        r"\bsize|dimension|diameter|extent|volume|how (large|big|wide|long)|\bcm\b|\bmm\b|\bml\b",
    ),
    ("location", r"where|location|located|lobe|hemisphere|\bside\b|region|center|centre"),
    ("edema", r"o?edema|infiltrat"),
    ("composition", r"necro|cyst|hemorrh|haemorrh|blood|calcif|compartment|composition"),
    ("diffusion", r"diffusion|restrict|\badc\b|\bdwi\b"),
    ("perfusion", r"perfus|\basl\b|blood flow"),
    ("count", r"how many|number of|multifocal|lesions are"),
    ("diagnosis", r"diagnos|grade|glioma|glioblastoma|astrocytoma|type of tumou?r|most likely"),
    ("treatment", r"resect|surg|postoperat|treatment|cavity"),
)
"""(category, pattern): the first whose pattern occurs in the question's stem, case ignored."""

OTHER = "other"


def category_of(named: str | None, stem: str) -> str:
    """The file's own category, else that of the first rule that fits, else "other"."""
    if named:
        return named
    text = stem.casefold()
    return next((name for name, pattern in RULES if re.search(pattern, text)), OTHER)
