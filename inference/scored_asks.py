"""Many asks scored together: an earlier ask is reused, the rest share encoded pictures.

Only option probabilities are read, nothing is generated; the answer is the
most probable option.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from inference.ask import FAILURES
from inference.markers import Offered
from inference.models.protocol import Model
from inference.option_answers import most_probable
from inference.preparation import Prepared
from inference.prompts import Prompt
from inference.record_store import RecordStore
from inference.recording import key_of, recorded
from inference.records import Record
from inference.replies import OptionScores, Reply
from inference.scoring import grade
from viewer.errors import UserError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ScoredAsk:
    """A record, and whether it was made before."""

    record: Record
    reused: bool


def scored_only(prepared: Prepared) -> Prepared:
    """The same ask, for option probabilities by letter and for nothing else."""
    settings = replace(prepared.settings, score=True, generate=False, words=False)
    return replace(prepared, settings=settings)


def score_together(
    asks: Sequence[Prepared], model: Model, store: RecordStore
) -> tuple[ScoredAsk, ...]:
    """Records of `asks`, in their order; new ones are kept in the store."""
    found = [_made_before(ask, model, store) for ask in asks]
    missing = [scored_only(ask) for ask, known in zip(asks, found, strict=True) if known is None]
    fresh = iter(_ask(missing, model, store))
    return tuple(ScoredAsk(known or next(fresh), known is not None) for known in found)


def _made_before(ask: Prepared, model: Model, store: RecordStore) -> Record | None:
    """The same ask by letters alone, else a fuller one whose scores answer it too."""
    record = store.find(key_of(scored_only(ask), model))
    if record is not None:
        return record
    fuller = store.find(key_of(ask, model))
    if fuller is None or fuller.scores is None:
        return None
    return _by_scores(fuller, ask)


def _by_scores(record: Record, ask: Prepared) -> Record:
    """A fuller record read by its option probabilities."""
    assert record.scores is not None
    prompt, scores = ask.prompt, record.scores
    shown = tuple(scores.probabilities[index] for index in prompt.order)
    offered = Offered(prompt.options_shown, prompt.letters, prompt.order)
    answer = most_probable(OptionScores(shown, scores.letter_mass), offered)
    return replace(record, answer=answer, score=grade(answer, ask.question))


def _ask(asks: Sequence[Prepared], model: Model, store: RecordStore) -> list[Record]:
    if not asks:
        return []
    started = perf_counter()
    try:
        scores, error = _scores([ask.prompt for ask in asks], model), None
    except FAILURES as failure:
        log.warning("%s failed", model.name, exc_info=not isinstance(failure, UserError))
        scores, error = [None] * len(asks), str(failure) or type(failure).__name__
    seconds = (perf_counter() - started) / len(asks)
    records = []
    for ask, score in zip(asks, scores, strict=True):
        who = (model.name, model.revision, model.dtype)
        reply = Reply("", None, None, 0, 0.0, *who, "error" if error else "stop", error)
        records.append(recorded(ask, reply, score, seconds))
        store.append(records[-1], ask.pictures)
    return records


def _scores(prompts: Sequence[Prompt], model: Model) -> list[OptionScores | None]:
    """All at once where the model can, so that equal pictures are encoded once."""
    together = getattr(model, "score_many", None)
    if together is None:
        return [model.score_options(prompt) for prompt in prompts]
    found: list[OptionScores | None] = together(prompts)
    return found
