"""What takes a declared answer's meaning away, before it and behind it.

"I do not think the answer is A" and "Answer: A is wrong" declare nothing. An
answer said outright after a hedge counts ("I am not certain, but the answer is
B"); one that is doubted afterwards does not, nor does a double negation, a
condition or another's opinion. Where a sentence can be read both ways it names
no answer.
"""

from __future__ import annotations

import re

NEAR = 240
"""Characters before or behind a declaration in which a denial of it can begin."""

SENTENCE_END = re.compile(
    r"""[.!?]["'*_)\]]*\s+(?=[*_#>"'(\[]*[A-Z])|[;}]|\n\s*\n|\n(?=[\s*_#>"'(\[-]*[A-Z])"""
)
"""A full stop before a small letter may be an abbreviation's."""

CLAUSE_END = re.compile(
    r",\s+(?:so|it|rather|yet|still|and(?!\s+that)|therefore|thus|hence|nevertheless|however,?)\b|"
    r"\bbut\b|\binstead,|\band\s+(?:so|therefore|thus|hence)\b",
    re.IGNORECASE,
)
"""What ends a denial: "not the left, so the answer is …"."""

NOT = r"(?:\b(?:not|never|cannot|hardly|scarcely|nor|neither|nobody|nothing|none|nicht)\b|n't\b)"
DOUBTED = (
    r"\b(?:(?<!no )(?<!without )(?<!without a )(?<!without any )doubt(?:s|ed|ful)?|unlikely|"
    r"improbable|implausible|impossible|unclear|unsure|uncertain|undecided|unknown|disagree\w*|den(?:y|ies|ied)|"
    r"unable|"
    r"(?:one|some|many|most|people|others|you|someone|anyone|who)\s+(?:(?:might|may|could|would|can|"
    r"will)\s+)?(?:thinks?|says?|argues?|claims?|suggests?|believes?)|"
    r"no\s+(?:reason|evidence|way|sign|indication|chance|idea|longer|means)|not\s+only)\b"
)
SUPPOSED = (
    r"\b(?:whether|if|unless|in\s+case|provided\s+that|as\s+long\s+as|suppos(?:e|ing)|assuming|"
    r"imagine|let's\s+say|let\s+us\s+say)\b"
)
HARD = r"\b(?:too\s+\w+|difficult|hard|tempting|tempted)\s+to\b"
"""Before an answer; behind one it is the caution that such replies end with."""

