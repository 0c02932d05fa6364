"""Ablations: one ask with one thing changed on purpose, as rows of one table.

A row changes what is drawn (`change`), the pictures that were drawn (`redraw`)
or the words of the question (`reword`), and nothing else; all three are pure.
The record of such an ask keeps the unchanged question and names the row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from inference.ablated_pictures import blackened, scattered
from inference.ablated_words import masked_stem, random_stem, with_finding
from inference.ablation_changes import (
    Pictures,
    alone,
    as_if_not_mirrored,
    as_published,
    leaving_out,
    mirrored,
    of_other_study,
    on_the_other_side,
    published,
    reshuffled,
    with_masks,
    without_captions,
    without_picture,
)
from inference.ablation_setup import (
    Setup,
    Unfit,
    alone_already,
    no_mask,
    no_other,
    nothing_marked,
    one_sequence,
    other_study,
    sequences,
    shows_nothing,
)
from inference.errors import UnfitAblation
from inference.pictures import PictureSettings
from inference.preparation import Prepared, prepare
from inference.prompts import build_prompt
from inference.questions import Question
from inference.representations import check_count
from inference.sides import mirrored_question
from viewer.errors import UnknownName

Touches = Literal["picture", "sequence", "order", "words"]


@dataclass(frozen=True)
class Ablation:
    """A row. `about` is its definition for people, `touches` the evidence it withholds.

    `variants(setup)` are the things it can be done to, e.g. each sequence; one
    empty name where it has no parameter. `undo(settings)` is what a replay starts
    from: picture settings of which `change` makes those of the record. `judge(question)`
    names the option that is right afterwards.
    """

    name: str
    about: str
    touches: Touches
    unfit: Unfit = lambda setup: ""
    variants: Callable[[Setup], tuple[str, ...]] = lambda setup: ("",)
    change: Callable[[Setup, str], Setup] = lambda setup, variant: setup
    redraw: Callable[[Pictures, Setup], Pictures] = lambda pictures, setup: pictures
    reword: Callable[[Question, Setup], Question] = lambda question, setup: question
    undo: Callable[[PictureSettings], PictureSettings] = lambda settings: settings
    judge: Callable[[Question], Question] = lambda question: question

    def prepare(self, setup: Setup, variant: str = "") -> Prepared:
        """What is sent under this row. `UnfitAblation` where it cannot be made."""
        why = self.unfit(setup)
        if not why and variant not in self.variants(setup):
            why = f"{variant!r} is none of {', '.join(self.variants(setup))}"
        if why:
            raise UnfitAblation(
                f"Expected an ask that {self.name} can be done to, but {why}; choose another "
                "representation or study."
            )
        changed = self.change(setup, variant)
        drawn = prepare(
            changed.view,
            setup.question,
            changed.order,
            changed.representation,
            changed.settings,
            setup.max_pictures,
            changed.ordering,
        )
        pictures = self.redraw(drawn.pictures, changed)
        check_count(
            pictures, setup.max_pictures, self.name, setup.view.study_id, "a model that takes more"
        )
        asked = self.reword(setup.question, setup)
        return replace(
            drawn,
            study_id=setup.view.study_id,
            representation=setup.representation,
            pictures=pictures,
            mask=drawn.mask if any(picture.includes_mask for picture in pictures) else None,
            prompt=build_prompt(asked, changed.order, pictures, changed.settings.style),
            ablation=f"{self.name}:{variant}" if variant else self.name,
            judged_by=self.judge(setup.question),
        )


ROWS = (
    Ablation(
        "blank",
        "Every picture black; size, captions and words as they were",
        "picture",
        shows_nothing,
        redraw=lambda pictures, setup: tuple(map(blackened, pictures)),
    ),
    Ablation(
        "text-only",
        "No picture is sent, and no word about pictures",
        "picture",
        shows_nothing,
        change=without_picture,
    ),
    Ablation(
        "noise",
        "Each picture's own pixels in a random order (seed 0): same size, mean and histogram",
        "picture",
        shows_nothing,
        redraw=lambda pictures, setup: tuple(map(scattered, pictures)),
    ),
    Ablation(
        "wrong-study",
        "The same representation of another study, which is named",
        "picture",
        no_other,
        other_study,
        of_other_study,
    ),
    Ablation(
        "mirrored",
        "Axial and coronal pixels flipped left to right; captions and the sentence about sides "
        "unchanged, letters R and L never drawn; where the answer names a side, the other side is "
        "the right one",
        "picture",
        shows_nothing,
        change=mirrored,
        redraw=as_if_not_mirrored,
        undo=on_the_other_side,
        judge=mirrored_question,
    ),
    Ablation(
        "masks-included",
        "The tumor mask painted into the pictures",
        "picture",
        no_mask,
        change=with_masks,
    ),
    Ablation(
        "caption-removed",
        "The captions between the pictures left out; labels inside a montage stay",
        "picture",
        shows_nothing,
        change=without_captions,
    ),
    Ablation(
        "as-published",
        "The published benchmark's picture rules: one axial slice of every file of the study in "
        "alphabetical order (23 where UCSF-PDGM is whole), bias-corrected copies, diffusion series "
        "and masks among them, no captions, 0.5 to 99.5 percentile of each slice, patient right on "
        "image right",
        "picture",
        no_mask,
        change=as_published,
        redraw=published,
    ),
    Ablation(
        "without",
        "One sequence left out",
        "sequence",
        one_sequence,
        sequences,
        leaving_out,
    ),
    Ablation(
        "alone",
        "One sequence alone",
        "sequence",
        alone_already,
        sequences,
        alone,
    ),
    Ablation(
        "reshuffled",
        "The options in a random order (seed 1)",
        "order",
        change=reshuffled,
    ),
    Ablation(
        "stem-masked",
        "Every word of the question as three underscores; the options stay",
        "words",
        reword=lambda question, setup: masked_stem(question),
    ),
    Ablation(
        "stem-random",
        "Every word of the question as random letters of equal length; the options stay",
        "words",
        reword=lambda question, setup: random_stem(question),
    ),
    Ablation(
        "finding-as-text",
        "No picture; the tumor's side, volumes and enhancing share, measured from the mask, are "
        "written before the question",
        "words",
        nothing_marked,
        change=without_picture,
        reword=lambda question, setup: with_finding(question, setup.view),
    ),
)
"""Cyclic orders are no row: they are orders (`inference.orders.cyclic_orders`) of any row."""

ABLATIONS: dict[str, Ablation] = {row.name: row for row in ROWS}


def ablation_named(name: str) -> tuple[Ablation, str]:
    """The row and the variant of "row" or "row:variant"; `UnknownName` lists the rows."""
    row, _, variant = name.partition(":")
    if row not in ABLATIONS:
        raise UnknownName(
            f"Expected an ablation out of {', '.join(ABLATIONS)}, got {name!r}; choose one of them."
        )
    return ABLATIONS[row], variant


def fitting(setup: Setup) -> tuple[str, ...]:
    """The name of every row and variant that can be made of the setup, in the table's order."""
    return tuple(
        f"{row.name}:{variant}" if variant else row.name
        for row in ROWS
        if not row.unfit(setup)
        for variant in row.variants(setup)
    )
