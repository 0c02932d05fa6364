"""Records: everything about one ask, by value or by hash.

A record can be read back, compared and replayed. Its JSON is the command
line's: option indexes are 0-based in the original order, probabilities stand
in that order too, pictures are named by the sha256 of their pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from inference.errors import BadRecord
from inference.keys import Asked, AskIdentity
from inference.orders import Order
from inference.parsing import Answer
from inference.pictures import PictureSettings
from inference.prompts import PromptStyle
from inference.record_checks import faults
from inference.replies import Finish
from inference.scoring import Score

IMPORTED = "imported:"
"""Before the name of a model whose answers were made elsewhere."""


@dataclass(frozen=True)
class ByOption:
    """Option probabilities in the original order, and the mass that the letters held."""

    probabilities: tuple[float, ...]
    letter_mass: float
    word_probabilities: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Record:
    """One ask and its outcome. `time` is UTC, ISO 8601; `raw` is the reply unedited.

    `order` is what was shown and `ordering` what it is called: "original",
    "shuffled" or a seed; empty where it was chosen by hand.
    `scores` is None where the model gave no probabilities, `truth` is None
    where the file's answer is no option. `score` is by the option that is right
    for what was sent: for a mirrored picture the other side, not `truth`.
    `substring_grade` is the published benchmark's, for comparison only; None
    without a free reply or a truth.
    `slices` says which slices were taken and what picked them, `pictures` what
    was sent, in order, `mask` whose labels are drawn into them, `notes` what
    was left out and why. `ablation` names what was changed on purpose, None
    for the ask as it is. `style` says how the words were put, None in records
    that kept only the words.
    """

    id: str
    time: str
    case: str
    question_id: str
    stem: str
    options: tuple[str, ...]
    category: str | None
    truth: int | None
    order: Order
    ordering: str
    letters: tuple[str, ...]
    representation: str
    settings: PictureSettings
    slices: Mapping[str, Any]
    pictures: tuple[Mapping[str, Any], ...]
    mask: str | None
    notes: tuple[str, ...]
    prompt: str
    model: str
    revision: str | None
    dtype: str | None
    asked: Asked
    generation: Mapping[str, Any] | None
    answer: Answer
    scores: ByOption | None
    raw: str
    thinking: str | None
    finish: Finish
    error: str | None
    tokens: int
    seconds: float
    score: Score
    substring_grade: bool | None
    ablation: str | None = None
    style: PromptStyle | None = None

    @property
    def key(self) -> str:
        """The ask's name: equal for two records that asked the same of the same model."""
        return AskIdentity(
            case=self.case,
            question_id=self.question_id,
            prompt=self.prompt,
            pictures=[picture["sha256"] for picture in self.pictures],
            representation=self.representation,
            letters=self.letters,
            order=self.order,
            ordering=self.ordering,
            model=(self.model, self.revision, self.dtype),
            generation=self.generation,
            asked=self.asked,
        ).key

    def to_json(self) -> dict[str, Any]:
        """The command line's document; `from_json` gives the record back."""
        truth = self.truth
        scores = self.scores
        document = {
            **asdict(self),
            "key": self.key,
            "probabilities": scores.probabilities if scores else None,
            "word_probabilities": scores.word_probabilities if scores else None,
            "letter_mass": scores.letter_mass if scores else None,
            "truth": None if truth is None else {"index": truth, "text": self.options[truth]},
            "pictures": [picture["sha256"] for picture in self.pictures],
            "picture_details": self.pictures,
        }
        plain: dict[str, Any] = _plain(document)
        return plain


def record_from_json(values: Mapping[str, Any]) -> Record:
    """A record from its JSON; `BadRecord` names what is missing or wrong."""
    try:
        record = Record(**_fields(values))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadRecord(
            f"Expected a record with all its fields, got one without {error}; "
            "it was written by another version or edited by hand."
        ) from error
    wrong = faults(record)
    if wrong:
        raise BadRecord(
            f"Expected a record with {' and '.join(wrong)}, got another; "
            "it was written by another version or edited by hand."
        )
    return record


def _fields(values: Mapping[str, Any]) -> dict[str, Any]:
    names = Record.__dataclass_fields__
    fields = {name: value for name, value in values.items() if name in names}
    truth, scores = values["truth"], values["scores"]
    return {
        **fields,
        "options": tuple(values["options"]),
        "truth": None if truth is None else truth["index"],
        "order": tuple(values["order"]),
        "letters": tuple(values["letters"]),
        "settings": PictureSettings(**values["settings"]),
        "style": PromptStyle(**values["style"]) if values.get("style") else None,
        "pictures": tuple(values["picture_details"]),
        "notes": tuple(values["notes"]),
        "asked": Asked(**values["asked"]),
        "answer": Answer(**values["answer"]),
        "scores": None if scores is None else _scores(scores),
    }


def _scores(values: Mapping[str, Any]) -> ByOption:
    words = values["word_probabilities"]
    return ByOption(
        tuple(values["probabilities"]),
        values["letter_mass"],
        None if words is None else tuple(words),
    )


def _plain(value: Any) -> Any:
    """Lists and dicts all the way down, as JSON reads them back."""
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, tuple | list) else value
