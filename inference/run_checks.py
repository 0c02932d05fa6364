"""What is wrong with a run as a whole, said before anything is asked, or after nothing could be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inference.ablations import ablation_named
from inference.batch import Outcome
from inference.choices import order_of
from inference.desk import Desk
from inference.errors import BadOrder, NothingToAsk
from inference.models.server_address import VARIABLES
from inference.models.server_cluster import addresses_of
from inference.models.table import model_entry
from inference.plans import Plan, sheets
from inference.questions import Question
from inference.representations import representation_named

NAMED = 5
"""Ids that a sentence lists."""


def check_names(plan: Plan, urls: Sequence[str] = ()) -> None:
    """Raise what the first name of the plan raises that no table holds, or an address that is none.

    `urls` are those of the servers that the user names.
    """
    for model in plan.models:
        entry = model_entry(model)
        if entry.kind in VARIABLES:
            addresses_of(entry, urls)
    for representation in plan.representations:
        representation_named(representation)
    for ablation in plan.ablations:
        ablation_named(ablation)


def check_asks(desk: Desk, plan: Plan) -> None:
    """`NothingToAsk` where no question is about the studies, `BadOrder` where none has an order."""
    questions = {id(each): each for sheet in sheets(desk, plan) for each in sheet.questions}
    if not questions:
        raise NothingToAsk(_why_nothing(desk, plan))
    for order in plan.orders:
        _check_order(tuple(questions.values()), order)


def check_outcome(outcome: Outcome) -> None:
    """`NothingToAsk` where not one ask of a run could be made, with the first reason."""
    progress = outcome.progress
    if progress.unfit and progress.unfit == progress.wanted:
        first = outcome.problems[0]
        raise NothingToAsk(
            f"Expected asks that can be made, but none of the {progress.unfit} can, the first for "
            f"this reason: {first.file}: {first.reason}"
        )


def _check_order(questions: Sequence[Question], order: str) -> None:
    """The first question's `BadOrder` where no question can be shown so."""
    refused: list[BadOrder] = []
    for question in questions:
        if len(question.options) < 2:
            continue
        try:
            order_of(question, order)
            return
        except BadOrder as error:
            refused.append(error)
    if refused:
        raise refused[0]


def _why_nothing(desk: Desk, plan: Plan) -> str:
    listed = plan.cases or tuple(study.id for study in desk.catalogue.studies)
    if not listed:
        return (
            "Expected studies to ask about, found none; name their folder with --data DIR, and "
            "see what is found with cases."
        )
    about = f"Expected questions about {_some(listed)}, got"
    if not desk.questions.questions:
        return f"{about} no question file; give one with --questions FILE."
    others = _some(dict.fromkeys(question.study_id for question in desk.questions.questions))
    return f"{about} questions about {others}; name the studies in the file as cases lists them."


def _some(ids: Iterable[str]) -> str:
    names = list(ids)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
