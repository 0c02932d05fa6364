"""Which questions a reader study is made of: by what they ask, and by what models answered."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import select

from inference.categories import category_of
from inference.desk import Desk
from inference.filters import RecordFilter, where
from inference.matching import study_key
from inference.questions import Question
from inference.tables import RECORDS


@dataclass(frozen=True)
class QuestionFilter:
    """Empty means everything. `models` and `scores` keep questions that a record says so of.

    E.g. the questions that one model answered wrongly. `text` is looked for in
    the stem and the options, without regard to case.
    """

    cases: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    text: str = ""


def chosen_questions(desk: Desk, chosen: QuestionFilter) -> tuple[Question, ...]:
    """Questions about studies of the catalogue that pass, each under its study's own id."""
    cases = chosen.cases or tuple(study.id for study in desk.catalogue.studies)
    found = [
        replace(question, study_id=case)
        for case in cases
        for question in desk.questions_about(case)
        if _passes(question, chosen)
    ]
    if not (chosen.models or chosen.scores):
        return tuple(found)
    recorded = _recorded(desk, chosen)
    return tuple(each for each in found if (study_key(each.study_id), each.id) in recorded)


def _passes(question: Question, chosen: QuestionFilter) -> bool:
    if chosen.categories:
        category = category_of(question.category, question.stem)
        if category not in chosen.categories:
            return False
    words = " ".join((question.stem, *question.options)).casefold()
    return chosen.text.casefold() in words


def _recorded(desk: Desk, chosen: QuestionFilter) -> set[tuple[str, str]]:
    wanted = RecordFilter(model=chosen.models, score=chosen.scores)
    rows = select(RECORDS.c.case, RECORDS.c.question_id).distinct().where(*where(wanted))
    with desk.records.engine.connect() as connection:
        return {(study_key(case), question) for case, question in connection.execute(rows)}
