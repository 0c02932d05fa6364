"""What is about to be sent: pictures, words, and the settings behind them.

It is made apart from asking so that the page can show it first and then send
exactly that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from inference.coverage import left_out
from inference.models.protocol import GenerationSettings
from inference.orders import Order
from inference.pictures import Picture, PictureSettings
from inference.prompts import Prompt, PromptStyle, build_prompt
from inference.questions import Question
from inference.representations import represent, representation_named
from inference.slices import ChosenSlices, SliceChoice
from inference.study_views import StudyView


@dataclass(frozen=True)
class AskSettings:
    """How to ask. `score` reads option probabilities, `generate` lets the model write.

    `words` scores the options' own words too. `slices` says which mask picks
    the slices.
    """

    pictures: PictureSettings = field(default_factory=PictureSettings)
    style: PromptStyle = field(default_factory=PromptStyle)
    generation: GenerationSettings = field(default_factory=GenerationSettings)
    score: bool = True
    generate: bool = True
    words: bool = False
    slices: SliceChoice = "auto"


@dataclass(frozen=True, eq=False)
class Prepared:
    """What is about to be sent, whole: the page shows it, `send` sends it.

    `notes` say what was left out of the pictures and why; `mask` names the
    label map that is drawn into them, None where none is. `ordering` is what
    the order of the options is called, `ablation` what was changed on purpose
    (`inference.ablations`); `question` is the unchanged one all the same, and
    `judged_by` has another right option where the change asks for one.
    """

    study_id: str
    question: Question
    representation: str
    pictures: tuple[Picture, ...]
    prompt: Prompt
    slices: ChosenSlices
    settings: AskSettings
    notes: tuple[str, ...] = ()
    mask: str | None = None
    ordering: str = ""
    ablation: str | None = None
    judged_by: Question | None = None

    @property
    def judged(self) -> Question:
        """The question with the option that is right for what is sent."""
        return self.judged_by or self.question


def prepare(
    view: StudyView,
    question: Question,
    order: Order,
    representation: str,
    settings: AskSettings,
    max_pictures: int | None = None,
    ordering: str = "",
) -> Prepared:
    """Draw the pictures and write the prompt. Raises what `represent` and `build_prompt` raise."""
    pictures = represent(representation, view, settings.pictures, max_pictures)
    prompt = build_prompt(question, order, pictures, settings.style)
    labels = view.labels() if any(picture.includes_mask for picture in pictures) else None
    return Prepared(
        study_id=view.study_id,
        question=question,
        representation=representation,
        pictures=pictures,
        prompt=prompt,
        slices=view.slices,
        settings=settings,
        notes=left_out(view, representation_named(representation).planes, settings.pictures),
        mask=labels.source if labels is not None else None,
        ordering=ordering,
    )


def with_question(
    drawn: Prepared, question: Question, order: Order, settings: AskSettings, ordering: str = ""
) -> Prepared:
    """The same pictures under other words: a study is drawn once for all its questions.

    `settings` may differ in how to ask, not in how to draw.
    """
    return replace(
        drawn,
        question=question,
        prompt=build_prompt(question, order, drawn.pictures, settings.style),
        settings=settings,
        ordering=ordering,
    )
