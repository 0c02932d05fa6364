"""What the rows of `inference.ablations` change before the pictures are drawn."""

from __future__ import annotations

from dataclasses import replace

from inference.ablated_pictures import published_pictures, published_settings
from inference.ablation_setup import Setup
from inference.orders import shuffled_order
from inference.pictures import Picture, PictureSettings
from viewer.planes import Convention

RESHUFFLE_SEED = 1
OTHER_SIDE: dict[Convention, Convention] = {
    "radiological": "neurological",
    "neurological": "radiological",
}

Pictures = tuple[Picture, ...]


def without_picture(setup: Setup, variant: str) -> Setup:
    """No picture at all."""
    return replace(setup, representation="text-only")


def of_other_study(setup: Setup, variant: str) -> Setup:
    """The pictures of another study; the question stays."""
    assert setup.view_of is not None
    return replace(setup, view=setup.view_of(variant))


def mirrored(setup: Setup, variant: str) -> Setup:
    """Drawn from the other side of the patient, with letters nowhere."""
    mirror = replace(on_the_other_side(setup.settings.pictures), edge_letters=False)
    return replace(setup, settings=replace(setup.settings, pictures=mirror))


def on_the_other_side(settings: PictureSettings) -> PictureSettings:
    """Patient right where patient left was."""
    return replace(settings, convention=OTHER_SIDE[settings.convention])


def as_if_not_mirrored(pictures: Pictures, changed: Setup) -> Pictures:
    """The sentence about sides and the captions stay what they were."""
    stated = OTHER_SIDE[changed.settings.pictures.convention]
    return tuple(replace(picture, convention=stated) for picture in pictures)


def reshuffled(setup: Setup, variant: str) -> Setup:
    """The options in a random order."""
    question = setup.question
    order = shuffled_order(len(question.options), RESHUFFLE_SEED, question.id)
    return replace(setup, order=order, ordering=str(RESHUFFLE_SEED))


def with_masks(setup: Setup, variant: str) -> Setup:
    """The mask painted into the pictures."""
    pictures = replace(setup.settings.pictures, include_masks=True)
    return replace(setup, settings=replace(setup.settings, pictures=pictures))


def without_captions(setup: Setup, variant: str) -> Setup:
    """No caption between the pictures."""
    pictures = replace(setup.settings.pictures, captions=False)
    return replace(setup, settings=replace(setup.settings, pictures=pictures))


def leaving_out(setup: Setup, variant: str) -> Setup:
    """Every sequence but `variant`."""
    left = tuple(name for name in setup.view.sequences if name != variant)
    return replace(setup, view=replace(setup.view, sequences=left))


def alone(setup: Setup, variant: str) -> Setup:
    """The sequence `variant` and no other."""
    pictures = replace(setup.settings.pictures, sequence=variant)
    view = replace(setup.view, sequences=(variant,))
    return replace(setup, view=view, settings=replace(setup.settings, pictures=pictures))


def as_published(setup: Setup, variant: str) -> Setup:
    """Whole slices without captions, patient right on image right, no word about sides."""
    settings = setup.settings
    return replace(
        setup,
        representation="single-slice",
        settings=replace(
            settings,
            pictures=published_settings(settings.pictures),
            style=replace(settings.style, say_sides=False),
        ),
    )


def published(pictures: Pictures, changed: Setup) -> Pictures:
    """One slice of every file, the mask among them."""
    return published_pictures(changed.view, changed.settings.pictures)
