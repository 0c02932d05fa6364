"""Asking again what a record says was asked, and saying what comes out differently.

The pictures are drawn and the prompt is written anew from the files; equal
hashes and equal words mean that the model got the very same input.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from inference.ablation_setup import Setup
from inference.ablations import ablation_named
from inference.ask import send
from inference.desk import Desk
from inference.errors import BadRecord
from inference.models.protocol import GenerationSettings, Progress
from inference.models.table import model_entry
from inference.preparation import AskSettings, Prepared, prepare
from inference.questions import Question
from inference.records import Record
from inference.slices import ChosenSlices
from inference.study_views import StudyView, view_of_study

COMPARED = ("prompt", "letters", "order", "slices", "pictures", "revision", "dtype",
            "probabilities", "raw", "finish", "error")  # fmt: skip
"""Fields of `Record.to_json` that a replay may change, input first."""

SAME_PROBABILITY = 1e-6
"""Float rounding of another batch or thread count; more is a difference."""


@dataclass(frozen=True)
class Difference:
    """One field that came out differently."""

    field: str
    recorded: Any
    now: Any


@dataclass(frozen=True, eq=False)
class Replay:
    """A record, the same ask made now, and what differs between the two."""

    recorded: Record
    now: Record
    differences: tuple[Difference, ...]

    @property
    def same_input(self) -> bool:
        """Whether pictures and words were the same to the byte."""
        fields = {difference.field for difference in self.differences}
        return not fields & {"prompt", "letters", "order", "pictures"}

    def to_json(self) -> dict[str, Any]:
        """The command line's document."""
        return {
            "id": self.recorded.id,
            "same_input": self.same_input,
            "differences": [asdict(difference) for difference in self.differences],
            "recorded": self.recorded.to_json(),
            "now": self.now.to_json(),
        }

    def lines(self) -> list[str]:
        """The same for people."""
        if not self.differences:
            return ["The same input gave the same reply."]
        head = "The same input gave:" if self.same_input else "The input is another one now:"
        return [head, *(f"{d.field}: {d.recorded!r} -> {d.now!r}" for d in self.differences)]


def replay(desk: Desk, record: Record, progress: Progress = lambda share, text: None) -> Replay:
    """Draw, write and ask again. `BadRecord` where the record's ask was not made here."""
    if not record.prompt:
        raise BadRecord(
            f"Expected an ask that was made here, but record {record.id} is an imported answer; "
            "ask its question of a model instead."
        )
    prepared = _prepared_again(desk, record)
    now = send(prepared, desk.host.load(record.model, progress))
    return Replay(record, now, differences(record.to_json(), now.to_json()))


def differences(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Fields of two records' JSON that do not agree."""
    return tuple(
        Difference(name, recorded[name], now[name])
        for name in COMPARED
        if not _agree(recorded[name], now[name])
    )


def _agree(recorded: Any, now: Any) -> bool:
    if isinstance(recorded, list) and isinstance(now, list) and len(recorded) == len(now):
        return all(_agree(*pair) for pair in zip(recorded, now, strict=True))
    if isinstance(recorded, float) and isinstance(now, float):
        return abs(recorded - now) <= SAME_PROBABILITY
    return bool(recorded == now)


def _prepared_again(desk: Desk, record: Record) -> Prepared:
    entry = model_entry(record.model)
    slices = _slices(record)
    generation = GenerationSettings(**record.generation) if record.generation else None
    settings = AskSettings(
        pictures=record.settings,
        style=record.style or entry.style,
        generation=generation or GenerationSettings(),
        score=record.asked.score,
        generate=record.asked.generate,
        words=record.asked.words,
        slices=slices.source,
    )
    if record.ablation is not None:
        return _ablated_again(desk, record, settings)
    return prepare(
        _view_again(desk, record, slices),
        question_of(record),
        record.order,
        record.representation,
        settings,
        max(entry.max_pictures, len(record.pictures)),
        record.ordering,
    )


def _ablated_again(desk: Desk, record: Record, settings: AskSettings) -> Prepared:
    """The row's changes made once more, to what the record says was drawn before them.

    Every change but the mirror's is the same when it is made twice.
    """
    row, variant = ablation_named(record.ablation or "")
    settings = replace(settings, pictures=row.undo(record.settings))
    # Slices that are another study's (wrong-study) say nothing of this one.
    at = None if row.name == "wrong-study" else _slices(record)
    setup = Setup(
        view=_view_again(desk, record, at) if at else _view_of(desk, record.case),
        question=question_of(record),
        order=record.order,
        representation=record.representation,
        settings=settings,
        max_pictures=max(model_entry(record.model).max_pictures, len(record.pictures)),
        ordering=record.ordering,
        other=variant if row.name == "wrong-study" else None,
        view_of=lambda study_id: _view_of(desk, study_id),
    )
    return row.prepare(setup, variant)


def _slices(record: Record) -> ChosenSlices:
    return ChosenSlices(**{**record.slices, "mm": tuple(record.slices["mm"]),
                           "brain_mm": tuple(record.slices["brain_mm"])})  # fmt: skip


def _view_of(desk: Desk, study_id: str) -> StudyView:
    study = desk.catalogue.study(study_id)
    return view_of_study(study, desk.cache, "auto", desk.predicted(study))


def _view_again(desk: Desk, record: Record, slices: ChosenSlices) -> StudyView:
    """By what picked the slices then, so that another mask shows as a difference."""
    study = desk.study(record.case)
    return view_of_study(study, desk.cache, slices.source, desk.predicted(study), slices.mm)


def question_of(record: Record) -> Question:
    """The question as the record kept it, whatever the files say now."""
    return Question(
        record.question_id, record.case, record.stem, record.options, record.truth, record.category
    )
