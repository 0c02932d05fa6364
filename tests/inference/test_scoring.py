from __future__ import annotations

import pytest

from inference.markers import Offered
from inference.parsing import Answer, Status, parse
from inference.questions import Question
from inference.scoring import grade, substring_grade

QUESTION = Question("1", "S-1", "Where?", ("Left", "Right"), answer=1)


def test_only_a_named_option_is_right_or_wrong() -> None:
    assert grade(Answer(1, "Right", "answered", "json"), QUESTION) == "right"
    assert grade(Answer(0, "Left", "answered", "json"), QUESTION) == "wrong"


def test_a_conflict_is_graded_by_its_words() -> None:
    answer = parse("A) Right", Offered(QUESTION.options, ("A", "B"), (0, 1)))
    assert answer.status == "conflict"
    assert grade(answer, QUESTION) == "right"


@pytest.mark.parametrize("status", ["unparsed", "refused", "no answer", "unfinished", "error"])
def test_everything_else_keeps_its_name(status: Status) -> None:
    assert grade(Answer(None, None, status, "rule"), QUESTION) == status


def test_without_a_truth_nothing_is_right() -> None:
    question = Question("1", "S-1", "Where?", ("Left", "Right"), None, problem="no such option")
    assert grade(Answer(1, "Right", "answered", "json"), question) == "no truth"


def test_the_papers_grade_takes_no_for_not_applicable() -> None:
    assert substring_grade("Not applicable", "No")
    assert not substring_grade("no", "No")
