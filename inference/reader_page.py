"""What a reader sees: the question alone, a pause, and, once it is over, the truth, as HTML.

Before the reveal nothing here is given the truth or a model's answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from inference.html import render_html
from inference.reader_answers import MOST_SURE, Standing
from inference.reader_results import ReaderResults, model_answers, reader_results
from inference.reader_tables import correlation_in_words, kappa_in_words, share_in_words

CHOICES = (
    ("answerable", "The image can answer it", ("Y", "N")),
    ("relevant", "Clinically relevant", ("R", "")),
)
"""(field of `ReaderAnswer`, words, keys of yes and no)."""

SAID = {True: "yes", False: "no", None: "not said"}


def question_html(stand: Standing, place: int, sequences: Sequence[str], problem: str = "") -> str:
    """The form for the question at that place of the reader's order."""
    number = stand.order[place]
    given = stand.answers.get(number)
    return render_html(
        "reader_question.html",
        **_about(stand),
        item=stand.study.items[number],
        item_number=number,
        place=place,
        last=stand.last_place,
        given=given.answer if given else None,
        choices=CHOICES,
        most=MOST_SURE,
        sequences=sequences,
        problem=problem,
    )


def paused_html(stand: Standing) -> str:
    """A pause: no question in view, and no time counted."""
    sentence = "No time is counted. Everything is kept: the page may be closed."
    return render_html(
        "reader_wait.html", **_about(stand), kind="paused", heading="Paused", sentence=sentence
    )


def finished_html(stand: Standing) -> str:
    """Everything is answered; the truth is shown when the reader says so."""
    sentence = "Answers can still be changed; once the truth is shown they cannot."
    heading = "All questions are answered"
    return render_html(
        "reader_wait.html", **_about(stand), kind="finished", heading=heading, sentence=sentence
    )


def revealed_html(engine: Engine, stand: Standing, place: int) -> str:
    """Own answer, truth, and what each model answered; only after the reveal.

    `ValueError` before it: that would be a bug of the caller.
    """
    if not stand.revealed:
        raise ValueError("the truth is not to be shown before it was revealed")
    number = stand.order[place]
    item, given = stand.study.items[number], stand.answers.get(number)
    by_option: dict[str | None, list[str]] = {}
    for model in model_answers(engine, stand.study):
        if number in model.answers:
            answer = model.answers[number]
            known = answer if answer in item.options else None
            by_option.setdefault(known, []).append(model.name)
    right = given is not None and given.answer.option == item.truth
    verdict = "" if given is None or item.truth is None else "right" if right else "wrong"
    return render_html(
        "reader_reveal.html",
        **_about(stand),
        item=item,
        place=place,
        given=given.answer if given else None,
        seconds=stand.seen.get(number, 0.0),
        by_option=by_option,
        verdict=verdict,
        tone=verdict or "neutral",
        words=SAID,
    )


def figures_html(engine: Engine, study: str) -> str:
    """The study's figures."""
    return results_html(reader_results(engine, study))


def results_html(found: ReaderResults) -> str:
    """Readers, their agreement, and the models beside them."""
    return render_html(
        "reader_results.html",
        found=found,
        share=share_in_words,
        kappa=kappa_in_words,
        correlation=correlation_in_words,
    )


def _about(stand: Standing) -> dict[str, object]:
    return {
        "reader": stand.reader,
        "study": stand.study.name,
        "done": len(stand.answers),
        "count": len(stand.order),
    }
