"""What one running application shares, and the way from a user's choices to a record.

The page and the command line both ask through a `Desk`, so that they send the
same pictures and the same words.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from inference.ask import send
from inference.choices import Choices, order_of
from inference.errors import NotKept, UnknownQuestion
from inference.host import ModelHost
from inference.matching import questions_about
from inference.models.protocol import Cancelled, OnText, Progress
from inference.own_questions import OwnQuestions
from inference.pictures import Picture
from inference.preparation import Prepared, prepare
from inference.questions import Question, QuestionSet
from inference.record_store import RecordStore
from inference.records import Record
from inference.representations import represent
from inference.study_views import StudyView, view_of_study
from segmentation.store import MaskStore
from viewer.arrays import LabelMap
from viewer.cache import ArrayCache
from viewer.catalogue import Catalogue
from viewer.errors import UserError
from viewer.session_files import SessionFiles
from viewer.study import Study


@dataclass(frozen=True)
class Desk:
    """The catalogue, the questions about it, and what is kept between asks.

    `session_files` are the studies that open pages brought themselves, `own` the
    questions that were typed there.
    """

    catalogue: Catalogue
    questions: QuestionSet
    cache: ArrayCache
    masks: MaskStore
    host: ModelHost
    records: RecordStore
    session_files: SessionFiles | None = None
    own: OwnQuestions = field(default_factory=OwnQuestions)

    def study(self, study_id: str) -> Study:
        """The study of that id: of the catalogue, or one that a session opened itself."""
        opened = self.session_files.study(study_id) if self.session_files else None
        return opened or self.catalogue.study(study_id)

    def questions_about(self, study_id: str) -> tuple[Question, ...]:
        """The study's questions, in the order of their files."""
        return questions_about(study_id, self.questions.questions)

    def question(self, study_id: str, name: str) -> Question:
        """The study's question of that id, or its N-th as "#N"; `UnknownQuestion` lists the ids."""
        typed = self.own.find(self.study(study_id).id, name)
        if typed is not None:
            return typed
        about = self.questions_about(self.study(study_id).id)
        by_name = {question.id: question for question in about}
        by_name |= {f"#{n}": question for n, question in enumerate(about, start=1)}
        if name not in by_name:
            ids = ", ".join(question.id for question in about) or "none"
            raise UnknownQuestion(
                f"Expected a question about {study_id} (ids: {ids}), got {name!r}; give one of "
                f"the ids or #1 to #{len(about)}."
            )
        return by_name[name]

    def predicted(self, study: Study) -> LabelMap | None:
        """The network's mask of the study where one was made."""
        return self.masks.predicted(study)

    def view(self, choices: Choices) -> StudyView:
        """The study as the representation reads it."""
        study = self.study(choices.study_id)
        return view_of_study(
            study, self.cache, choices.slice_from, self.predicted(study), choices.at_mm
        )

    def pictures(self, choices: Choices) -> tuple[Picture, ...]:
        """The pictures alone, whatever is asked about them."""
        return represent(
            choices.representation,
            self.view(choices),
            choices.settings(),
            choices.entry().max_pictures,
        )

    def prepare(self, choices: Choices) -> Prepared:
        """The very pictures and words that `ask` sends."""
        question = self.question(choices.study_id, choices.question_id)
        return prepare(
            self.view(choices),
            question,
            order_of(question, choices.order),
            choices.representation,
            choices.ask_settings(),
            choices.entry().max_pictures,
            choices.order,
        )

    def ask(
        self,
        choices: Choices,
        on_text: OnText = lambda text: None,
        cancelled: Cancelled = lambda: False,
        progress: Progress = lambda share, text: None,
    ) -> Record:
        """Load the model, send what was prepared, keep the record and its pictures.

        `LeftTheLine` where it was cancelled before its turn came; `NotKept` has the
        record that the disk or the database refused.
        """
        prepared = self.prepare(choices)
        with self.host.serving(choices.model, progress, cancelled) as model:
            record = send(prepared, model, on_text, cancelled)
        try:
            self.records.append(record, prepared.pictures)
        except (UserError, OSError) as error:
            raise NotKept(
                f"The answer came, but it could not be kept in {self.records.folder}: {error}",
                record,
            ) from error
        return record

    def ask_without_picture(
        self, choices: Choices, cancelled: Cancelled = lambda: False
    ) -> list[Record]:
        """The same ask with a black picture and with none, as far as it is not that already."""
        others = [name for name in ("blank", "text-only") if name != choices.representation]
        return [
            self.ask(
                replace(choices, representation=name, include_masks=False), cancelled=cancelled
            )
            for name in others
            if not cancelled()
        ]
