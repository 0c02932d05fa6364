from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference import own_questions
from inference.errors import UnusableQuestion
from inference.own_questions import OwnQuestions, own_question


def test_what_was_typed_is_a_question_like_any_other() -> None:
    made = own_question("S-1", " Is there\n edema? ", "Yes\n\n No \n", 2)
    assert (made.study_id, made.stem, made.options) == ("S-1", "Is there edema?", ("Yes", "No"))
    assert (made.answer, made.problem) == (1, None)
    assert own_question("S-1", "Is there edema?", "Yes\nNo", None).answer is None


def test_a_known_wording_has_its_category() -> None:
    stem = "In which hemisphere does most of the tumor lie?"
    assert own_question("S-1", stem, "Right hemisphere\nLeft hemisphere", None).category


@pytest.mark.parametrize(
    ("stem", "options", "right", "said"),
    [
        ("", "Yes\nNo", None, "0 letters"),
        ("Edema?", "Yes", None, "1 options"),
        ("Edema?", "", None, "0 options"),
        ("Edema?", "Yes\nYes ", None, r"2 options \(1 different\)"),
        ("Edema?", "\n".join("abcdefghi"), None, "9 options"),
        ("Edema?", "Yes\nNo", 3, "from 1 to 2, got 3"),
        ("x" * 2001, "Yes\nNo", None, "got 2001"),
        ("Edema?", f"Yes\n{'n' * 3000}", None, "got 3000"),
    ],
)
def test_what_is_missing_is_said(stem: str, options: str, right: int | None, said: str) -> None:
    with pytest.raises(UnusableQuestion, match=said):
        own_question("S-1", stem, options, right)


@given(st.text(), st.text())
def test_any_text_is_a_question_or_a_sentence(stem: str, options: str) -> None:
    try:
        made = own_question("S-1", stem, options, None)
    except UnusableQuestion as error:
        assert "\n" not in str(error)
    else:
        assert made.id == own_question("S-1", stem, options, None).id


def test_it_is_found_by_its_own_study_only() -> None:
    kept = OwnQuestions()
    made = own_question("S-1", "Edema?", "Yes\nNo", None)
    kept.add(made)
    assert kept.find("S-1", made.id) == made
    assert kept.find("S-2", made.id) is None
    assert kept.find("S-1", "own-000000000000") is None


def test_the_oldest_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_questions, "MOST_KEPT", 2)
    kept = OwnQuestions()
    made = [own_question("S-1", f"Edema {n}?", "Yes\nNo", None) for n in range(3)]
    for question in made:
        kept.add(question)
    assert [kept.find("S-1", each.id) is not None for each in made] == [False, True, True]
