"""A selection's tables, tests and patterns as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from inference.answer_sets import Answers, Arm
from inference.batch import Progress
from inference.categories import OTHER, RULES
from inference.html import render_html
from inference.patterns import PATTERNS, Choice, find
from inference.set_runs import SetRun
from inference.set_tables import (
    accuracies,
    baselines,
    difference,
    floors,
    order_agreement,
    where_answers_stand,
)
from inference.set_verdicts import verdict_shares
from inference.verdicts import DEFINITIONS

FEW = 30
"""Under this many questions a share is called one of small numbers."""

MOST_RUNS = 8

MOST_SHOWN = 200
"""Rows of a pattern that the page lists; the heading counts all."""


def accuracy_card(answers: Answers) -> str:
    """Every arm with its interval, and beside it the floors and baselines of its order."""
    rows = [
        (
            row,
            floors(answers, row.arm.model, row.arm.ordering),
            baselines(answers, row.arm.ordering),
        )
        for row in accuracies(answers)
    ]
    return render_html("set_accuracy.html", rows=rows, few=FEW)


def behaviour_card(answers: Answers) -> str:
    """Where answers and truths stand, how far the orders agree, and verdicts over the questions."""
    return render_html(
        "set_behaviour.html",
        positions=where_answers_stand(answers),
        agreement=order_agreement(answers),
        verdicts=verdict_shares(answers),
        definitions=DEFINITIONS,
        few=FEW,
    )


def difference_card(answers: Answers, one: Arm, other: Arm | None) -> str:
    """A against B over the questions that both answered."""
    if other is None or other == one:
        return ""
    found = difference(answers, one, other)
    return render_html("set_difference.html", one=one, other=other, found=found, few=FEW)


def pattern_card(answers: Answers, name: str, choice: Choice) -> str:
    """The questions that show the pattern, each with the link that opens it."""
    found = find(PATTERNS[name], answers, choice)
    rows = [
        (each, "?" + urlencode({"study": each.case, "question": each.question_id}))
        for each in found[:MOST_SHOWN]
    ]
    return render_html(
        "set_pattern.html",
        pattern=PATTERNS[name],
        rows=rows,
        count=len(found),
        of=len(answers.get(choice.first, {})),
        choice=choice,
        rules=RULES,
        other=OTHER,
    )


def runs_card(runs: Sequence[SetRun]) -> str:
    """The runs of this application with how far they are; nothing where there is none."""
    return render_html("set_runs.html", runs=list(runs)[:MOST_RUNS]) if runs else ""


def run_card(
    progress: Progress | None, doing: str, problems: Sequence[str] = (), *, running: bool = True
) -> str:
    """How far a run over the selection is."""
    told = list(problems)[:5]
    return render_html(
        "set_run.html", progress=progress, doing=doing, problems=told, running=running
    )
