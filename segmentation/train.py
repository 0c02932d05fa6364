"""Train, continue, export and measure the embedded Swin-UNETR.

python -m segmentation.train --data DIR --cases ID ID --run FOLDER       train
python -m segmentation.train … --resume --export assets/demo-swin-unetr  continue, write weights
python -m segmentation.train --evaluate DIR [--cases ID …]               the table of figures
python -m segmentation.train --quick --run FOLDER                        a few steps, no data
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.errors import UserError

if TYPE_CHECKING:
    from torch import Tensor

    from segmentation.training.loop import Schedule
    from segmentation.training.mixture import Maker
    from segmentation.training.specimen import Specimen

PATCH = (64, 64, 64)
QUICK_STEPS = 2
QUICK_SPACING_MM = 4.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line: 0 done, 2 the caller's mistake."""
    arguments = _parser().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        if arguments.evaluate:
            _evaluate(arguments)
        else:
            _train(arguments)
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m segmentation.train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, action="append", default=[], help="folder with real studies")
    add("--cases", nargs="+", default=[], help="ids to train on or to evaluate; default: all")
    add("--run", type=Path, default=Path("run"), help="folder of the checkpoint")
    add("--steps", type=int, default=2600, help="length of the schedule")
    add("--patch", type=int, nargs=3, default=PATCH, help="voxels of a patch, multiples of 32")
    add("--batch", type=int, default=1, help="patches a step")
    add("--rate", type=float, default=1e-3, help="highest learning rate")
    add("--resume", action="store_true", help="continue from the checkpoint in --run")
    add("--start-from", metavar="WEIGHTS", help="begin with weights by name or path")
    add("--no-synthetic", action="store_true", help="real brains only")
    add("--seed", type=int, default=0)
    add("--threads", type=int, default=1)
    add("--bfloat16", action="store_true", help="faster on processors that have it")
    add("--export", type=Path, metavar="FOLDER", help="write the averaged weights there")
    add("--evaluate", type=Path, metavar="DIR", help="measure on the studies below DIR")
    add("--weights", default="demo-swin-unetr", help="what to evaluate, by name or path")
    add("--quick", action="store_true", help="a few small steps, to see that it runs")
    return parser


def _train(arguments: argparse.Namespace) -> None:
    import numpy as np
    import torch

    from segmentation.network import build_network
    from segmentation.training.export import DEMO, export
    from segmentation.training.loop import Trainee, train
    from segmentation.training.mixture import ingredients, stream

    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    schedule = _schedule(arguments)
    trainee = Trainee(build_network(DEMO), schedule)
    if arguments.resume:
        trainee.restore(arguments.run)
    elif arguments.start_from:
        trainee.start_from(_state_of(arguments.start_from))
    if trainee.step < schedule.steps:
        rng = np.random.default_rng([arguments.seed, trainee.step])
        table = ingredients(_real(arguments), _synthetic(arguments))
        i, j, k = arguments.patch
        train(trainee, stream(table, (i, j, k), rng), schedule, arguments.run)
    if arguments.export:
        export(trainee.average, arguments.export)


def _schedule(arguments: argparse.Namespace) -> Schedule:
    from segmentation.training.loop import Schedule

    schedule = Schedule(
        steps=arguments.steps,
        batch=arguments.batch,
        rate=arguments.rate,
        bfloat16=arguments.bfloat16,
    )
    return replace(schedule, steps=QUICK_STEPS) if arguments.quick else schedule


def _state_of(name: str) -> dict[str, Tensor]:
    from segmentation.network import load_network
    from segmentation.weights import find_weights

    return load_network(find_weights(name)).state_dict()


def _real(arguments: argparse.Namespace) -> list[Specimen]:
    from segmentation.training.cases import specimen_of, studies_with_masks
    from segmentation.training.export import DEMO

    if not arguments.data:
        return []
    return [specimen_of(s, DEMO) for s in studies_with_masks(arguments.data, arguments.cases)]


def _synthetic(arguments: argparse.Namespace) -> Maker | None:
    from segmentation.training.export import DEMO
    from segmentation.training.synthetic import SyntheticBrains

    if arguments.no_synthetic:
        return None
    return SyntheticBrains(QUICK_SPACING_MM if arguments.quick else DEMO.spacing_mm[0])


def _evaluate(arguments: argparse.Namespace) -> None:
    import torch

    from segmentation.training.evaluation import evaluate, table
    from segmentation.weights import find_weights

    torch.set_num_threads(arguments.threads)
    rows = evaluate([arguments.evaluate], arguments.cases, find_weights(arguments.weights))
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    sys.exit(main())
