"""Which study a question is about, although files spell ids differently.

The rule: case, a `.nii` or `_nifti` ending and a size like `_2mm` do not
count, nor do leading zeros of the patient's number after `UCSF-PDGM-` (its
metadata has 3 digits, its folders 4). A follow-up (`_FU007d`) is another time
point and another study.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inference.questions import Question

ENDINGS = re.compile(r"(?:_nifti|\.nii(?:\.gz)?|[_-]\d+(?:\.\d+)?mm|~\d+)+$")
PATIENT = re.compile(r"^(ucsf-pdgm-)0*(\d+)")


def study_key(study_id: str) -> str:
    """The id reduced to what tells studies apart."""
    key = ENDINGS.sub("", study_id.strip().casefold())
    return PATIENT.sub(lambda match: f"{match[1]}{int(match[2]):04d}", key)


def questions_about(study_id: str, questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions whose study is that one, in the order given."""
    key = study_key(study_id)
    return tuple(question for question in questions if study_key(question.study_id) == key)
