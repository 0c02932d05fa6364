"""A reader study's figures as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from inference.proportions import Proportion
from inference.reader_agreement import Correlation, Kappa
from inference.reader_results import ReaderResults


def lines(found: ReaderResults) -> list[str]:
    """Readers, agreement between them, and the models on the same questions."""
    study = found.study
    head = f"{study.name}: {len(study.items)} questions, seed {study.seed}, made {study.time[:10]}"
    return [head, *(f"  {line}" for line in _lines(found))]


def share_in_words(right: Proportion | None) -> str:
    """Accuracy with its interval."""
    if right is None:
        return "no graded answer"
    return (
        f"{right.share:.1%} ({right.low:.1%} to {right.high:.1%}), {right.hits} of {right.of} right"
    )


def kappa_in_words(kappa: Kappa) -> str:
    """Kappa and what it rests on."""
    value = "not defined" if kappa.value is None else f"{kappa.value:.2f}"
    return f"{value} ({kappa.agreed} of {kappa.questions} alike)"


def correlation_in_words(found: Correlation) -> str:
    """Rho and what it rests on."""
    if found.rho is None or found.p is None:
        return f"not defined (n = {found.pairs})"
    sure = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.2g}"
    return f"{found.rho:.2f} ({sure}, n = {found.pairs})"


def _lines(found: ReaderResults) -> Iterator[str]:
    if not found.readers:
        yield "nobody has begun"
    for row in found.readers:
        state = "truth shown" if row.revealed else "blinded"
        pace = "" if row.seconds is None else f", median {row.seconds:.0f} s a question"
        yield (
            f"{row.reader}: {row.answered} answered ({state}), {share_in_words(row.right)}, "
            f"{row.unanswerable} not answerable{pace}; "
            f"confidence against right: {correlation_in_words(row.sure)}"
        )
    for one, other, kappa in found.pairs:
        yield f"{one} and {other}: Cohen's kappa {kappa_in_words(kappa)}"
    if found.all_readers:
        yield f"all readers: Fleiss' kappa {kappa_in_words(found.all_readers)}"
    for model in found.models:
        kappas = [f"{reader} {kappa_in_words(kappa)}" for reader, kappa in model.kappas.items()]
        alike = ", ".join(kappas) or "nobody"
        yield f"{model.name}: {share_in_words(model.right)}; Cohen's kappa with {alike}"
    for reader, ranking in found.ranking.items():
        rho = correlation_in_words(ranking)
        yield f"models by accuracy against by agreement with {reader}: {rho}"
