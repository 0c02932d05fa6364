"""The figures of a reader study, from its rows and the records of the models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import median
from typing import Any

from sqlalchemy import Engine, select

from inference.matching import study_key
from inference.proportions import Proportion
from inference.reader_agreement import (
    NO_ANSWER,
    NO_OPTION,
    Correlation,
    Kappa,
    Labels,
    accuracy,
    cohen,
    fleiss,
    spearman,
)
from inference.reader_answers import Standing, answers_of, events_of, standing
from inference.reader_studies import ReaderItem, ReaderStudy, study_named
from inference.record_store import FAILED
from inference.tables import RECORDS


@dataclass(frozen=True)
class ModelAnswers:
    """What one model answered under one representation and order: item -> option text or None."""

    model: str
    representation: str
    ordering: str
    answers: Mapping[int, str | None]

    @property
    def name(self) -> str:
        """How a table calls it."""
        return f"{self.model} · {self.representation} · {self.ordering}"


@dataclass(frozen=True)
class ReaderRow:
    """One reader. `sure` correlates confidence with being right, over the questions."""

    reader: str
    answered: int
    revealed: bool
    right: Proportion | None
    unanswerable: int
    seconds: float | None
    sure: Correlation


@dataclass(frozen=True)
class ModelRow:
    """One model on the study's questions, and its agreement with each reader by name."""

    name: str
    right: Proportion | None
    kappas: Mapping[str, Kappa]


@dataclass(frozen=True)
class ReaderResults:
    """Everything about one study.

    `pairs` are readers two by two, `all_readers` is Fleiss' kappa of more than
    two. `ranking` correlates, for each reader, the models' ranking by accuracy
    with their ranking by agreement with that reader.
    """

    study: ReaderStudy
    readers: tuple[ReaderRow, ...]
    pairs: tuple[tuple[str, str, Kappa], ...]
    all_readers: Kappa | None
    models: tuple[ModelRow, ...]
    ranking: Mapping[str, Correlation]

    def to_json(self) -> dict[str, Any]:
        """The command line's document; shares are of one."""
        return {
            "study": self.study.name,
            "seed": self.study.seed,
            "questions": len(self.study.items),
            "readers": [asdict(row) for row in self.readers],
            "pairs": [{"readers": [a, b], **asdict(kappa)} for a, b, kappa in self.pairs],
            "all_readers": asdict(self.all_readers) if self.all_readers else None,
            "models": [asdict(row) for row in self.models],
            "ranking": {name: asdict(found) for name, found in self.ranking.items()},
        }


def reader_results(engine: Engine, name: str) -> ReaderResults:
    """Count one study; nothing is stored."""
    study = study_named(engine, name)
    stands = [standing(engine, name, reader) for reader in readers_of(engine, name)]
    truths = {n: place for n, item in enumerate(study.items)
              if (place := item.position(item.truth)) is not None}  # fmt: skip
    by_reader = {each.reader: labels_of(each) for each in stands}
    models = model_answers(engine, study)
    by_model = {each.name: _model_labels(study, each) for each in models}
    rows = [
        ModelRow(
            model,
            accuracy(labels, truths),
            {reader: cohen(given, labels) for reader, given in by_reader.items()},
        )
        for model, labels in by_model.items()
    ]
    return ReaderResults(
        study=study,
        readers=tuple(_reader_row(each, by_reader[each.reader], truths) for each in stands),
        pairs=tuple(
            (a, b, cohen(by_reader[a], by_reader[b])) for a, b in combinations(by_reader, 2)
        ),
        all_readers=fleiss(list(by_reader.values())) if len(by_reader) > 2 else None,
        models=tuple(rows),
        ranking={reader: _ranking(rows, reader) for reader in by_reader},
    )


def readers_of(engine: Engine, name: str) -> list[str]:
    """Everybody who began the study, in alphabetical order."""
    began = {event.reader for event in events_of(engine, name)}
    return sorted(began | {given.reader for given in answers_of(engine, name)})


def labels_of(stand: Standing) -> dict[int, int]:
    """The reader's answers as positions shown."""
    items = stand.study.items
    return {
        n: NO_OPTION if given.answer.option is None else items[n].order.index(given.answer.option)
        for n, given in stand.answers.items()
    }


def model_answers(engine: Engine, study: ReaderStudy) -> tuple[ModelAnswers, ...]:
    """What the records hold about the study's questions: the newest of each ask, no ablation."""
    places = {(study_key(item.case), item.question_id): n for n, item in enumerate(study.items)}
    columns = ("case", "question_id", "model", "representation", "ordering", "answer")
    wanted = select(*(RECORDS.c[name] for name in columns)).where(
        RECORDS.c.question_id.in_({item.question_id for item in study.items}),
        RECORDS.c.ablation.is_(None),
        RECORDS.c.finish.not_in(FAILED),
    )
    found: dict[tuple[str, str, str], dict[int, str | None]] = {}
    with engine.connect() as connection:
        for case, question, *arm, answer in connection.execute(wanted.order_by(RECORDS.c.number)):
            place = places.get((study_key(case), question))
            if place is not None:
                found.setdefault((arm[0], arm[1], arm[2]), {})[place] = answer
    return tuple(ModelAnswers(*arm, answers) for arm, answers in sorted(found.items()))


def _model_labels(study: ReaderStudy, model: ModelAnswers) -> dict[int, int]:
    return {n: _label(study.items[n], answer) for n, answer in model.answers.items()}


def _label(item: ReaderItem, answer: str | None) -> int:
    shown = [item.options[index] for index in item.order]
    return shown.index(answer) if answer in shown else NO_ANSWER


def _reader_row(stand: Standing, labels: Labels, truths: Labels) -> ReaderRow:
    stated = [(n, given.answer.confidence) for n, given in stand.answers.items() if n in truths]
    sure = [(float(c), float(labels[n] == truths[n])) for n, c in stated if c is not None]
    seconds = [stand.seen[n] for n in stand.answers if n in stand.seen]
    return ReaderRow(
        reader=stand.reader,
        answered=len(stand.answers),
        revealed=stand.revealed,
        right=accuracy(labels, truths),
        unanswerable=sum(g.answer.answerable is False for g in stand.answers.values()),
        seconds=median(seconds) if seconds else None,
        sure=spearman(sure),
    )


def _ranking(rows: Sequence[ModelRow], reader: str) -> Correlation:
    known = [(row.right, row.kappas[reader].value) for row in rows]
    return spearman([(right.share, kappa) for right, kappa in known if right and kappa is not None])
