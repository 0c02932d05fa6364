"""Questions that a user types on the page: kept in memory while the application runs.

A question is found by an id made from its content, so that nobody comes upon
another's by counting, and the same question typed twice is one.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from inference.errors import UnusableQuestion
from inference.question_kinds import kind_of
from inference.questions import Question

MOST_KEPT = 1000
MOST_OPTIONS = 8
MOST_LETTERS = 2000
"""Of the question, and of each option."""


class OwnQuestions:
    """The last `MOST_KEPT` typed questions of all sessions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Question] = OrderedDict()

    def add(self, question: Question) -> None:
        """Keep it; the oldest is let go of where there are too many."""
        with self._lock:
            self._kept[question.id] = question
            self._kept.move_to_end(question.id)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    def find(self, study_id: str, question_id: str) -> Question | None:
        """The question of that id about that study, None where there is none."""
        with self._lock:
            found = self._kept.get(question_id)
        return found if found is not None and found.study_id == study_id else None


def own_question(study_id: str, stem: str, options: str, right: int | None) -> Question:
    """The question that was typed; `options` one a line, `right` the number of its line from 1.

    None where the right one is not known. `UnusableQuestion` says what is missing.
    """
    stem = " ".join(stem.split())
    listed = tuple(" ".join(line.split()) for line in options.splitlines() if line.strip())
    if not stem or not 2 <= len(listed) <= MOST_OPTIONS or len(set(listed)) < len(listed):
        raise UnusableQuestion(
            f"Expected a question and 2 to {MOST_OPTIONS} different options, one a line, got "
            f"{len(stem)} letters and {len(listed)} options ({len(set(listed))} different); "
            "write what is missing."
        )
    longest = max(map(len, (stem, *listed)))
    if longest > MOST_LETTERS:
        raise UnusableQuestion(
            f"Expected at most {MOST_LETTERS} letters in the question and in each option, got "
            f"{longest}; shorten it."
        )
    if right is not None and not 1 <= right <= len(listed):
        raise UnusableQuestion(
            f"Expected the right option as a line from 1 to {len(listed)}, got {right}; choose "
            "another or 'not known'."
        )
    content = repr((study_id, stem, listed, right)).encode()
    kind = kind_of(stem)
    return Question(
        id=f"own-{hashlib.sha256(content).hexdigest()[:12]}",
        study_id=study_id,
        stem=stem,
        options=listed,
        answer=None if right is None else right - 1,
        category=kind.category if kind else None,
    )
