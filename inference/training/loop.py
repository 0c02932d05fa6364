"""The training itself: steps, schedule, averaging, checkpoints; resumable at any step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import torch

from inference.training.architecture import Shape, new_model, shape_of
from inference.training.batches import Tokens, batch_of
from inference.training.corpus import corpus
from inference.training.curriculum import LOOK, Curriculum
from inference.training.norms import use_fast_norms
from inference.training.objective import Helpers, Losses, look_losses, losses
from inference.training.slots import use_slots
from inference.training.vocabulary import new_processor, new_tokenizer

if TYPE_CHECKING:
    from transformers import Gemma3ForConditionalGeneration, Gemma3Processor

PROCESSOR = "processor"
"""Kept beside a run's checkpoint: its words must stay what they were when it began."""

CLIP = 1.0
BETAS = (0.9, 0.98)
DECAY = 0.05
HEADS_RATE = 3e-3
MUON_RATE = 2.0
"""Muon's rate in units of AdamW's."""

AVERAGE = 0.98
"""Weight of the past in the running average of the weights that is exported."""


@dataclass(frozen=True)
class Schedule:
    """Learning rate: up for `warm` steps, level, down to zero over the last `fall`.

    Where the text tower joins, after `look` steps, it rises from zero once more.
    """

    steps: int
    rate: float = 1e-3
    warm: int = 100
    fall: int = 1000
    look: int = 0

    def rate_at(self, step: int) -> float:
        """The rate of that step (0-based)."""
        begun = step - self.look if step >= self.look else step
        rising = min(1.0, (begun + 1) / self.warm)
        return self.rate * min(rising, self._falling(step))

    def heads_rate_at(self, step: int) -> float:
        """That of the helpers' heads, which first have to find what there is to read."""
        return HEADS_RATE * self._falling(step)

    def _falling(self, step: int) -> float:
        return min(1.0, max(0.0, (self.steps - step) / max(1, self.fall)))


@dataclass(eq=False)
class Trainee:
    """A model in training with everything that a resumed run needs."""

    shape: Shape
    processor: Gemma3Processor
    model: Gemma3ForConditionalGeneration
    helpers: Helpers
    optimisers: tuple[torch.optim.Optimizer, ...]
    average: dict[str, torch.Tensor]
    step: int = 0


def new_trainee(shape: Shape, seed: int, processor: Gemma3Processor | None = None) -> Trainee:
    """Random weights, a fresh tokenizer; the same seed gives the same trainee."""
    if processor is None:
        processor = new_processor(shape, new_tokenizer(corpus(seed)))
    model = new_model(shape, processor.tokenizer, seed)
    use_slots(model)
    use_fast_norms(model)
    # With 64 patches a picture this is faster on CPUs than the fused kernel.
    model.model.vision_tower.config._attn_implementation = "eager"
    helpers = Helpers(shape)
    optimisers = optimisers_for(model, helpers)
    average = {name: p.detach().clone() for name, p in model.named_parameters()}
    return Trainee(shape, processor, model, helpers, optimisers, average)


def started_from(folder: Path, seed: int) -> Trainee:
    """A trainee with the weights and the tokenizer of a model that was exported to `folder`."""
    from transformers import AutoProcessor, Gemma3ForConditionalGeneration

    exported = Gemma3ForConditionalGeneration.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True
    )
    processor = AutoProcessor.from_pretrained(folder, local_files_only=True)
    trainee = new_trainee(shape_of(exported.config), seed, processor)
    trainee.model.load_state_dict(exported.state_dict())
    trainee.average = {name: p.detach().clone() for name, p in trainee.model.named_parameters()}
    return trainee


def optimisers_for(model: torch.nn.Module, helpers: Helpers) -> tuple[torch.optim.Optimizer, ...]:
    """Muon for the matrices inside the layers, AdamW for the rest, Adam for the heads.

    Muon learns from far fewer samples, and steps are what two cores are short of.
    """
    inner: list[torch.nn.Parameter] = []
    others: list[torch.nn.Parameter] = []
    for name, parameter in model.named_parameters():
        matrix = parameter.ndim == 2 and ".layers." in name
        (inner if matrix else others).append(parameter)
    return (
        torch.optim.Muon(inner, weight_decay=DECAY, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, betas=BETAS, weight_decay=0.0),
        torch.optim.Adam(helpers.parameters(), betas=BETAS),
    )


def tokens_of(trainee: Trainee) -> Tokens:
    """The ids that batches need."""
    tokenizer = trainee.processor.tokenizer
    return Tokens(
        picture=tokenizer.image_token_id,
        after_picture=tokenizer.eoi_token_id,
        padding=tokenizer.pad_token_id,
        side=trainee.shape.tokens_per_side,
    )


