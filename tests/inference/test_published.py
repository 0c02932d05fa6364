from __future__ import annotations

from inference.published import PUBLISHED
from inference.representations import REPRESENTATIONS


def test_figures_are_percentages_of_known_settings() -> None:
    for row in PUBLISHED:
        assert 0 < row.percent < 100
        assert row.order in ("original", "shuffled")
        assert row.representation in {None, *REPRESENTATIONS}


def test_no_figure_stands_twice() -> None:
    keys = [(row.model, row.representation, row.order, row.percent) for row in PUBLISHED]
    assert len(set(keys)) == len(keys)
