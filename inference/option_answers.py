"""An answer by option probabilities, where no free reply was made."""

from __future__ import annotations

from math import isfinite

from inference.markers import Offered
from inference.parsing import Answer
from inference.replies import OptionScores

RULE = "option probabilities"


def most_probable(scores: OptionScores | None, offered: Offered) -> Answer:
    """The option of the highest probability; none where two share it or there are none."""
    if scores is None or not all(isfinite(p) for p in scores.probabilities):
        return Answer(None, None, "no answer", RULE)
    best = max(scores.probabilities)
    places = [place for place, p in enumerate(scores.probabilities) if p == best]
    if len(places) > 1:
        return Answer(None, None, "unparsed", RULE)
    return Answer(offered.order[places[0]], offered.options[places[0]], "answered", RULE)
