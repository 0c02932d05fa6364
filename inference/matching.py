"""Which study a question is about, although files spell ids differently.

The rule: case, a `.nii` or `_nifti` ending, a size like `_2mm` and what
stands behind a `~` (another study of that name) do not count, nor do leading
zeros of the patient's number after `UCSF-PDGM-` (its metadata has 3 digits,
its folders 4). A follow-up (`_FU007d`) is another time point and another study.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from inference.questions import Question

ENDINGS = re.compile(r"(?:_nifti|\.nii(?:\.gz)?|[_-]\d+(?:\.\d+)?mm|~[0-9a-f]+)+$")
PATIENT = re.compile(r"^(ucsf-pdgm-)0*(\d+)")


def study_key(study_id: str) -> str:
    """The id reduced to what tells studies apart."""
    key = ENDINGS.sub("", study_id.strip().casefold())
    return PATIENT.sub(lambda match: match[1] + match[2].zfill(4), key)


def counts_about(study_ids: Iterable[str], questions: Sequence[Question]) -> dict[str, int]:
    """How many questions there are about each of the studies."""
    counted = Counter(study_key(question.study_id) for question in questions)
    return {study_id: counted[study_key(study_id)] for study_id in study_ids}


def questions_about(study_id: str, questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions whose study is that one, in the order given."""
    key = study_key(study_id)
    return tuple(question for question in questions if study_key(question.study_id) == key)
