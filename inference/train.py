"""Train, export and measure the embedded demonstration VLM.

    python -m inference.train draw     --studies DIR --count N     draw synthetic studies
    python -m inference.train fit      --studies DIR --run DIR     train, resuming what is there
    python -m inference.train export   --run DIR --out DIR         write the model's folder
    python -m inference.train evaluate --model NAME --studies DIR  print the table of figures

`fit --quick` trains a few steps of a tiny model on a handful of studies.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from viewer.errors import UserError


class NothingToMeasure(UserError):
    """An evaluation without studies."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 done, 2 the caller's mistake."""
    parser = argparse.ArgumentParser(
        prog="python -m inference.train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw", help="draw synthetic studies to a folder")
    draw.add_argument("--studies", type=Path, required=True)
    draw.add_argument("--first", type=int, default=0, help="seed of the first study")
    draw.add_argument("--count", type=int, default=4000)
    draw.set_defaults(run=_draw)
    fit = commands.add_parser("fit", help="train; goes on from the run's checkpoint")
    fit.add_argument("--studies", type=Path, required=True)
    fit.add_argument("--run", dest="folder", type=Path, required=True)
    fit.add_argument("--start-from", type=Path, help="folder of an exported model to begin with")
    fit.add_argument("--steps", type=int, default=8000)
    fit.add_argument("--look", type=int, default=1500, help="first steps, of vision alone")
    fit.add_argument("--read", type=int, default=100, help="then steps of pictures, no question")
    fit.add_argument("--stated", type=float, default=0.25, help="share of steps without pictures")
    fit.add_argument("--fall", type=int, default=1500, help="last steps, with a falling rate")
    fit.add_argument("--rate", type=float, default=1.6e-3)
    fit.add_argument("--batch", type=int, default=4, help="lessons a step")
    fit.add_argument("--questions", type=int, default=8, help="questions a lesson")
    fit.add_argument("--threads", type=int, default=1)
    fit.add_argument("--seed", type=int, default=0)
    fit.add_argument("--quick", action="store_true", help="tiny model, for a test")
    fit.set_defaults(run=_fit)
    export = commands.add_parser("export", help="write a run's averaged weights as a model folder")
    export.add_argument("--run", dest="folder", type=Path, required=True)
    export.add_argument("--out", type=Path, required=True)
    export.add_argument("--seed", type=int, default=0)
    export.set_defaults(run=_export)
    evaluate = commands.add_parser("evaluate", help="print the table of figures")
    evaluate.add_argument("--model", default="demo-gemma3-vlm")
    evaluate.add_argument("--studies", type=Path, help="where held-out studies were drawn to")
    evaluate.add_argument("--count", type=int, default=300, help="most of them to measure with")
    evaluate.add_argument("--data", type=Path, nargs="*", help="real studies instead")
    evaluate.add_argument("--questions", type=Path, nargs="*", default=[])
    evaluate.add_argument("--representations", nargs="*", help="the first is shown by kind")
    evaluate.add_argument("--threads", type=int, default=1)
    evaluate.set_defaults(run=_evaluate)
    chosen = parser.parse_args(arguments)
    try:
        chosen.run(chosen)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _draw(chosen: argparse.Namespace) -> None:
    from inference.models.table import DEMO_PICTURES
    from inference.training.rendering import (
        FIRST_HELD_OUT,
        held_out_plan,
        plan_of,
        render_many,
    )
    from inference.training.shards import save_shard, shard_path

    plan = held_out_plan if chosen.first >= FIRST_HELD_OUT else plan_of
    seeds = range(chosen.first, chosen.first + chosen.count)
    chosen.studies.mkdir(parents=True, exist_ok=True)
    missing = [plan(seed) for seed in seeds if not shard_path(chosen.studies, seed).exists()]
    for shard in render_many(missing, DEMO_PICTURES):
        save_shard(chosen.studies, shard)


def _fit(chosen: argparse.Namespace) -> None:
    from inference.training.run import fit

    fit(chosen)


def _evaluate(chosen: argparse.Namespace) -> None:
    from inference.training.measuring import measure, measure_files

    if chosen.data:
        measure_files(chosen)
    elif chosen.studies:
        measure(chosen)
    else:
        raise NothingToMeasure(
            "Expected --studies or --data to measure with, got neither; give one."
        )


def _export(chosen: argparse.Namespace) -> None:
    from inference.training.run import export_run

    export_run(chosen.folder, chosen.out, chosen.seed)


if __name__ == "__main__":
    sys.exit(main())
