"""Figures of one model: on held-out synthetic studies, or on real ones with a question file."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path
from random import Random

from inference.host import ModelHost
from inference.matching import questions_about
from inference.models.table import ModelEntry, model_entry
from inference.pictures import Picture
from inference.question_files import read_questions
from inference.question_kinds import kind_of
from inference.questions import together
from inference.representations import represent
from inference.study_views import StudyView, view_of_study
from inference.training.figures import Asked, balanced, questions_of, replies, spread, table
from inference.training.rendering import FIRST_HELD_OUT, shown
from inference.training.shards import NoStudies, Shard, load_shard, shard_path
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies

REPRESENTATIONS = (
    "multi-slice",
    "single-slice",
    "montage",
    "multi-montage",
    "volume",
    "blank",
    "text-only",
)
ORDERED = "multi-slice"
"""The representation that is asked in all orders and for free replies."""

FREE = 60
"""Questions asked for a free reply; all are asked in all four cyclic orders."""

CACHE_BYTES = 2_000_000_000


def measure(chosen: Namespace) -> None:
    """The table on the drawn held-out studies, then the spread over orders and free replies."""
    import torch

    torch.set_num_threads(chosen.threads)
    shards = held_out_shards(chosen.studies, chosen.count)
    asked = balanced([each for shard in shards for each in _asked_of(shard)])
    host = ModelHost()
    model, entry = host.load(chosen.model), model_entry(chosen.model)
    print(f"{model.name}, {model.revision}, {model.dtype}; {len(shards)} held-out studies")
    names = chosen.representations or REPRESENTATIONS
    table(model, entry, asked, names, print)
    if ORDERED not in names:
        return
    spread(model, entry, asked, ORDERED, print)
    replies(model, entry, Random(1).sample(asked, min(FREE, len(asked))), ORDERED, print)


def held_out_shards(folder: Path, count: int) -> list[Shard]:
    """The first `count` studies drawn to `folder` that no training sees; else `NoStudies`."""
    files = [shard_path(folder, FIRST_HELD_OUT + n) for n in range(count)]
    shards = [load_shard(file) for file in files if file.is_file()]
    if not shards:
        raise NoStudies(
            f"Expected drawn studies from seed {FIRST_HELD_OUT} on in {folder}, found none; draw "
            f"some first with python -m inference.train draw --first {FIRST_HELD_OUT}."
        )
    return shards


def _asked_of(shard: Shard) -> list[Asked]:
    return questions_of(partial(shown, shard), shard.lesion, shard.seed)


def measure_files(chosen: Namespace) -> None:
    """The table on the studies in `--data` and the questions in `--questions`."""
    import torch

    torch.set_num_threads(chosen.threads)
    studies = find_studies(chosen.data).studies
    questions = together([read_questions(file) for file in chosen.questions]).questions
    cache = ArrayCache(CACHE_BYTES)
    host = ModelHost()
    model, entry = host.load(chosen.model), model_entry(chosen.model)
    asked = []
    for study in studies:
        own = questions_about(study.id, questions)
        if not own:
            continue
        show = partial(_drawn, view_of_study(study, cache), entry)
        for question in own:
            kind = kind_of(question.stem)
            if kind is not None and question.answer is not None:
                answer = question.options[question.answer]
                asked.append(Asked(show, question, kind.name, answer))
    print(f"{model.name}, {model.revision}, {model.dtype}; {len(studies)} studies")
    names = chosen.representations or REPRESENTATIONS
    table(model, entry, asked, names, print)
    if ORDERED in names:
        spread(model, entry, asked, ORDERED, print)
        replies(model, entry, asked, ORDERED, print)


def _drawn(view: StudyView, entry: ModelEntry, representation: str) -> tuple[Picture, ...]:
    return represent(representation, view, entry.pictures, entry.max_pictures)
