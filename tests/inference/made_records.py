"""Records without a model: one real ask, its fields replaced."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Any

from inference.ask import send
from inference.markers import Offered
from inference.models.fake import FakeModel
from inference.parsing import parse
from inference.questions import Question
from inference.records import Record
from inference.scoring import grade
from tests.inference.test_ask import prepared

NUMBERS = count()


@lru_cache(maxsize=1)
def pattern() -> Record:
    return send(prepared("text-only"), FakeModel())


def made(raw: str = "A", **fields: Any) -> Record:
    """A record of its own whose answer is read from `raw`, shown in the file's order."""
    base = replace(pattern(), **{"ordering": "original", **fields})
    options = base.options
    order = tuple(range(len(options)))
    letters = tuple("ABCDEF"[: len(options)])
    answer = parse(raw, Offered(options, letters, order), base.finish)
    question = Question(base.question_id, base.case, base.stem, options, base.truth)
    return replace(
        base,
        id=f"{next(NUMBERS):032x}",
        order=order,
        letters=letters,
        raw=raw,
        answer=answer,
        score=grade(answer, question),
    )
