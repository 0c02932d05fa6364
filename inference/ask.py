"""Asking: what was prepared is sent, what comes back is read and recorded."""

from __future__ import annotations

import logging
from time import perf_counter

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
    started = perf_counter()
    settings = prepared.settings
    scores: OptionScores | None = None
    reply: Reply | None = None
    error: str | None = None
    try:
        if settings.score:
            scores = model.score_options(prepared.prompt, words=settings.words)
        if settings.generate and not cancelled():
            reply = model.generate(prepared.prompt, settings.generation, on_text, cancelled)
    except FAILURES as failure:
        log.warning("%s failed", model.name, exc_info=not isinstance(failure, UserError))
        error = str(failure) or type(failure).__name__
    if reply is None:
        finish: Finish = "error" if error else "cancelled" if cancelled() else "stop"
        who = (model.name, model.revision, model.dtype)
        reply = Reply("", None, None, 0, 0.0, *who, finish, error)
    return recorded(prepared, reply, scores, perf_counter() - started)


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
