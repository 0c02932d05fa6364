"""From what was sent and what came back to a record."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from math import isfinite
from typing import Any
from uuid import uuid4

from inference.keys import Asked, AskIdentity
from inference.markers import Offered
from inference.models.protocol import Model
from inference.option_answers import most_probable
from inference.orders import Order
from inference.parsing import Answer, parse
from inference.picture_files import picture_json
from inference.preparation import Prepared
from inference.records import ByOption, Record
from inference.replies import OptionScores, Reply
from inference.reply_text import split_thinking
from inference.scoring import grade, substring_grade


def recorded(
    prepared: Prepared, reply: Reply, scores: OptionScores | None, seconds: float
) -> Record:
    """The record of one ask; `seconds` is the whole of it, scoring and writing together."""
    prompt, question, settings = prepared.prompt, prepared.question, prepared.settings
    answer = read_answer(prepared, reply, scores)
    return Record(
        id=uuid4().hex,
        time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        case=prepared.study_id,
        question_id=question.id,
        stem=question.stem,
        options=question.options,
        category=question.category,
        truth=question.answer,
        order=prompt.order,
        ordering=prepared.ordering,
        letters=prompt.letters,
        representation=prepared.representation,
        settings=settings.pictures,
        style=settings.style,
        slices=asdict(prepared.slices),
        pictures=tuple(picture_json(picture) for picture in prepared.pictures),
        mask=prepared.mask,
        notes=prepared.notes,
        prompt=prompt.text,
        model=reply.model,
        revision=reply.revision,
        dtype=reply.dtype,
        asked=_asked(prepared),
        generation=_generation(prepared),
        answer=answer,
        scores=_by_option(scores, prompt.order),
        raw=reply.text,
        thinking=reply.thinking or split_thinking(reply.text).thinking,
        finish=reply.finish,
        error=reply.error,
        tokens=reply.tokens,
        seconds=seconds,
        score=grade(answer, prepared.judged),
        substring_grade=_by_substring(reply.text, prepared),
        ablation=prepared.ablation,
    )


def regraded(record: Record, prepared: Prepared) -> Record:
    """The reply of `record` under the answer key that `prepared` holds: a record of its own."""
    question = prepared.question
    return replace(
        record,
        id=uuid4().hex,
        time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        category=question.category,
        truth=question.answer,
        score=grade(record.answer, prepared.judged),
        substring_grade=_by_substring(record.raw, prepared),
    )


def _by_substring(text: str, prepared: Prepared) -> bool | None:
    """By the published benchmark's rule; None without a truth or where no reply was asked for."""
    truth = prepared.question.truth
    return substring_grade(text, truth) if truth and prepared.settings.generate else None


def key_of(prepared: Prepared, model: Model) -> str:
    """The key that the record of this ask would have (`Record.key`)."""
    prompt = prepared.prompt
    return AskIdentity(
        case=prepared.study_id,
        question_id=prepared.question.id,
        prompt=prompt.text,
        pictures=[picture.sha256 for picture in prepared.pictures],
        representation=prepared.representation,
        letters=prompt.letters,
        order=prompt.order,
        ordering=prepared.ordering,
        model=(model.name, model.revision, model.dtype),
        generation=_generation(prepared),
        asked=_asked(prepared),
    ).key


def _asked(prepared: Prepared) -> Asked:
    settings = prepared.settings
    return Asked(settings.score, settings.generate, settings.words, prepared.prompt.answer_start)


def _generation(prepared: Prepared) -> dict[str, Any] | None:
    settings = prepared.settings
    if not settings.generate:
        return None
    told = asdict(settings.generation)
    # So the keys of models without a switch for thinking are what they were before it.
    return {name: value for name, value in told.items() if value is not None}


def read_answer(prepared: Prepared, reply: Reply, scores: OptionScores | None) -> Answer:
    """The answer in the free reply; by option probabilities only where none was asked for."""
    prompt = prepared.prompt
    offered = Offered(prompt.options_shown, prompt.letters, prompt.order)
    if prepared.settings.generate or reply.finish == "error":
        return parse(reply.text, offered, reply.finish)
    return most_probable(scores, offered)


def _by_option(scores: OptionScores | None, order: Order) -> ByOption | None:
    """From shown positions to the original order; None where a network overflowed to NaN."""
    if scores is None or not all(isfinite(p) for p in scores.probabilities):
        return None
    words = scores.word_probabilities
    return ByOption(
        _original(scores.probabilities, order),
        scores.letter_mass,
        None if words is None else _original(words, order),
    )


def _original(by_position: tuple[float, ...], order: Order) -> tuple[float, ...]:
    return tuple(by_position[order.index(index)] for index in range(len(order)))
