"""One training run: studies from a folder, log and checkpoints in another."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path

import torch

from inference.training.architecture import DEMO_SHAPE, TINY_SHAPE
from inference.training.curriculum import Curriculum
from inference.training.lessons import Writer
from inference.training.loop import (
    Schedule,
    Trainee,
    export,
    log_line,
    new_trainee,
    resumed,
    save_checkpoint,
    started_from,
    train,
)
from inference.training.objective import Losses
from inference.training.rendering import FIRST_HELD_OUT
from inference.training.shards import NoStudies, load_shard
from viewer.errors import UserError

SAVE_EVERY = 25
LOOK_EVERY = 50
"""Steps between two looks for studies that were drawn meanwhile."""


class NoRun(UserError):
    """A folder without a checkpoint to export."""


def fit(chosen: Namespace) -> None:
    """Train as the command line says; goes on where the run's folder left off."""
    torch.set_num_threads(chosen.threads)
    trainee = resumed(chosen.folder, chosen.seed)
    if trainee is None:
        trainee = _begun(chosen)
        save_checkpoint(trainee, chosen.folder)
    curriculum = Curriculum(
        Writer(trainee.processor),
        look=chosen.look,
        read=chosen.read,
        stated=chosen.stated,
        batch=chosen.batch,
        questions=chosen.questions,
    )
    known: set[Path] = set()
    add_new_studies(curriculum, chosen.studies, known)
    if not known:
        raise NoStudies(
            f"Expected drawn studies in {chosen.studies}, found none; draw some first with "
            "python -m inference.train draw."
        )
    started = time.monotonic()
    with (chosen.folder / "log.jsonl").open("a", encoding="utf-8") as log:

        def report(step: int, kind: str, loss: Losses) -> None:
            log.write(log_line(step, kind, loss, time.monotonic() - started) + "\n")
            log.flush()

        schedule = Schedule(chosen.steps, chosen.rate, fall=chosen.fall, look=chosen.look)
        for step in train(trainee, curriculum, schedule, chosen.seed, report):
            if step % LOOK_EVERY == 0:
                add_new_studies(curriculum, chosen.studies, known)
            if step % SAVE_EVERY == 0:
                save_checkpoint(trainee, chosen.folder)
    save_checkpoint(trainee, chosen.folder)


def _begun(chosen: Namespace) -> Trainee:
    if chosen.start_from is not None:
        return started_from(chosen.start_from, chosen.seed)
    return new_trainee(TINY_SHAPE if chosen.quick else DEMO_SHAPE, chosen.seed)


def add_new_studies(curriculum: Curriculum, folder: Path, known: set[Path]) -> None:
    """Read the studies that are in `folder` and not in `known`; never those held out."""
    drawn = [file for file in folder.glob("*.npz") if file.stem.isdigit()]
    new = [f for f in sorted(drawn) if f not in known and int(f.stem) < FIRST_HELD_OUT]
    known.update(new)
    if new:
        curriculum.add([load_shard(file) for file in new])


def export_run(folder: Path, out: Path, seed: int) -> None:
    """Write the model folder of a run; `NoRun` where nothing was trained."""
    trainee = resumed(folder, seed)
    if trainee is None:
        raise NoRun(
            f"Expected the checkpoint of a run in {folder}, found none; train one with "
            "python -m inference.train fit."
        )
    export(trainee, out)
