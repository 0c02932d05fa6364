"""What one encoded prefix saves: `python -m tests.benchmarks.prefix [--plain-calls N]`.

A Gemma 3 of about 200 M random weights in float32, twelve pictures of 100
tokens each, 5 questions in 4 orders. Prints the seconds of 20 plain `generate`
calls, of the same 20 asks behind one prefix, and the ratio; checks that both
ways choose the same letters. With fewer plain calls their time is scaled to 20.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from inference.models.chat_vlm import ChatVlm, load_chat_vlm
from inference.models.protocol import GenerationSettings
from inference.models.quiet import quiet_libraries
from inference.models.reading import PrefixReader
from inference.models.table import ASSETS, DEFAULT_MODEL, model_entry
from inference.orders import cyclic_orders
from inference.prompts import Message, Prompt
from inference.training.architecture import Shape, new_model
from inference.training.vocabulary import new_processor
from tests.inference.models.checkpoints import picture

SHAPE = Shape(
    picture_px=140,
    patch_px=14,
    picture_tokens=100,
    vision_width=768,
    vision_layers=6,
    text_width=768,
    text_layers=20,
)
PICTURES = 12
ONE_TOKEN = GenerationSettings(max_tokens=1)
WANTED = 8.0
QUESTIONS = {
    "Which hemisphere holds the tumor?": ("Right", "Left", "Both", "Neither"),
    "Which compartment is the largest?": ("Edema", "Core", "Enhancing", "Cavity"),
    "How does the tumor enhance?": ("Rim", "Solid", "Patchy", "Not at all"),
    "In which lobe does it lie?": ("Frontal", "Parietal", "Temporal", "Occipital"),
    "How large is the whole tumor?": ("5 ml", "20 ml", "60 ml", "150 ml"),
}


def prompts() -> list[Prompt]:
    """Five questions in four cyclic orders about the same pictures."""
    shown = [picture(seed, side=SHAPE.picture_px) for seed in range(PICTURES)]
    parts = [part for each in shown for part in (each, each.caption)]
    asked = []
    for stem, options in QUESTIONS.items():
        for order in cyclic_orders(len(options)):
            texts = tuple(options[index] for index in order)
            lines = [f"{letter}) {text}" for letter, text in zip("ABCD", texts, strict=True)]
            whole = ("Look at these slices.", *parts, "\n".join((stem, *lines)))
            asked.append(Prompt((Message("user", whole),), tuple("ABCD"), texts, order))
    return asked


def save_checkpoint(folder: Path) -> int:
    """Random weights of the benchmark's shape; returns how many millions there are."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(ASSETS / DEFAULT_MODEL, local_files_only=True)
    model = new_model(SHAPE, tokenizer, seed=0)
    with quiet_libraries():
        model.save_pretrained(folder)
        new_processor(SHAPE, tokenizer).save_pretrained(folder)
    return sum(weights.numel() for weights in model.parameters()) // 10**6


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def generate(model: ChatVlm, asked: Sequence[Prompt]) -> None:
    """One call a prompt, one token each: the letter."""
    for prompt in asked:
        model.generate(prompt, ONE_TOKEN, lambda text: None, lambda: False)


def letters(model: ChatVlm, asked: Sequence[Prompt]) -> list[int]:
    """The most probable position of every prompt."""
    scores = [each.probabilities for each in model.score_many(asked) if each]
    return [row.index(max(row)) for row in scores]


def main() -> int:
    """Measure and print; 1 where the prefix saves less than it should."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain-calls", type=int, default=20)
    calls = parser.parse_args().plain_calls
    asked = prompts()
    with TemporaryDirectory() as folder:
        millions = save_checkpoint(Path(folder))
        row = replace(model_entry(folder), dtype="float32")
        model = load_chat_vlm(row, lambda share, text: None)
    assert isinstance(model.reader, PrefixReader)
    whole = replace(model, reader=model.reader.plain)
    say = sys.stdout.write
    say(f"{millions} M weights, {PICTURES} pictures, {len(asked)} asks\n")
    plain = seconds(lambda: generate(whole, asked[:calls])) * len(asked) / calls
    say(f"plain generate:          {plain:6.1f} s (from {calls} calls)\n")
    scoring = seconds(lambda: letters(model, asked))
    say(f"scored behind a prefix:  {scoring:6.1f} s, {plain / scoring:.1f} times faster\n")
    model.reader.store.clear()
    writing = seconds(lambda: generate(model, asked))
    say(f"written behind a prefix: {writing:6.1f} s, {plain / writing:.1f} times faster\n")
    same = letters(model, asked[:calls]) == letters(whole, asked[:calls])
    say(f"the same letters on both ways: {'yes' if same else 'no'}\n")
    return 0 if same and plain / scoring >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