UNSETTLED = re.compile(
    rf"{NOT}|{DOUBTED}|{SUPPOSED}|{HARD}|\b(?:or|either|wrong|wrongly|incorrect\w*|false\w*|untrue|mistaken\w*|"
    r"mistake|(?<!at )least|less|worst|reject\w*|exclud\w+|rul(?:e|es|ed|ing)\s+out|far\s+from|"
    r"rather\s+than|instead\s+of|opposite)\b"
    r"|(?<![\w'])\(?(?-i:[A-Z])\)?,?\s+and\s+(?:that\s+)?(?:the\s+)?$"
    r"|\b(?:second|third|other|another|alternative|next|previous|initial|former|possible|invalid|"
    r"no|non-?)[\s-]+$"
    r"|(?<!\bI )\b(?:said|told|thought|assumed?|assumes|claimed|suggested|believed|argued)\s+"
    r"(?:that\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
"""What in the clause before a declaration takes its meaning away."""

LISTED = re.compile(r"\b(?:and|both)\b", re.IGNORECASE)
"""What further does so before a bare letter ("A and B is correct")."""

OPINION = re.compile(
    rf"{NOT}[^.;]*\b(?:think|believe|say|agree|sure|certain|clear|convinced|confident|true|case|"
    rf"likely|mean|know|see|suppose|conclude|claim|possible|determine|tell|decide)\w*|{DOUBTED}|{SUPPOSED}|{HARD}|"
    r"^\W*(?:incorrect|wrong|false|untrue|not\s+true)\W*$",
    re.IGNORECASE,
)
"""The same where a comma or colon closes what stands before: "Not A, the answer is D" holds."""

WEIGHED = re.compile(rf"^\W*(?:after|upon|having|to)\b(?!.*{NOT})", re.IGNORECASE | re.DOTALL)
"""What was gone through before the answer: "After asking whether it is A or B, …"."""

THING = re.compile(
    r"\b(?:images?|pictures?|figures?|figs?|slices?|panels?|views?|series|rows?|columns?|tables?|"
    r"grades?|types?|stages?|class|groups?|vitamin|hepatitis|patients?|tab|abb|no|nr|vs|cf|dr|st|"
    r"ca|eq|sec|ref|vol|vit|hep|gr|pt|e\.g|i\.e|etc)\.?\s*[*(]*$",
    re.IGNORECASE,
)
"""What names a thing by a letter: "See Fig. B"."""

FALSE = (
    r"(?:(?:very|most|highly|rather|quite|probably|clearly|definitely|certainly|therefore|thus|"
    r"also|simply|just|obviously|likely|now)\s+)*"
    r"(?:unlikely|improbable|implausible|impossible|incorrect|wrong|false|excluded|ruled\s+out|"
    r"doubtful|questionable|rejected|falsch|untrue|mistaken|absent|less\s+likely|"
    r"(?:the\s+)?least\s+likely)"
    r"\b(?!\s*(?:options?|choices?|answers?|are\b|:))"
)
NOT_SO = (
    r"(?:not|no|n't|never|hardly|cannot\s+be)\b(?:\s+(?:be|very|really|at\s+all|that))*"
    r"(?:\s*(?:$|[.,;:!)])|\s+(?:(?:a|an|the)\s+)?(?:wait\b|likely|correct|right|true|"
    r"possible|plausible|probable|sure|certain|case\b|"
    r"answer|best|good|valid|consistent|supported|compatible|convinc\w+|confident|think\s+(?:so|it)|"
    r"it\b|apply|fit|match))"
)
VERBS = (
    r"(?:is|ist|was|seems|appears|looks|can|cannot|could|would|does|did|do|has|had|might|may|must|"
    r"should|isn't|wasn't|can't|couldn't|doesn't|didn't|wouldn't)"
)
SUBJECT = r"(?:it|this|that|which|i|we|one|some|the\s+(?:latter|answer|option|choice))"
DENIED_AT_ONCE = re.compile(rf"^\W*(?:{FALSE}|{NOT_SO})|^\s*[❌✗✘✖]")
CONDITION = re.compile(r"^\W*(?:only\s+)?(?:if|unless)\b")
DENIED_IN_SENTENCE = re.compile(
    rf"^\W*(?:{VERBS}|{SUBJECT})\b.*?(?:{FALSE}|{NOT}|{DOUBTED}|{SUPPOSED}|\bno\b)", re.DOTALL
)
DENIED_IN_NEXT = re.compile(
    rf"^\W*(?:{SUBJECT}|but|however)\b[^.;!?]{{0,60}}?(?:\b{FALSE}|{NOT_SO}|{DOUBTED})"
)
CONCEDED = re.compile(
    r"\b(?:but|though|although|however|yet|except)\b.*?"
    rf"(?:\b{FALSE}|\b{NOT_SO}|n't\s*(?:$|[.,;!])|{DOUBTED})",
    re.DOTALL,
)
REASON_WORD = re.compile(r"\b(?:because|since|as(?!\s+well)|due|given)\b", re.IGNORECASE)
CONTRASTED = re.compile(
    rf"(?:{NOT}|\b(?:than|of|unlike|over|against|exclud\w+|reject\w*|out)\b)[^,;]{{0,25}}$",
    re.IGNORECASE,
)


def unsettled(text: str, start: int, *, bare: bool = False) -> bool:
    """Whether what stands before `start` takes away what is declared there.

    `bare` declarations are a letter with hardly a word around it: a list before
    it, or a noun that it names, counts too.
    """
    begin = max(0, start - NEAR)
    sentence = text[begin:start]
    for end in SENTENCE_END.finditer(text, begin, start + 8):
        if end.end() <= start:
            sentence = text[end.end() : start]
    if re.search(r"\bnot\s+only\b", sentence, re.IGNORECASE):
        return True
    clause = CLAUSE_END.split(sentence)[-1]
    if bare and THING.search(text[begin:start]):
        return True
    if re.search(r"[,:]\W*(?:(?:the|my|our)\s+)?$", clause, re.IGNORECASE):
        return bool(OPINION.search(clause)) and not WEIGHED.search(clause)
    return bool(UNSETTLED.search(clause) or (bare and LISTED.search(clause)))


def announced_as_wrong(line: str) -> bool:
    """Whether a line says that what follows it is no answer: "Wrong answers:"."""
    return line.rstrip().endswith(":") and bool(UNSETTLED.search(line))


def taken_back(tail: str, *, new_sentence: bool) -> bool:
    """Whether what follows a marker says that it is not the answer ("A is wrong").

    `tail` is in plain form (lower case), the options' own words taken out.
    """
    if DENIED_AT_ONCE.search(tail):
        return True
    if new_sentence:  # one that begins with "If" is about something else
        return bool(DENIED_IN_NEXT.search(tail[:NEAR]))
    if CONDITION.search(tail):
        return True
    sentence = REASON_WORD.split(_first_sentence(tail))[0]
    return bool(DENIED_IN_SENTENCE.search(sentence) or CONCEDED.search(sentence))


def another_named(tail: str, mark: str, letters: tuple[str, ...]) -> bool:
    """Whether the marker's own sentence brings up another letter and does not deny it."""
    sentence = REASON_WORD.split(_first_sentence(tail))[0]
    for match in re.finditer(r"(?<![\w'])([A-Z])(?![\w'])", sentence):
        if match[1] not in letters or match[1] == mark.upper():
            continue
        behind = sentence[match.end() :].casefold()
        denied = DENIED_IN_SENTENCE.search(behind) or DENIED_AT_ONCE.search(behind)
        if not denied and not CONTRASTED.search(sentence[: match.start()]):
            return True
    return False


def _first_sentence(text: str) -> str:
    return re.split(r"[.!?](?:\s|$)|\n", text[:NEAR], maxsplit=1)[0]
