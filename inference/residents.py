"""What is in memory, as the Models page shows it, and the rule by which it stays there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inference.host import HostStatus, Resident
from inference.html import render_html
from inference.models.machine import Machine
from inference.models.readiness import GIB, RESERVE, ROOM, in_gib

RULE = (
    f"A model stays in memory while the next one fits beside it: {ROOM:g} times the next one's "
    f"weights and {RESERVE / GIB:g} GiB have to be free as measured; else the one used longest "
    "ago is freed first, before anything is loaded. One model is loaded at a time."
)
DOING = {"loading": "A model is being loaded or freed.", "asked": "A model is being asked."}


def residents_html(status: HostStatus) -> str:
    """The list, each with a button that frees it."""
    waiting = f" {status.waiting} waiting." if status.waiting else ""
    doing = DOING.get(status.state, "")
    return render_html(
        "residents.html",
        status=status,
        sizes=[_size(each) for each in status.residents],
        doing=f"{doing}{waiting}",
        rule=RULE,
    )


def with_what_can_be_freed(machine: Machine, residents: Sequence[Resident]) -> Machine:
    """The machine as the next load finds it at best: what is in memory counts as free."""
    if machine.free_bytes is None:
        return machine
    held = sum(each.bytes or 0.0 for each in residents)
    return replace(machine, free_bytes=machine.free_bytes + held)


def _size(resident: Resident) -> str:
    if resident.bytes is None:
        return "of unknown size"
    return f"about {in_gib(resident.bytes)}" if resident.bytes else "takes no memory here"
