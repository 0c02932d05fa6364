"""Asking: what was prepared is sent, what comes back is read and recorded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter

from inference.ask_log import log_ask
from inference.models.protocol import Cancelled, Model, OnText
from inference.orders import Order
from inference.preparation import AskSettings, Prepared, prepare
from inference.questions import Question
from inference.recording import recorded
from inference.records import Record
from inference.replies import Finish, OptionScores, Reply
from inference.study_views import view_of_study
from viewer.arrays import LabelMap
from viewer.cache import ArrayCache
from viewer.errors import UserError
from viewer.study import Study

log = logging.getLogger(__name__)

FAILURES = (UserError, RuntimeError, OSError, MemoryError)
"""What a model may fail with at run time; a failed ask is a record of its own kind."""


def send(
    prepared: Prepared,
    model: Model,
    on_text: OnText = lambda text: None,
    cancelled: Cancelled = lambda: False,
) -> Record:
    """Send it and read the answer. A model that fails gives a record with status "error"."""

    def score() -> OptionScores | None:
        return model.score_options(prepared.prompt, words=prepared.settings.words)

    return _asked(prepared, model, score, on_text, cancelled)


def send_many(
    prepared: Sequence[Prepared], model: Model, cancelled: Cancelled = lambda: False
) -> Iterator[Record]:
    """Send each in turn; a model that can score many at once encodes shared pictures once.

    All must have been prepared under the same settings but for the seed.
    """
    if cancelled():
        return
    together = getattr(model, "score_many", None)
    scored: list[OptionScores | None] = []
    started = perf_counter()
    if together is not None and prepared and prepared[0].settings.score:
        try:
            prompts = [each.prompt for each in prepared]
            scored = together(prompts, words=prepared[0].settings.words)
        except FAILURES:
            log.warning("%s failed at many; asking one by one", model.name, exc_info=True)
    share = (perf_counter() - started) / max(1, len(scored))
    for place, each in enumerate(prepared):
        if cancelled():
            return
        if scored:
            yield _asked(each, model, partial(scored.__getitem__, place), spent=share)
        else:
            yield send(each, model)


def _asked(
    prepared: Prepared,
    model: Model,
    score: Callable[[], OptionScores | None],
    on_text: OnText = lambda text: None,
    cancelled: Cancelled = lambda: False,
    spent: float = 0.0,
) -> Record:
    """Score, write, read; `spent` are the seconds that went into it before."""
    started = perf_counter() - spent
    settings = prepared.settings
    scores: OptionScores | None = None
    reply: Reply | None = None
    error: str | None = None
    try:
        if settings.score:
            scores = score()
        if settings.generate and not cancelled():
            reply = model.generate(prepared.prompt, settings.generation, on_text, cancelled)
    except FAILURES as failure:
        log.warning("%s failed", model.name, exc_info=not isinstance(failure, UserError))
        error = str(failure) or type(failure).__name__
    if reply is None:
        finish: Finish = "error" if error else "cancelled" if cancelled() else "stop"
        who = (model.name, model.revision, model.dtype)
        reply = Reply("", None, None, 0, 0.0, *who, finish, error)
    record = recorded(prepared, reply, scores, perf_counter() - started)
    log_ask(record)
    return record


def ask(
    study: Study,
    question: Question,
    order: Order,
    representation: str,
    settings: AskSettings,
    model: Model,
    cache: ArrayCache,
    on_text: OnText = lambda text: None,
    cancelled: Cancelled = lambda: False,
    predicted: LabelMap | None = None,
    max_pictures: int | None = None,
) -> Record:
    """View the study, prepare and send in one call."""
    view = view_of_study(study, cache, settings.slices, predicted)
    prepared = prepare(view, question, order, representation, settings, max_pictures)
    return send(prepared, model, on_text, cancelled)
