"""The command line of pictures: what `render` and `ask` take, and the choices that it makes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.command_line import real
from viewer.errors import BadSetting

if TYPE_CHECKING:
    from inference.choices import Choices
    from inference.slices import SliceChoice

Arguments = argparse.Namespace

SLICE_SOURCES = ("auto", "expert", "predicted", "centre", "user")


def takes_pictures(parser: argparse.ArgumentParser) -> None:
    """Arguments that say which pictures of which study."""
    add = parser.add_argument
    add("--json", action="store_true", help="print one JSON document")
    add("--case", required=True, metavar="ID", help="the study")
    add("--representation", required=True, metavar="NAME")
    add("--convention", choices=("radiological", "neurological"), default=None)
    add("--model", default=None, help="whose picture settings to use")
    add("--slice-from", choices=SLICE_SOURCES, default=None)
    add(
        "--slice-mm", nargs=3, type=real(), default=None, metavar=("X", "Y", "Z"),
        help="a point of your own, in world mm (RAS+), that the slices pass through",
    )  # fmt: skip
    add("--include-masks", action="store_true", help="draw the mask into pictures")


def takes_render(parser: argparse.ArgumentParser) -> None:
    """Arguments of `render`."""
    takes_pictures(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")


def takes_ask(parser: argparse.ArgumentParser) -> None:
    """Arguments of `ask`, but for the question files."""
    takes_pictures(parser)
    parser.add_argument("--question", required=True, metavar="N", help="id, or #N for the N-th")
    parser.add_argument("--order", default="original", help="original, shuffled, or a seed")


def choices_of(arguments: Arguments, question: str = "", order: str = "original") -> Choices:
    """The choices that the arguments name; `BadSetting` where they contradict each other."""
    from inference.choices import Choices
    from inference.models.table import DEFAULT_MODEL

    own = arguments.slice_mm is not None
    slice_from: SliceChoice = arguments.slice_from or ("user" if own else "auto")
    if own != (slice_from == "user"):
        raise BadSetting(
            f"Expected --slice-mm X Y Z together with --slice-from user, got --slice-from "
            f"{slice_from} {'with' if own else 'without'} --slice-mm; "
            f"{'leave one of them out' if own else 'add the point'}."
        )
    return Choices(
        study_id=arguments.case,
        question_id=question,
        representation=arguments.representation,
        model=arguments.model or DEFAULT_MODEL,
        order=order,
        slice_from=slice_from,
        at_mm=tuple(arguments.slice_mm) if own else None,
        include_masks=arguments.include_masks,
        convention=arguments.convention,
    )
