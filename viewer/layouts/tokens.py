"""The sequence that a free file name claims, by the words in it.

A name that claims two different sequences claims none: `T1_to_FLAIR` may be
either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from viewer.layouts.layout import Role


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


T1 = _words("t1 t1w t1wi t1n mprage mp2rage spgr bravo")
T1C = _words("t1c t1ce t1gd t1gad t1post t1km t1wce ct1 t1cm")
CONTRAST = _words("c ce gd gad gado gadolinium post postcontrast contrast enhanced postgd km")
WITHOUT = "precontrast"
AGENT = "contrast|gd|gad|gado|gadolinium|ce|km"
EVENT = (
    "op|operation|operative|surgery|surgical|resection|biopsy|treatment|tx|therapy|rt|crt|srs"
    "|irradiation|(?:chemo|radio|chemoradio|radiochemo|immuno)(?:therapy)?|(?:chemo)?radiation"
)
PHRASES = (
    (re.compile(rf"\b(t1)?(?:pre|post) (?:{EVENT})\b"), r"\1"),
    (
        re.compile(
            rf"\b(?:pre|non|no|not|without|wo|w o) (?:{AGENT}|(?:(?:{AGENT}) )?enhance(?:d|ment))\b"
        ),
        WITHOUT,
    ),
)
"""Words that mean something else together: `post_op_T1` is no T1 after contrast."""
T2 = _words("t2 t2w t2wi")
FLAIR = _words("flair t2flair t2f")
LABELS = _words("mask masks seg segm segmentation label labels dseg roi tumormask tumorseg")
BRAIN = _words("brain brainmask bet skull")
BIAS = _words("bias biasfield")
OTHER = {name.lower(): name for name in ("SWI", "DWI", "ADC", "ASL", "FA", "MD")}
WORDS = T1 | T1C | T2 | FLAIR | LABELS | BIAS | OTHER.keys()
"""Words that name a file's role; what stands before the first one may name a patient."""

AT_ONCE = "at once; name one sequence"
"""How the reason ends why a name that claims several sequences claims none."""


@dataclass(frozen=True)
class Rule:
    """`role` for a name that has a word of `one` and, where given, of `also`."""

    one: frozenset[str]
    role: Role
    also: frozenset[str] | None = None


FIRST_OF = (
    Rule(BIAS, Role("aside", "bias field or bias-corrected variant")),
    Rule(frozenset({"brainmask"}), Role("mask", "brain")),
    Rule(LABELS, Role("mask", "brain"), also=BRAIN),
    Rule(LABELS, Role("mask", "expert")),
)
"""Decided before any sequence: `T1_mask` is no T1. The first rule that fits wins."""

T1_FIRST_OF = (
    Rule(T1C, Role("sequence", "T1c")),
    Rule(T1, Role("sequence", "T1"), also=_words(f"{WITHOUT} noncontrast nocontrast")),
    Rule(T1, Role("sequence", "T1c"), also=CONTRAST),
    Rule(T1, Role("sequence", "T1")),
)
T2_FIRST_OF = (
    Rule(FLAIR, Role("sequence", "FLAIR")),
    Rule(T2, Role("sequence", "T2")),
)


def words_of(stem: str) -> list[str]:
    """The words of a file name, lower case."""
    return [word for word in re.split(r"[^a-z0-9]+", stem.lower()) if word]


def role_of(stem: str) -> Role | None:
    """What the words say a file is; None where they say nothing."""
    text = " ".join(words_of(stem))
    for phrase, meaning in PHRASES:
        text = phrase.sub(meaning, text)
    words = _words(text)
    role = _first(FIRST_OF, words)
    if role is not None:
        return role
    families = (_first(T1_FIRST_OF, words), _first(T2_FIRST_OF, words))
    found = [role for role in families if role is not None]
    found += [Role("sequence", name) for word, name in OTHER.items() if word in words]
    if len(found) > 1:
        named = " and ".join(role.name for role in found)
        return Role("skip", f"its name claims {named} {AT_ONCE}")
    return found[0] if found else None


def _first(rules: tuple[Rule, ...], words: frozenset[str]) -> Role | None:
    return next(
        (r.role for r in rules if r.one & words and (r.also is None or r.also & words)), None
    )
