"""The table of models as the page shows it: what each takes, whether it loads here, its card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from inference.conventions import Conventions, in_words, with_conventions
from inference.html import render_html
from inference.models.entries import KINDS, ModelEntry
from inference.models.machine import Machine
from inference.models.readiness import Readiness, readiness

TONES = {"ready": "right", "to fetch": "neutral", "cannot": "wrong"}
"""State -> the badge's colour."""


@dataclass(frozen=True)
class ModelRow:
    """One line of the table, in words."""

    name: str
    kind: str
    takes: str
    conventions: str
    changed: bool
    here: Readiness
    tone: str
    card: str
    is_link: bool
    note: str


def model_row(entry: ModelEntry, machine: Machine, changes: Sequence[Conventions]) -> ModelRow:
    """What the page says of that model, with the user's changes to its conventions."""
    now = with_conventions(entry, changes)
    here = readiness(entry, machine)
    return ModelRow(
        name=entry.name,
        kind=KINDS[entry.kind],
        takes=takes_in_words(now),
        conventions=in_words(now),
        changed=now != entry,
        here=here,
        tone=TONES[here.state],
        card=entry.card,
        is_link=entry.card.startswith("https://"),
        note=entry.note,
    )


def takes_in_words(entry: ModelEntry) -> str:
    """What it can be asked with."""
    if entry.kind == "imported":
        return "nothing"
    if entry.max_pictures == 0:
        return "words only"
    pictures = "one picture" if entry.max_pictures == 1 else f"up to {entry.max_pictures} pictures"
    if entry.only:
        return f"{pictures}, {', '.join(entry.only)} only"
    return pictures if entry.takes_text_only else f"{pictures}, never words alone"


def models_table(
    entries: Iterable[ModelEntry],
    machine: Machine,
    changes: Sequence[Conventions],
    residents: Collection[str] = (),
) -> str:
    """The table as HTML; `residents` are the names of the models in memory."""
    rows = [model_row(entry, machine, changes) for entry in entries]
    return render_html("models.html", rows=rows, residents=residents, machine=_about(machine))


def _about(machine: Machine) -> str:
    free = "" if machine.free_bytes is None else f", {machine.free_bytes / 2**30:.1f} GiB free"
    form = "bfloat16" if machine.fast_bf16 else "float32"
    return (
        f"This machine: {machine.device}{free}. Number format: {form}, "
        + ("which is fast here" if machine.fast_bf16 else "because bfloat16 is not fast here")
        + "; float16 never, Gemma overflows in it."
    )
