"""Figures of one model: on held-out synthetic studies, or on real ones with a question file."""

from __future__ import annotations

from argparse import Namespace
from random import Random

from inference.host import ModelHost
from inference.matching import questions_about
from inference.models.table import model_entry
from inference.question_files import read_questions
from inference.question_kinds import kind_of
from inference.questions import together
from inference.study_views import view_of_study
from inference.training.figures import Asked, balanced, questions_of, spread, table
from inference.training.rendering import FIRST_HELD_OUT, SPACING_MM, held_out_plan, study_view
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies
from viewer.synthesis import load_anatomy, synthesise

REPRESENTATIONS = (
    "multi-slice",
    "single-slice",
    "montage",
    "multi-montage",
    "volume",
    "blank",
    "text-only",
)
CYCLIC = 400
"""Questions asked in all four cyclic orders."""

CACHE_BYTES = 2_000_000_000


def measure(chosen: Namespace) -> None:
    """The table on held-out synthetic studies, then the spread over cyclic orders."""
    import torch

    torch.set_num_threads(chosen.threads)
    asked = balanced(held_out_questions(chosen.count))
    host = ModelHost()
    model, entry = host.load(chosen.model), model_entry(chosen.model)
    print(f"{model.name}, {model.revision}, {model.dtype}; {chosen.count} held-out studies")
    table(model, entry, asked, chosen.representations or REPRESENTATIONS, print)
    some = Random(0).sample(asked, min(CYCLIC, len(asked)))
    some.sort(key=lambda each: each.view.study_id)
    spread(model, entry, some, "multi-slice", print)


def held_out_questions(count: int) -> list[Asked]:
    """Every usable question about `count` studies that no training has seen."""
    anatomy = load_anatomy(SPACING_MM)
    asked = []
    for seed in range(FIRST_HELD_OUT, FIRST_HELD_OUT + count):
        plan = held_out_plan(seed)
        study = synthesise(
            seed,
            spacing_mm=SPACING_MM,
            contrast=plan.contrast,
            sequences=plan.sequences,
            anatomy=anatomy,
        )
        asked += questions_of(study_view(f"held-out-{seed}", study), study.facts, seed)
    return asked


def measure_files(chosen: Namespace) -> None:
    """The table on the studies in `--data` and the questions in `--questions`."""
    import torch

    torch.set_num_threads(chosen.threads)
    studies = find_studies(chosen.data).studies
    questions = together([read_questions(file) for file in chosen.questions]).questions
    cache = ArrayCache(CACHE_BYTES)
    asked = []
    for study in studies:
        own = questions_about(study.id, questions)
        view = view_of_study(study, cache) if own else None
        for question in own:
            kind = kind_of(question.stem)
            if view is not None and kind is not None and question.answer is not None:
                answer = question.options[question.answer]
                asked.append(Asked(view, question, kind.name, answer))
    host = ModelHost()
    model, entry = host.load(chosen.model), model_entry(chosen.model)
    print(f"{model.name}, {model.revision}, {model.dtype}; {len(studies)} studies")
    table(model, entry, asked, chosen.representations or REPRESENTATIONS, print)
    spread(model, entry, asked, "multi-slice", print)