def train(
    trainee: Trainee,
    curriculum: Curriculum,
    schedule: Schedule,
    seed: int,
    report: Callable[[int, str, Losses], None],
) -> Iterator[int]:
    """Step after step up to `schedule.steps`; yields the number of steps done so far.

    Every step draws from a generator of its own, so that a resumed run goes on
    as if it had never stopped (but for studies drawn in between).
    """
    tokens = tokens_of(trainee)
    trainee.model.train()
    while trainee.step < schedule.steps:
        rng = Random(f"{seed}/{trainee.step}")
        kind = curriculum.kind_at(trainee.step, rng)
        batch = batch_of(curriculum.lessons(kind, rng), tokens)
        with fast_products():
            loss = (look_losses if kind == LOOK else losses)(trainee.model, trainee.helpers, batch)
        _update(trainee, loss, schedule)
        trainee.step += 1
        report(trainee.step, kind, loss)
        yield trainee.step


def fast_products() -> AbstractContextManager[Any]:
    """bfloat16 matrix products where this CPU has them; weights stay float32."""
    from inference.models.precision import has_fast_bf16

    return torch.autocast("cpu", torch.bfloat16, enabled=has_fast_bf16("cpu"))


def _update(trainee: Trainee, loss: Losses, schedule: Schedule) -> None:
    rate, step = schedule.rate_at(trainee.step), trainee.step
    rates = (MUON_RATE * rate, rate, schedule.heads_rate_at(step))
    for optimiser, its_rate in zip(trainee.optimisers, rates, strict=True):
        optimiser.zero_grad(set_to_none=True)
        for group in optimiser.param_groups:
            group["lr"] = its_rate
    loss.total.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(trainee.model.parameters(), CLIP)
    for optimiser in trainee.optimisers:
        optimiser.step()
    keep = min(AVERAGE, (1 + trainee.step) / (10 + trainee.step))
    with torch.no_grad():
        for name, parameter in trainee.model.named_parameters():
            trainee.average[name].lerp_(parameter, 1 - keep)


def save_checkpoint(trainee: Trainee, folder: Path) -> None:
    """Everything to resume from, written beside the old one and then renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / PROCESSOR).is_dir():
        trainee.processor.save_pretrained(folder / PROCESSOR)
    part = folder / "checkpoint.part"
    torch.save(
        {
            "step": trainee.step,
            "shape": asdict(trainee.shape),
            "model": trainee.model.state_dict(),
            "helpers": trainee.helpers.state_dict(),
            "optimisers": [each.state_dict() for each in trainee.optimisers],
            "average": trainee.average,
        },
        part,
    )
    part.rename(folder / "checkpoint.pt")


def resumed(folder: Path, seed: int) -> Trainee | None:
    """The trainee that was saved in `folder`, with its own tokenizer; None where there is none."""
    from transformers import AutoProcessor

    file = folder / "checkpoint.pt"
    if not file.is_file():
        return None
    state = torch.load(file, weights_only=True)
    processor = AutoProcessor.from_pretrained(folder / PROCESSOR, local_files_only=True)
    trainee = new_trainee(Shape(**state["shape"]), seed, processor)
    trainee.model.load_state_dict(state["model"])
    trainee.helpers.load_state_dict(state["helpers"])
    for optimiser, kept in zip(trainee.optimisers, state["optimisers"], strict=True):
        optimiser.load_state_dict(kept)
    trainee.average = state["average"]
    trainee.step = state["step"]
    return trainee


def export(trainee: Trainee, folder: Path) -> None:
    """The averaged weights in half precision, with configuration and processor.

    Stored as float16 for its finer steps; the configuration says float32, in
    which every loader then computes.
    """
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    trainee.processor.save_pretrained(folder)
    trainee.model.config.save_pretrained(folder)
    trainee.model.generation_config.save_pretrained(folder)
    half = {name: tensor.half().contiguous() for name, tensor in trainee.average.items()}
    target = folder / "model.safetensors"
    save_file(half, target, metadata={"format": "pt"})
    target.chmod(0o644)


def log_line(step: int, kind: str, loss: Losses, seconds: float) -> str:
    """One JSON line."""
    parts = {name: round(value, 4) for name, value in loss.parts.items()}
    letters = {"right": loss.right, "said": loss.said}
    return json.dumps(
        {"step": step, "kind": kind, **parts, **letters, "seconds": round(seconds, 1)}
    )
