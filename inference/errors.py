"""What can go wrong between a question and its answer, drawn once.

UserError
├── UnreadableQuestions     a question file that cannot be read as one
├── UnknownQuestion         a question id that the files do not hold
├── UnusableQuestion        a row kept for the record that cannot be asked
├── NothingToAsk            a run without one ask that can be made
├── BadOrder                an order that is no permutation of the options
├── MissingSequence         a representation wants a sequence the study lacks
├── OutsideSequence         the chosen slice lies outside the sequence to be drawn
├── TooManyPictures         more pictures than the model takes
├── NoMask                  a mask was asked for and there is none
├── UnfitAblation           an ablation that this ask, study or question cannot have
├── NoSlice                 a slice of the user's choice was asked for and none was chosen
├── BadRecord               a stored record that cannot be read back
├── NoDatabase              the records' database cannot be opened
├── DatabaseFault           the records' database failed while it was in use
├── NotWorking              something that the application needs does not work here
├── LeftTheLine             somebody cancelled before their turn came
├── NotKept                 an answer that came, and could not be written down
├── ModelKeepsFailing       a run whose model fails at every ask
├── UnfitFile               a file that records cannot be written to or read from
├── BadConventions          a picture setting out of its range
├── BadReview               a review with an unknown tag, score or no reviewer
└── BadReading              a reader study, or a reader's answer, that cannot be kept
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.errors import UserError

if TYPE_CHECKING:
    from inference.records import Record


class UnreadableQuestions(UserError):
    """A question file that cannot be read as CSV or JSONL with the known columns."""


class UnknownQuestion(UserError):
    """A question id that the loaded files do not hold."""


class UnusableQuestion(UserError):
    """A question without options, which cannot be asked."""


class NothingToAsk(UserError):
    """A run without one ask that can be made."""


class BadOrder(UserError):
    """An order that is not a permutation of the question's options."""


class MissingSequence(UserError):
    """A representation wants a sequence that the study does not have."""


class OutsideSequence(UserError):
    """The slice that was chosen lies outside the sequence that is to be drawn."""


class TooManyPictures(UserError):
    """A representation has more pictures than the model takes."""


class NoMask(UserError):
    """A mask was asked for and the study has none of that kind."""


class UnfitAblation(UserError):
    """An ablation that this ask, study or question cannot have."""


class NoSlice(UserError):
    """A slice of the user's own choice was asked for before one was chosen."""


class BadRecord(UserError):
    """A stored record that cannot be read back."""


class NoDatabase(UserError):
    """The database of the records cannot be opened."""


class DatabaseFault(UserError):
    """The database of the records failed in use: full, locked, read-only, damaged or gone."""


class NotWorking(UserError):
    """Something that the application cannot do without does not work on this machine."""


class LeftTheLine(UserError):
    """Somebody who waited for a model cancelled before their turn came."""


class NotKept(UserError):
    """An answer that came but could not be written down; `record` still holds it."""

    def __init__(self, sentence: str, record: Record) -> None:
        super().__init__(sentence)
        self.record = record


class ModelKeepsFailing(UserError):
    """A run was given up because ask after ask failed."""


class UnfitFile(UserError):
    """A file that records cannot be written to, or answers be read from."""


class BadReview(UserError):
    """A review without a reviewer, or with a tag or score that is none."""


class BadReading(UserError):
    """A reader study that cannot be made or found, or a reader's answer that cannot be kept."""


class BadConventions(UserError):
    """A setting of a model's pictures that is out of its range."""
