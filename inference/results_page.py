"""The results page's words and tables as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inference.counts import SCORES
from inference.html import render_html
from inference.published import FAULTS
from inference.results import Results
from inference.results_tables import comparison, name_of
from inference.review_list import TagCount

HARDEST = 25
"""Questions shown of those that models fail."""


def results_html(found: Results, tags: Sequence[TagCount] = ()) -> str:
    """Every table of the page, ours above the published figures."""
    if not found.asks:
        return render_html("no_results.html")
    table = comparison(found)
    return render_html(
        "results.html",
        asks=found.asks,
        headings=table.headings(),
        lines=table.lines,
        faults=FAULTS,
        scores=SCORES,
        statuses=_statuses(found),
        yes_no=[_yes_no(row) for row in found.yes_no],
        categories=_categories(found),
        ablations=[
            (row.model, row.representation, row.reshuffled, row.ablation, row.tally)
            for row in found.ablations
        ],
        hard=found.hard[:HARDEST],
        hard_total=len(found.hard),
        spread=_spread(found),
        tags=tags,
    )


def percent(share: float | None) -> str:
    """A share of one as per cent with one decimal; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f}"


def _statuses(found: Results) -> list[dict[str, Any]]:
    return [
        {
            "model": name_of(row, found.table),
            "representation": row.representation,
            "order": "reshuffled" if row.reshuffled else "original",
            "counts": [row.tally.by_score.get(score, 0) for score in SCORES],
            "substring": f"{row.tally.substring_right} of {row.tally.substring_graded}",
        }
        for row in found.table
    ]


def _yes_no(row: Any) -> dict[str, Any]:
    counts = row.counts
    shares = (counts.precision, counts.recall, counts.specificity, counts.f1)
    return {
        "model": row.model,
        "representation": row.representation,
        "order": "reshuffled" if row.reshuffled else "original",
        "asked": counts.asked,
        "shares": [percent(share) for share in shares],
    }


def _categories(found: Results) -> list[dict[str, Any]]:
    return [
        {
            "model": name_of(row, found.table),
            "representation": row.representation,
            "order": "reshuffled" if row.reshuffled else "original",
            "category": row.category,
            "accuracy": percent(row.tally.accuracy),
            "interval": [percent(end) for end in row.tally.interval or (None, None)],
            "graded": row.tally.graded,
        }
        for row in found.categories
    ]


def _spread(found: Results) -> list[tuple[int, int]]:
    """(how many models fail it, how many questions), most first."""
    failed = [question.failed for question in found.hard]
    return sorted({n: failed.count(n) for n in failed}.items(), reverse=True)
