"""Many asks scored together: an earlier ask is reused, the rest share encoded pictures.

Only option probabilities are read, nothing is generated; the answer is the
most probable option. A model that gives none can be asked for a reply instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from inference.ask import send, send_many
from inference.markers import Offered
from inference.models.protocol import Model
from inference.option_answers import most_probable
from inference.preparation import Prepared
from inference.record_store import RecordStore
from inference.recording import key_of
from inference.records import Record
from inference.replies import OptionScores
from inference.scoring import grade


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
    asks: Sequence[Prepared],
    model: Model,
    store: RecordStore,
    turn: Callable[[], AbstractContextManager[Model]] | None = None,
    *,
    reply_instead: bool = False,
) -> tuple[ScoredAsk, ...]:
    """Records of `asks`, in their order; new ones are kept in the store.

    `turn` waits for the model where others are asking it; what was asked before
    waits for nobody. With `reply_instead` a model that gives no probabilities
    is asked for its own words.
    """
    found = [_made_before(ask, model, store, reply_instead) for ask in asks]
    missing = [ask for ask, known in zip(asks, found, strict=True) if known is None]
    fresh: Iterator[Record] = iter(())
    if missing:
        with turn() if turn is not None else nullcontext(model) as present:
            fresh = iter([*_kept(missing, present, store, reply_instead)])
    return tuple(ScoredAsk(known or next(fresh), known is not None) for known in found)


def _made_before(
    ask: Prepared, model: Model, store: RecordStore, reply_instead: bool
) -> Record | None:
    """The same ask by letters alone, else a fuller one whose scores or reply answer it too."""
    record = store.find(key_of(scored_only(ask), model))
    if record is not None and (record.scores is not None or not reply_instead):
        return record
    without_reply = replace(ask, settings=replace(ask.settings, generate=False))
    for fuller in (without_reply, ask):
        record = store.find(key_of(fuller, model))
        if record is not None and record.scores is not None:
            return _by_scores(record, ask)
    return record if reply_instead and ask.settings.generate else None


def _by_scores(record: Record, ask: Prepared) -> Record:
    """A fuller record read by its option probabilities."""
    assert record.scores is not None
    prompt, scores = ask.prompt, record.scores
    shown = tuple(scores.probabilities[index] for index in prompt.order)
    offered = Offered(prompt.options_shown, prompt.letters, prompt.order)
    answer = most_probable(OptionScores(shown, scores.letter_mass), offered)
    return replace(record, answer=answer, score=grade(answer, ask.judged))


def _kept(
    asks: Sequence[Prepared], model: Model, store: RecordStore, reply_instead: bool
) -> Iterator[Record]:
    """Asked now, each kept as it comes."""
    scored = [scored_only(ask) for ask in asks]
    for ask, record in zip(asks, send_many(scored, model), strict=True):
        wordless = record.scores is None and record.finish != "error"
        kept = send(ask, model) if wordless and reply_instead else record
        store.append(kept, ask.pictures)
        yield kept
